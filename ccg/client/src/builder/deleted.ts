/**
 * Drafts that were deleted while this browser had changes of them that the server may not have: a new deck offers them, as
 * no page of their own does any more. Few pages need it.
 */

import type { Content } from "./content";
import type { Notice } from "./editor";
import type { Copy, Shelf, There } from "./kept-copies";

const WORDS =
  "A deck that was deleted is still in this browser, with changes that may not have been saved. It can be brought back as a new one.";

/** What it takes of `kept-copies.ts`: a page that loads this has it, in a file that packs better in one piece. */
type Keeping = Pick<typeof import("./kept-copies"), "forget" | "goingOn" | "isBegun" | "lastHeard" | "savedOf">;

export interface Deleted {
  content: Content;
  /** Offers it; who closes the notice does not want it any more, or has it back. */
  notice: Notice;
}

/** The deleted draft of which `shelf` keeps changes, for the page of a `fresh` one; of several that was changed last. */
export async function deletedOf(
  shelf: Shelf,
  kept: readonly Copy[],
  fresh: There,
  ask: typeof fetch,
  { forget, goingOn, isBegun, lastHeard, savedOf }: Keeping,
): Promise<Deleted | undefined> {
  const changed = kept.filter((copy) => copy.changes.length > 0 && !isBegun(copy));
  const there = await Promise.all(changed.map(({ uid }) => savedOf<unknown>(uid, undefined, ask)));
  const last = changed.findLast((_, at) => there[at] === null);
  if (!last) return undefined;
  const all = kept.filter(({ uid }) => uid === last.uid);
  const { content } = goingOn(lastHeard(fresh, all), all);
  return { content, notice: { words: WORDS, undo: true, closed: () => forget(shelf, all) } };
}
