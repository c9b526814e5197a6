/** What was discarded stays in this browser for a while, so that it can be brought back after the page was left. */

import { keepIn } from "../storage";
import type { Store } from "../store";
import { type Content, EMPTY } from "./content";
import { sameContent } from "./merging";

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;

/** The changes of one draft that were discarded last, and when. */
interface Discarded {
  /** Whose they were; "" for a visitor. */
  user: string;
  content: Content;
  at: number;
}

export interface Discards {
  keep(content: Content): void;
  /** What can be brought back, unless it was too long ago or somebody else's. */
  offered(): { content: Content; at: number } | null;
  forget(): void;
}

const PREFIX = "ragtag-fleet.discarded.";
const DAYS = 14;
const DAY = 24 * 60 * 60 * 1_000;

/** The discarded changes of the draft that `key` names now: "new" as long as the server has never had it. */
export function discardsOf(storage: Kept, key: () => string, user: string, now: () => number): Discards {
  const forget = (): void => {
    try {
      storage?.removeItem(PREFIX + key());
    } catch {
      // A store that cannot be written has nothing to forget.
    }
  };
  return {
    forget,
    keep(content) {
      // Where nothing is kept, it can still be undone as long as the page is open.
      keepIn(storage, PREFIX + key(), JSON.stringify({ user, content, at: now() } satisfies Discarded));
    },
    offered() {
      try {
        const kept = JSON.parse(storage?.getItem(PREFIX + key()) ?? "null") as Discarded | null;
        if (!kept || kept.user !== user || typeof kept.content !== "object") return null;
        if (now() - kept.at <= DAYS * DAY) return { content: { ...EMPTY, ...kept.content }, at: kept.at };
        forget();
      } catch {
        // What cannot be read cannot be brought back.
      }
      return null;
    },
  };
}

/** Forget what was discarded once it is back by undoing, however that is asked for; keep it again once that is redone. */
export function forgetWhatIsBack(
  store: Pick<Store<{ content: Content }>, "subscribe">,
  discards: Discards,
): () => void {
  let back: { from: Content; to: Content } | null = null;
  return store.subscribe(({ content: now }, { content: before }) => {
    if (now === before) return;
    if (back && sameContent(before, back.to) && sameContent(now, back.from)) discards.keep(before);
    const offered = discards.offered();
    if (!offered || !sameContent(now, offered.content)) return;
    back = { from: before, to: now };
    discards.forget();
  });
}
