/** Judges and merges decks, and cleans names, as the builder does, for tests that hold it to the server: see `builder.mjs`. */

import { type Content, cleanName } from "../src/builder/content.ts";
import { check, type Problem, type Rules } from "../src/builder/legality.ts";
import { type Brought, merge } from "../src/builder/merging.ts";
import type { CardFacts } from "../src/cards";

export interface Asked {
  rules: Rules;
  cards: CardFacts[];
  withdrawn: Record<string, string>;
  decks: Pick<Content, "base" | "counts" | "format">[];
  merges: { common: Content; theirs: Content; ours: Content }[];
  names: string[];
}

export interface Answers {
  problems: Problem[][];
  merged: { content: Content; brought: Brought[] }[];
  names: string[];
}

export function answers({ rules, cards, withdrawn, decks, merges, names }: Asked): Answers {
  const known = { cards: new Map(cards.map((card) => [card.id, card])), withdrawn };
  return {
    problems: decks.map((deck) => check(deck, rules, known)),
    merged: merges.map(({ common, theirs, ours }) => merge(common, theirs, ours)),
    names: names.map(cleanName),
  };
}
