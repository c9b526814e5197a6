/**
 * Copies: what this browser keeps of decks until the server has it, one for each window; offline, signed out, after a
 * crash. The next page of the deck goes on with them.
 */

import { keepIn } from "../storage";
import { type Content, EMPTY, isEmpty } from "./content";
import { type Brought, sameContent } from "./merging";
import {
  type Change,
  disputes,
  latest,
  type Made,
  numbersOf,
  recorded,
  together,
  unmade,
  withChanges,
} from "./unsaved-changes";

/** What a browser keeps of a draft until the server has it. */
export interface Copy {
  uid: string;
  /** The window that it is of. */
  sender: string;
  /** Whose it is; "" for a visitor's, which belongs to whoever signs in next. */
  user: string;
  revision: number;
  /** The content of that revision. */
  known: Content;
  changes: readonly Change[];
  /** The last changes of other windows that it has gone on with, whatever became of them here. */
  numbers?: Made;
  changed: number;
}

/** What of the server's draft it takes to go on with copies of it. */
export interface There {
  revision: number;
  content: Content;
  made: Made;
}

export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> | null;

const PREFIX = "ragtag-fleet.draft.";
const HEARD = "ragtag-fleet.heard.";
/** The window of a copy from before windows had ids. */
const NO_SENDER = "some-window";
/** Milliseconds for an answer for which the page waits before it shows anything. */
const QUICKLY = 5_000;

/** Keep the copy of a window of a draft, or none; false if this browser keeps nothing. */
export function keepCopy(shelf: Shelf, uid: string, sender: string, copy: Copy | null): boolean {
  const key = `${PREFIX}${uid}.${sender}`;
  try {
    if (copy) shelf?.setItem(key, JSON.stringify(copy));
    else shelf?.removeItem(key);
    return shelf !== null || copy === null;
  } catch {
    return false;
  }
}

/** The copies that this browser keeps of drafts that `user` may go on with, the oldest first. */
export function copies(shelf: Shelf, user: string): Copy[] {
  const found = allOf(shelf).map(([, copy]) => copy);
  return found
    .filter((copy) => copy.user === "" || copy.user === user)
    .sort((one, other) => one.changed - other.changed);
}

/** Forget copies that another window has taken over; one that its own has written anew meanwhile stays. */
export function forget(shelf: Shelf, taken: readonly Copy[]): void {
  for (const [key, copy] of allOf(shelf))
    if (taken.some((one) => one.uid === copy.uid && one.changed === copy.changed)) shelf?.removeItem(key);
}

/** Each copy with its key; none of a store that cannot be read. */
function allOf(shelf: Shelf): [string, Copy][] {
  try {
    const keys = Array.from({ length: shelf?.length ?? 0 }, (_, at) => shelf?.key(at) ?? "");
    return keys.flatMap((key) => {
      const copy = key.startsWith(PREFIX) ? readCopy(shelf?.getItem(key) ?? "") : null;
      return copy ? [[key, copy] as [string, Copy]] : [];
    });
  } catch {
    return [];
  }
}

/** A copy as it was kept, or as it was before changes were. */
function readCopy(text: string): Copy | null {
  try {
    const kept = JSON.parse(text) as Copy & ContentsBefore;
    if (typeof kept.uid !== "string") return null;
    const { content, sent, sender = NO_SENDER, ...others } = kept;
    const known = { ...EMPTY, ...kept.known };
    return {
      ...others,
      sender,
      known,
      changes: kept.changes ?? changesOf(known, { content, sent }, sender, kept.changed),
    };
  } catch {
    return null;
  }
}

/** What copies had before they had changes: all that was in the window, and what it had sent and got no answer to. */
interface ContentsBefore {
  content?: Partial<Content>;
  /** Each by the number of the first save that had it, with what was known then if that was something else. */
  sent?: { first: number; content?: Partial<Content>; known?: Partial<Content> }[];
}

/**
 * The changes of a copy from before: those that were sent, each with the number of its save, by which the server has it or
 * not, and what was done since. So what was sent and then taken back is a change too.
 */
function changesOf(known: Content, { content, sent = [] }: ContentsBefore, sender: string, changed: number) {
  let changes: readonly Change[] = [];
  for (const one of [...sent, { first: changed, content, known }]) {
    const before = withChanges({ ...EMPTY, ...(one.known ?? known) }, changes);
    changes = recorded(changes, before, { ...EMPTY, ...one.content }, sender, () => one.first);
  }
  return changes;
}

/** What was in the window that a copy is of. */
export const contentOf = ({ known, changes }: Pick<Copy, "known" | "changes">): Content => withChanges(known, changes);

/** The changes of copies that the server does not have. */
export function broughtBack(saved: There, kept: readonly Copy[]): readonly Change[] {
  return kept.reduce((all: readonly Change[], copy) => together(all, lacking(saved, copy)), []);
}

/** The numbers of the last changes that copies have gone on with. */
export const numbersIn = (kept: readonly Copy[]): Made =>
  latest(...kept.flatMap(({ changes, numbers = {} }) => [numbersOf(changes), numbers]));

function lacking(saved: There, copy: Copy): readonly Change[] {
  if (copy.revision <= saved.revision) return unmade(copy.changes, saved.made);
  // A backup was restored, which has nothing that was heard or saved since: all of it is this browser's to save.
  const next = countingFrom(Math.max(copy.changed, (saved.made[copy.sender] ?? 0) + 1));
  return recorded([], saved.content, contentOf(copy), copy.sender, next);
}

function countingFrom(first: number): () => number {
  let number = first;
  return () => number++;
}

/** The content of the server with what copies bring back, and where it had another change of the same, which gives way. */
export function goingOn(saved: There, kept: readonly Copy[]): { content: Content; disputed: Brought[] } {
  const changes = broughtBack(saved, kept);
  const known = kept.at(-1)?.known ?? saved.content; // what was heard last
  return { content: withChanges(saved.content, changes), disputed: disputes(changes, known, saved.content) };
}

/** Remember, as long as its window is there, of which revision of a draft it has heard; of "new", which draft it became. */
export const keepHeard = (session: Storage | null, uid: string, heard: number | string): boolean =>
  keepIn(session, `${HEARD}${uid}`, String(heard));

/** What was kept so; "" if it is not known. */
export function heardIn(session: Storage | null, uid: string): string {
  try {
    return session?.getItem(`${HEARD}${uid}`) ?? "";
  } catch {
    return "";
  }
}

/** What the server has of a deck by now; null where it has none, and where it cannot be asked, `otherwise`. */
export async function savedOf<Saved>(uid: string, otherwise: Saved, ask: typeof fetch): Promise<Saved | null> {
  try {
    const headers = { Accept: "application/json" };
    const answer = await ask(`/decks/drafts/${uid}/`, { headers, signal: AbortSignal.timeout(QUICKLY) });
    if (answer.status === 404) return null;
    return answer.ok ? ((await answer.json()) as Saved) : otherwise;
  } catch {
    return otherwise;
  }
}

/** What this browser has heard of the draft last: what others did in it is no change of this browser's. */
export function lastHeard<Saved extends There>(saved: Saved, kept: readonly Copy[]): Saved {
  const last = [...kept].sort((one, other) => one.revision - other.revision).at(-1);
  if (!last || last.revision < saved.revision) return saved;
  return { ...saved, revision: last.revision, content: last.known };
}

/** The draft that was begun here and never reached the server, as far as is known; of several the newest. */
export const begunHere = (kept: readonly Copy[]): Copy | undefined =>
  kept.filter((copy) => isBegun(copy) && !isEmpty(contentOf(copy))).at(-1);

/** A deck that was begun here started with nothing but its format. */
export const isBegun = ({ revision, known }: Copy): boolean =>
  revision === 0 && sameContent(known, { ...EMPTY, format: known.format });
