/** Two changes of one deck, made apart, become one, card by card: what `decks/lists/merging.py` does on the server. */

import type { Content } from "./content";

export type Part = keyof Content;
export type Value = string | number | readonly string[] | undefined;

/** One thing that others changed; `kept` is what stands instead where both sides changed it, else it is null. */
export interface Brought {
  part: Part;
  card: string;
  was: Value | null;
  now: Value | null;
  kept: Value | null;
}

export const SINGLE = ["name", "format", "base"] as const;
const BY_CARD = ["counts", "considering", "tags"] as const;

/** `theirs` and `ours`, both of which began with `common`, as one; and what of it ours did not know. */
export function merge(common: Content, theirs: Content, ours: Content): { content: Content; brought: Brought[] } {
  const brought: Brought[] = [];
  const pick = (part: Part, card: string, was: Value, there: Value, here: Value): Value => {
    if (same(there, was) || same(there, here)) return here;
    const settled = same(here, was);
    brought.push({ part, card, was: was ?? null, now: there ?? null, kept: settled ? null : (here ?? 0) });
    return settled ? there : here;
  };
  const merged: Record<string, unknown> = {};
  for (const part of SINGLE) merged[part] = pick(part, "", common[part], theirs[part], ours[part]);
  for (const part of BY_CARD) {
    const [was, there, here]: Record<string, Value>[] = [common[part], theirs[part], ours[part]];
    const cards: Record<string, Value> = {};
    for (const card of [...new Set([...Object.keys(there ?? {}), ...Object.keys(here ?? {})])].sort()) {
      const value = pick(part, card, was?.[card], there?.[card], here?.[card]);
      if (value !== undefined) cards[card] = value;
    }
    merged[part] = cards;
  }
  return { content: merged as unknown as Content, brought };
}

/** Everything in which two contents differ, as changes from the first to the second. */
export const differences = (from: Content, to: Content): Brought[] => merge(from, to, from).brought;

export const sameContent = (one: Content, other: Content): boolean => differences(one, other).length === 0;

export const same = (one: Value | null, other: Value | null): boolean =>
  (one ?? null) === (other ?? null) ||
  (Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other));
