/** The orders of the card list, and the groups of the deck. Pure. */

import { type CardFacts, typeWord } from "../cards";
import type { Grouping, Order } from "./editor";
import { costOf, payerOf, TYPES } from "./numbers";

/** `cards` in that order; cards that lack the number come last, those alike stay as they were. */
export function sortedCards(cards: readonly CardFacts[], order: Order): CardFacts[] {
  if (order === "number") return [...cards];
  if (order === "name") return [...cards].sort((one, other) => one.name.localeCompare(other.name, "en"));
  const value = (card: CardFacts): number =>
    (order === "cost" ? (payerOf(card) ? costOf(card) : null) : card[order]) ?? Number.POSITIVE_INFINITY;
  return [...cards].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return a === b ? 0 : a < b ? -1 : 1;
  });
}

export interface Group {
  /** What the cards have in common. */
  key: string;
  words: string;
  cards: CardFacts[];
}

const TYPE_HEADINGS: Record<string, string> = { ship: "Ships", mission: "Missions", event: "Events", base: "Bases" };

/** The cards of a deck by what they have in common, each group by cost and name. */
export function grouped(cards: readonly CardFacts[], grouping: Grouping): Group[] {
  const groups = new Map<string, CardFacts[]>();
  for (const card of cards)
    for (const key of keysOf(card, grouping)) groups.set(key, [...(groups.get(key) ?? []), card]);
  const order = [...groups.keys()].sort(
    (one, other) => rank(one, grouping) - rank(other, grouping) || (one < other ? -1 : 1),
  );
  return order.map((key) => ({
    key,
    words: wordsOf(key, grouping),
    cards: (groups.get(key) ?? []).sort(
      (one, other) => costOf(one) - costOf(other) || one.name.localeCompare(other.name, "en"),
    ),
  }));
}

function keysOf(card: CardFacts, grouping: Grouping): string[] {
  switch (grouping) {
    case "type":
      return [card.type];
    case "cost":
      return [payerOf(card) ? String(costOf(card)) : ""];
    case "resource":
      return [payerOf(card) ?? ""];
    case "trait":
      return [card.traits[0] ?? ""];
    case "set":
      return [card.set];
  }
}

function rank(key: string, grouping: Grouping): number {
  if (key === "") return 1_000;
  if (grouping === "type") return TYPES.indexOf(key as CardFacts["type"]);
  return grouping === "cost" ? Number(key) : 0;
}

function wordsOf(key: string, grouping: Grouping): string {
  if (grouping === "type") return TYPE_HEADINGS[key] ?? typeWord(key as CardFacts["type"]);
  if (grouping === "cost") return key === "" ? "No cost" : `Cost ${key}`;
  if (key === "") return grouping === "trait" ? "No trait" : "Nothing to pay";
  return key[0]?.toUpperCase() + key.slice(1);
}
