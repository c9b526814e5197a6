/**
 * The id of this window: by it the server knows whose answer was lost, and this browser keeps a copy for each window.
 *
 * It stays the same when the page is loaded again. A window that was duplicated begins with the id of the other one;
 * so an id is held by a lock as long as its window is open, and whoever finds it held takes another. Where there are no
 * locks, as on a site without HTTPS, nobody can tell: then each page takes another.
 */

import { keepIn } from "../storage";

type Kept = Pick<Storage, "getItem" | "setItem"> | null;

/** What the page around gives: each of it can be another in tests. */
export interface Surroundings {
  storage: Kept;
  /** Locks that all windows of this browser share; undefined where there are none. */
  locks: Pick<LockManager, "request"> | undefined;
  random(): string;
}

const KEY = "ragtag-fleet.window";
/** The window that was loaded again still holds its lock for a moment. */
const PATIENCE = 400;

/** Return the id of this window, which no other open one has. */
export async function windowId({ storage, locks, random }: Surroundings): Promise<string> {
  const known = read(storage);
  if (known && (await held(locks, known))) return known;
  const made = random();
  await held(locks, made);
  keepIn(storage, KEY, made); // else the next load has another one
  return made;
}

function read(storage: Kept): string | null {
  try {
    return storage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

/** Hold the lock of an id until the page is gone; false if another window has it, or may have it. */
function held(locks: Surroundings["locks"], id: string): Promise<boolean> {
  if (!locks) return Promise.resolve(false);
  return new Promise((resolve) => {
    const forAsLongAsThePage = (): Promise<void> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), PATIENCE);
    locks.request(`${KEY}.${id}`, { signal: waiting.signal }, forAsLongAsThePage).catch(() => resolve(false));
  });
}
