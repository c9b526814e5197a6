/**
 * Searches as the browser does, for who compares: reads `{"cards": [...], "queries": [...]}` from one file and writes to
 * another, for each query, the ids found or the error.
 *
 *     node ccg/client/tools/search.mjs asked.json answered.json
 */

import type { CardFacts } from "../src/cards/facts";
import { type Known, QueryError, SearchableCards } from "../src/search";

export interface Asked {
  cards: CardFacts[];
  queries: string[];
  /** What is known beside the cards: ids by field and word, numbers by field and id. */
  known?: { groups: Record<string, Record<string, string[]>>; counts: Record<string, Record<string, number>> };
}

/** What each query finds: ids in their order, or what is wrong, with its place counted in characters. */
export function answers({ cards, queries, known: given }: Asked): unknown[] {
  const searchable = new SearchableCards(cards);
  const known: Known = {
    groups: mapped(given?.groups, (words) => mapped(words, (ids) => new Set(ids))),
    counts: given?.counts,
  };
  return queries.map((query) => {
    try {
      return searchable.search(query, known).map((card) => card.id);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { code, message, expected, suggestion } = error;
      const place = (at: number): number => [...query.slice(0, at)].length;
      return { code, message, start: place(error.start), end: place(error.end), expected, suggestion };
    }
  });
}

const mapped = <From, To>(record: Record<string, From> = {}, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
