/** What was discarded stays in this browser for a while, so that it can be brought back after the page was left. */

import { keepIn } from "../storage";
import type { Store } from "../store";
import { type Content, EMPTY } from "./content";
import { merge, sameContent } from "./merging";

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;

/** The changes of one draft that were discarded last, and when. */
interface Discarded {
  /** Whose they were; "" for a visitor. */
  user: string;
  content: Content;
  /** What was left without them. */
  left: Content;
  at: number;
}

/** What can be brought back. */
type Offered = Pick<Discarded, "content" | "left" | "at">;

export interface Discards {
  /** Keep `content`, which is discarded so that `left` is left. */
  keep(content: Content, left: Content): void;
  /** What can be brought back, unless it was too long ago or somebody else's. */
  offered(): Offered | null;
  forget(): void;
}

/** `now` with what was discarded; what was done since stays, here or on another device, also where it changed the same. */
export const withDiscarded = ({ content, left }: Offered, now: Content): Content => merge(left, content, now).content;

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
    keep(content, left) {
      // Where nothing is kept, it can still be undone as long as the page is open.
      keepIn(storage, PREFIX + key(), JSON.stringify({ user, content, left, at: now() } satisfies Discarded));
    },
    offered() {
      try {
        // What was kept before `left` was is put on top of what there is.
        const kept = JSON.parse(storage?.getItem(PREFIX + key()) ?? "null") as Discarded | null;
        if (!kept || kept.user !== user || typeof kept.content !== "object") return null;
        const { content, left, at } = kept;
        if (now() - at <= DAYS * DAY) return { content: { ...EMPTY, ...content }, left: { ...EMPTY, ...left }, at };
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
    if (back && sameContent(before, back.to) && sameContent(now, back.from)) discards.keep(before, now);
    const offered = discards.offered();
    if (!offered || !sameContent(now, withDiscarded(offered, before))) return;
    back = { from: before, to: now };
    discards.forget();
  });
}
