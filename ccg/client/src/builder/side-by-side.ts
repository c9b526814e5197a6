/** Two decks as one list of rows, and in numbers. Pure. */

import { type CardFacts, type CardId, RESOURCES } from "../cards";
import { type Content, total } from "./content";
import type { Known } from "./legality";
import { costOf, entries, numbersOf, payerOf } from "./numbers";
import { grouped } from "./sorting";

/** A card that at least one of the two has, with its copies in each. */
export interface Pair {
  card: CardFacts;
  here: number;
  there: number;
}

export interface PairGroup {
  key: string;
  words: string;
  pairs: Pair[];
  here: number;
  there: number;
}

type Facts = (card: CardId) => CardFacts;

/** The cards of both, by type and in one order, so that each stands in the same row on both sides. */
export function pairs(here: Content, there: Content, facts: Facts): PairGroup[] {
  const ids = [...new Set([...Object.keys(here.counts), ...Object.keys(there.counts)])];
  return grouped(ids.map(facts), "type").map(({ key, words, cards }) => {
    const rows = cards.map((card) => ({
      card,
      here: here.counts[card.id] ?? 0,
      there: there.counts[card.id] ?? 0,
    }));
    return { key, words, pairs: rows, here: sum(rows, "here"), there: sum(rows, "there") };
  });
}

const sum = (rows: readonly Pair[], side: "here" | "there"): number => rows.reduce((all, row) => all + row[side], 0);

/** How many copies the first has more than the second, and the other way round. */
export function distance(groups: readonly PairGroup[]): { more: number; fewer: number } {
  const by = groups.flatMap((group) => group.pairs.map((pair) => pair.here - pair.there));
  return {
    more: by.reduce((all, one) => all + Math.max(0, one), 0),
    fewer: by.reduce((all, one) => all + Math.max(0, -one), 0),
  };
}

/** `here` with as many copies of `card` as the other deck has. */
export function taken(here: Content, { card, there }: Pair): Content {
  const { [card.id]: _, ...others } = here.counts;
  return { ...here, counts: there > 0 ? { ...others, [card.id]: there } : others };
}

/** What a deck comes to, by name, in the order in which it is shown. */
export function totals(content: Content, cards: Known["cards"]): [string, string][] {
  const numbers = numbersOf(content, cards);
  const deck = entries(content.counts, cards);
  const paid = deck.filter(([card]) => payerOf(card) !== null);
  const cost = paid.reduce((all, [card, n]) => all + n * costOf(card), 0);
  const copies = paid.reduce((all, [, n]) => all + n, 0);
  return [
    ["Cards", String(total(content.counts))],
    ["Cost in all", String(cost)],
    ["Mean cost", mean(cost, copies)],
    ...RESOURCES.map((resource, at): [string, string] => [
      `Makes ${resource}`,
      String(numbers.balance[at]?.makers ?? 0),
    ]),
    ["Mean Cylon threat", numbers.meanThreat.toFixed(1)],
    ["Mean mystic value", numbers.meanMystic.toFixed(1)],
  ];
}

const mean = (all: number, of: number): string => (of > 0 ? (all / of).toFixed(1) : "none");
