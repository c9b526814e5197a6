/**
 * Changes: what was done to a deck in this browser that the server may not have yet. Pure.
 *
 * A change is a value of one card, or of one other part, with the id of the window that made it and a number that grows
 * with every change of that window. The server makes each once, however often and by whichever window it is sent, and
 * tells of each window the number of the last one that it has: so an answer that was lost, a save that is late and a
 * window that goes on with what another one left need nothing of their own. `decks/building/drafts.py` is the other side.
 */

import type { Content } from "./content";
import { type Brought, differences, type Part, SINGLE, same, type Value } from "./merging";

export interface Change {
  /** The window that made it. */
  sender: string;
  number: number;
  part: Part;
  card: string;
  now: Value | null;
  /** What it replaces without a word: what was there, and what this browser had made of it since, sent or not. */
  was: readonly (Value | null)[];
}

/** Of windows, by their ids, the number of the last change of each. */
export type Made = Readonly<Record<string, number>>;

/** What a change has replaced, as the server took it. */
export interface Replaced {
  part: Part;
  card: string;
  value: Value | null;
}

/**
 * The earlier values that a change remembers: the first, which the server had, and the last. More than are typed of a name
 * while the answer to its first letters is on its way.
 */
const MOST_VALUES = 100;

/** The windows whose last changes a save may name (`MAX_SENDERS` in `decks/building/drafts.py`). */
const MOST_WINDOWS = 64;

const keyOf = ({ part, card }: { part: Part; card: string }): string => `${part} ${card}`;

const isSingle = (part: Part): part is (typeof SINGLE)[number] => (SINGLE as readonly Part[]).includes(part);

/** What a content has of a part, or in it of a card; null for nothing. */
export const valueIn = (content: Content, { part, card }: { part: Part; card: string }): Value | null =>
  (isSingle(part) ? content[part] : (content[part] as Readonly<Record<string, Value>>)[card]) ?? null;

/** `content` with the changes. */
export function withChanges(content: Content, changes: readonly Pick<Change, "part" | "card" | "now">[]): Content {
  if (changes.length === 0) return content;
  const { counts, considering, tags } = content;
  const changed = { ...content, counts: { ...counts }, considering: { ...considering }, tags: { ...tags } };
  for (const { part, card, now } of changes) {
    if (isSingle(part)) changed[part] = (now ?? "") as string;
    else if (now === null) delete (changed[part] as Record<string, unknown>)[card];
    else (changed[part] as Record<string, unknown>)[card] = now;
  }
  return changed;
}

/**
 * `changes` with what leads from one content to another, made by `sender`, each with the number that `next` gives. Of each
 * card one is left, the last. One that takes back another is a change too: that may be on its way.
 */
export function recorded(
  changes: readonly Change[],
  from: Content,
  to: Content,
  sender: string,
  next: () => number,
): readonly Change[] {
  const all = byKey(changes);
  for (const { part, card, was, now } of differences(from, to)) {
    const before = all.get(keyOf({ part, card }));
    const known = before ? someOf([...before.was, before.now]) : [was];
    all.set(keyOf({ part, card }), { sender, number: next(), part, card, now, was: known });
  }
  return [...all.values()];
}

/** Of each window the greater number; of very many windows only the greatest, as the server takes no more. */
export function latest(...all: readonly Made[]): Record<string, number> {
  const numbers = new Map<string, number>();
  for (const made of all)
    for (const [sender, number] of Object.entries(made))
      numbers.set(sender, Math.max(number, numbers.get(sender) ?? 0));
  return Object.fromEntries([...numbers].sort(([, one], [, other]) => other - one).slice(0, MOST_WINDOWS));
}

/** The greatest number of all windows; 0 of none. */
export const greatest = (...all: readonly Made[]): number => Math.max(0, ...all.flatMap((made) => Object.values(made)));

/** The number of the last of the changes of each window. */
export const numbersOf = (changes: readonly Change[]): Record<string, number> =>
  latest(...changes.map(({ sender, number }) => ({ [sender]: number })));

/** The changes of both; of two of the same card the later one, which knows of the other. */
export function together(some: readonly Change[], others: readonly Change[]): readonly Change[] {
  const all = byKey(some);
  for (const one of others) {
    const other = all.get(keyOf(one));
    if (!other) all.set(keyOf(one), one);
    else {
      const [first, last] = other.number < one.number ? [other, one] : [one, other];
      all.set(keyOf(one), { ...last, was: someOf([...first.was, first.now, ...last.was]) });
    }
  }
  return [...all.values()];
}

/** The changes that a server with these numbers does not have. */
export const unmade = (changes: readonly Change[], made: Made): readonly Change[] =>
  changes.filter(({ sender, number }) => number > (made[sender] ?? 0));

/** How many of the changes are to another value than `there` has: of those that were taken back, none is. */
export const differing = (changes: readonly Change[], there: Content): number =>
  changes.filter((one) => !same(one.now, valueIn(there, one))).length;

/** The changes of which the server has another value than any that they knew: others have changed what was `known`. */
export const disputes = (changes: readonly Change[], known: Content, there: Content): Brought[] =>
  changes.filter((one) => !isKnown(one, valueIn(there, one))).map((one) => dispute(one, known, valueIn(there, one)));

/** What was heard of the server: what it has now, and what of the changes of this browser that is. */
export interface Heard {
  /** What was known of it before. */
  known: Content;
  there: Content;
  /** The changes that it has, and those that it does not have yet. */
  arrived: readonly Change[];
  left: readonly Change[];
  /** The changes that were answered, and what of them it says that they have replaced. A later answer may have come first. */
  answered: readonly Change[];
  replaced: readonly Replaced[];
}

/** What others have changed, and where they changed the same as this browser, what stands instead. */
export function newsOf({ known, there, arrived, left, answered, replaced }: Heard): Brought[] {
  const mine = byKey([...left, ...arrived]);
  const taken = new Map(replaced.map((one) => [keyOf(one), one.value]));
  const others = differences(known, there).filter((one) => !mine.has(keyOf(one)));
  const displaced = answered.flatMap((sent) => {
    const one = mine.get(keyOf(sent)) ?? { ...sent, now: valueIn(there, sent) };
    const value = taken.get(keyOf(one));
    if (value === undefined || isKnown(sent, value) || isKnown(one, value)) return [];
    const brought = dispute(one, known, value);
    return [same(brought.was, one.now) ? { ...brought, was: sent.was[0] ?? null } : brought];
  });
  // What the server has just taken and has otherwise is as it cleans texts; what it had before, others have changed.
  const changed = arrived
    .filter((one) => !taken.has(keyOf(one)) && !same(one.now, valueIn(there, one)))
    .map((one) => ({ part: one.part, card: one.card, was: one.now, now: valueIn(there, one), kept: null }));
  const later = left.filter((one) => !taken.has(keyOf(one)));
  return [...others, ...changed, ...displaced, ...disputes(later, known, there)];
}

/** The changes, having been told what the server has instead: it is not told again. */
export const told = (changes: readonly Change[], there: Content): readonly Change[] =>
  changes.map((one) => {
    const value = valueIn(there, one);
    return isKnown(one, value) ? one : { ...one, was: someOf([...one.was, value]) };
  });

const isKnown = ({ was, now }: Change, value: Value | null): boolean => [...was, now].some((one) => same(one, value));

const dispute = (one: Change, known: Content, now: Value | null): Brought => ({
  part: one.part,
  card: one.card,
  was: valueIn(known, one),
  now,
  kept: one.now ?? 0,
});

const someOf = (values: readonly (Value | null)[]): readonly (Value | null)[] =>
  values.length <= MOST_VALUES ? values : [...values.slice(0, 1), ...values.slice(1 - MOST_VALUES)];

const byKey = (changes: readonly Change[]): Map<string, Change> => new Map(changes.map((one) => [keyOf(one), one]));
