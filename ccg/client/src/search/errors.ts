/** What can be wrong with a query, in the server's sentences; see `cards_data/search/errors.py`. */

import { LANGUAGE } from "./language";

export interface Suggested {
  expected?: readonly string[];
  /** What may have been meant in place of the text there. */
  suggestion?: string;
}

export class QueryError extends Error {
  readonly expected: readonly string[];
  readonly suggestion: string;

  /** `code` is a key of the messages; `start` and `end` are where, as JavaScript counts. */
  constructor(
    readonly code: string,
    readonly start: number,
    readonly end: number,
    facts: Readonly<Record<string, string | number>> = {},
    { expected = [], suggestion = "" }: Suggested = {},
  ) {
    const known: Record<string, string | number> = { ...LANGUAGE.bounds, ...facts };
    super((LANGUAGE.messages[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) => String(known[name] ?? "")));
    this.expected = expected.slice(0, LANGUAGE.bounds.listed);
    this.suggestion = suggestion;
  }
}

/** The one of `known` that was most likely meant by `word`, or "": shortenings before slips of the finger. */
export function nearest(word: string, known: Iterable<string>): string {
  const typed = word.toLowerCase();
  if ([...typed].length < 2) return "";
  let best: [boolean, number, string] | null = null;
  for (const one of known) {
    const shortened = one[0] === typed[0] && isWithin(typed, one);
    const ranked: [boolean, number, string] = [!shortened, distance(typed, one), one];
    if (!shortened && ranked[1] > Math.max(1, Math.floor(typed.length / 3))) continue;
    if (!best || isBefore(ranked, best)) best = ranked;
  }
  return best?.[2] ?? "";
}

const isBefore = (a: [boolean, number, string], b: [boolean, number, string]): boolean =>
  a[0] !== b[0] ? !a[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];

function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

/** How many letters are added, left out, changed or swapped between two words. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [older, old] = [old, row];
  }
  return old[b.length] ?? 0;
}
