/** What is in a deck that is being built, and the changes that can be made to it. Pure: each gives a new content. */

import type { CardFacts, CardId } from "../cards";

/** Copies and tags by card id; no copies and no tags are left out. As `decks/lists/merging.py` has it. */
export interface Content {
  name: string;
  format: string;
  base: CardId;
  counts: Readonly<Record<CardId, number>>;
  considering: Readonly<Record<CardId, number>>;
  tags: Readonly<Record<CardId, readonly string[]>>;
}

export type Pile = "counts" | "considering";

export const EMPTY: Content = { name: "", format: "", base: "", counts: {}, considering: {}, tags: {} };
/** As many as a line of a list says, and as are set by hand; a list with several such lines has more. */
export const MAX_COPIES = 99;
const MAX_TAGS = 8;
const MAX_NAME = 80;
/** More accents on one sign than any language has. */
const HEAP = /([\p{Mn}\p{Me}]{5})[\p{Mn}\p{Me}]+/gu;

/** `content` with that many copies of a card; 0 takes it out, and its tags with it when it is nowhere else. */
export function withCopies(content: Content, pile: Pile, card: CardId, copies: number): Content {
  const { [card]: _, ...others } = content[pile];
  const wanted = Math.max(0, Math.min(Math.trunc(copies), MAX_COPIES));
  const changed = { ...content, [pile]: wanted > 0 ? { ...others, [card]: wanted } : others };
  if (card in changed.counts || card in changed.considering || card === changed.base) return changed;
  const { [card]: __, ...tags } = changed.tags;
  return { ...changed, tags };
}

/** What a row of the card list sets: copies of a card, or, for a base, whether it is the deck's. */
export function withCard(content: Content, card: CardFacts, copies: number, pile: Pile = "counts"): Content {
  if (card.type !== "base") return withCopies(content, pile, card.id, copies);
  if (copies > 0) return { ...content, base: card.id };
  return content.base === card.id ? { ...content, base: "" } : content;
}

/** How many copies of a card a content has; a base that is chosen counts as one. */
export const copiesOf = (content: Content, card: CardFacts, pile: Pile = "counts"): number =>
  card.type === "base" && pile === "counts" ? Number(content.base === card.id) : (content[pile][card.id] ?? 0);

/** The deck of `added` on top of `content`: copies add up, and what there is only once is kept if it is there. */
export function together(content: Content, added: Content): Content {
  return {
    name: content.name || added.name,
    format: content.format || added.format,
    base: content.base || added.base,
    counts: sums(content.counts, added.counts),
    considering: sums(content.considering, added.considering),
    tags: bothTags(content.tags, added.tags),
  };
}

/** Whether `added` has a base that is not taken where it is put on top of `content`, which has another. */
export const leavesBase = (content: Content, added: Content): boolean =>
  content.base !== "" && added.base !== "" && content.base !== added.base;

/** The tags of both, by the alphabet and as many as a card may have, as lists that are read have them. */
function bothTags(one: Content["tags"], other: Content["tags"]): Content["tags"] {
  const all = { ...one };
  for (const [card, words] of Object.entries(other))
    all[card] = [...new Set([...(all[card] ?? []), ...words])].sort().slice(0, MAX_TAGS);
  return all;
}

function sums(one: Content["counts"], other: Content["counts"]): Record<CardId, number> {
  const all: Record<CardId, number> = { ...one };
  for (const [card, copies] of Object.entries(other)) all[card] = (all[card] ?? 0) + copies;
  return all;
}

/** The content as it is kept: what people type has spaces at its ends while they type. */
export const trimmed = (content: Content): Content => ({ ...content, name: cleanName(content.name) });

/** A name as the server keeps it (`one_line` in `ccg/words.py`), so that what it makes of one is no change of others. */
export const cleanName = (name: string): string =>
  [
    ...name
      .replace(/[\p{Cf}\p{Cs}]/gu, "")
      .replace(/[\p{C}\p{Z}]/gu, " ")
      .replace(HEAP, "$1")
      .trim()
      .split(/ +/)
      .join(" "),
  ]
    .slice(0, MAX_NAME)
    .join("")
    .trimEnd();

/** The content as it would be published: a deck that names no format is one of the usual one. */
export const published = (content: Content, standard: string): Content => ({
  ...trimmed(content),
  format: content.format || standard,
});

export const isEmpty = ({ name, base, counts, considering }: Content): boolean =>
  name.trim() === "" && base === "" && Object.keys(counts).length + Object.keys(considering).length === 0;

export const total = (counts: Content["counts"]): number => Object.values(counts).reduce((sum, one) => sum + one, 0);
