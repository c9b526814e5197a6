/** The facts of a card as `/api/v1/cards/catalog.json` gives them, and what follows from them alone. */

import type { CardId, CardType, Cost, Resource } from "./view-types";

export interface KeywordFact {
  name: string;
  /** What Expedite asks for. */
  cost?: Cost;
  /** What a linked mission attaches to: personnel, ship or unit. */
  link?: string;
}

export interface Printing {
  set: string;
  number: number;
  rarity: string;
}

export interface CardFacts {
  id: CardId;
  type: CardType;
  title: string;
  subtitle: string;
  /** The full name: title and subtitle, as far as there are. */
  name: string;
  traits: readonly string[];
  cost: Cost;
  power: number | null;
  threat: number | null;
  mystic: number | null;
  produces: Resource | null;
  hand: number | null;
  influence: number | null;
  keywords: readonly KeywordFact[];
  /** What a mission is resolved with, one entry for each unit: "Officer", "Civilian unit". */
  requires: readonly string[];
  /** It has an ability that is not played yet. */
  pending: boolean;
  set: string;
  number: number;
  rarity: string;
  /** Its other printings; set, number and rarity above are those of the first. */
  reprints: readonly Printing[];
  /** The words of its abilities, a paragraph each, as marked text. */
  text: readonly string[];
  /** The red text, for a card turned up as a threat; marked text. */
  threat_text?: string;
  /** A picture that a set brings along instead of the drawn one. */
  picture?: string | null;
  /** Added to the seed of the drawn picture where two would be too alike. */
  salt?: string;
}

/** The large line of the name: the title, or the subtitle where that is the whole name. */
export const headOf = (card: CardFacts): string => card.title || card.subtitle || card.name;

/** The small line under it; empty for cards with one line, and for bases, which have only a title. */
export const tailOf = (card: CardFacts): string => (card.title && card.type !== "base" ? card.subtitle : "");

/** Whether it has both title and subtitle, so that it can be overlaid (Glossary: singular). */
export const isSingular = (card: CardFacts): boolean => card.title !== "" && card.subtitle !== "";

export const isUnit = (card: CardFacts): boolean => card.type === "personnel" || card.type === "ship";

const TYPE_WORDS: Record<CardType, string> = {
  base: "Base",
  personnel: "Personnel",
  ship: "Ship",
  event: "Event",
  mission: "Mission",
};

export const typeWord = (type: CardType): string => TYPE_WORDS[type];

/** Stand-in for a card that the catalogue does not have (yet), so that the table never breaks over one. */
export function unknownCard(id: CardId): CardFacts {
  return {
    id,
    type: "event",
    title: "",
    subtitle: id,
    name: id,
    traits: [],
    cost: {},
    power: null,
    threat: null,
    mystic: null,
    produces: null,
    hand: null,
    influence: null,
    keywords: [],
    requires: [],
    pending: false,
    set: id.split("-")[0] ?? "",
    number: 0,
    rarity: "",
    reprints: [],
    text: [],
  };
}

/** `["Officer", "Officer", "Pilot"]` as "2 Officers and 1 Pilot". */
export function requirementWords(requires: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of requires) counts.set(one, (counts.get(one) ?? 0) + 1);
  const parts = [...counts].map(([what, count]) => `${count} ${count > 1 ? plural(what) : what}`);
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

function plural(word: string): string {
  if (/(personnel)$/i.test(word)) return word;
  return word.endsWith("s") ? word : `${word}s`;
}
