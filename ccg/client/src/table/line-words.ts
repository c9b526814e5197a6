/** What a page says while the server does not answer: what is kept, and what to do. */

import type { Line } from "./store";

/** So long nothing is said of a choice that is on its way, and so long only that it is. */
export const SENDING = 500;
export const UNANSWERED = 2_000;

/** How long the choice that is on its way has waited for an answer. */
export type Waiting = "no" | "soon" | "long";

interface Trouble {
  line: Line;
  /** Whether a choice is on its way. */
  pending: boolean;
  waiting: Waiting;
  /** What the browser knows: whether there is any network. */
  online: boolean;
}

const STAY = "Leave this page open.";

/** Return what to say of the line to the server; nothing while all is well. */
export function lineWords({ line, pending, waiting, online }: Trouble): string {
  if (!online)
    return `You are offline. ${pending ? "Your choice is kept and sent" : "Nothing is lost: go on"} when you are back. ${STAY}`;
  const kept = pending ? "Your choice is kept and sent then." : "Nothing is lost.";
  if (line === "lost" || line === "connecting") return `The line to the server is down; trying again. ${kept} ${STAY}`;
  if (waiting === "long") return `The server has not answered yet. Your choice is kept and sent again. ${STAY}`;
  return waiting === "soon" ? "Sending …" : "";
}
