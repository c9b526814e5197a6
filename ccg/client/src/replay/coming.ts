/** Loading what a replay cannot be shown without, on a line that may be down: the words on the page say so meanwhile. */

import { NoSuchCatalog } from "../cards/catalog";
import { persistently } from "../persistently";
import { NothingThere } from "./recording";

const COMING =
  "The table is not loaded yet: the line to the server is down or slow. It comes by itself; until then, this is the page in words.";

/** Whether trying again is of no use: the server answers, and has no such thing. */
const isFinal = (error: unknown): boolean => error instanceof NothingThere || error instanceof NoSuchCatalog;

/**
 * Load it, and try again until it is there. `load` asks the server and does nothing else: whatever fails in it counts as
 * a line that is down, and a fault of this program would never be heard of.
 */
export function untilThere<T>(load: () => Promise<T>): Promise<T> {
  const told = (error: unknown): never => {
    if (!isFinal(error)) tellComing();
    throw error;
  };
  return persistently(() => load().catch(told), isFinal);
}

function tellComing(): void {
  if (document.querySelector("[data-coming]")) return;
  const words = document.createElement("p");
  words.dataset.coming = "";
  words.setAttribute("role", "status");
  words.textContent = COMING;
  document.querySelector(".played-words")?.prepend(words);
}

/** Do not say any more that something comes, as it does not. */
export function nothingComes(): void {
  document.querySelector("[data-coming]")?.remove();
}
