/** The window that a visitor leaves to go on as a guest: the page that follows opens it again, as it was filled in. */

import { keepIn } from "../storage";

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;

/** What was filled in to publish a deck. */
export interface Publishing {
  note: string;
  tags: string;
  visibility: string;
}

/** The window that was left. */
export type Left = { kind: "publish"; typed: Publishing } | { kind: "try" };

const KEY = "ragtag-fleet.left";

/** Keep which window of the draft `uid` is left; where nothing is kept, it is opened again by hand. */
export function keepLeft(storage: Kept, uid: string, left: Left): void {
  keepIn(storage, KEY, JSON.stringify({ uid, left }));
}

/** Return the window of the draft `uid` that was left, once. */
export function takeLeft(storage: Kept, uid: string): Left | null {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? "null") as { uid: string; left: Left } | null;
    storage?.removeItem(KEY);
    return kept?.uid === uid ? kept.left : null;
  } catch {
    return null;
  }
}
