/** Being out of the game while others play on, as happens at tables of three and more. */

import type { TableState } from "./store";
import type { View } from "./types";

/** Whether the viewer had a part in the game that goes on, and has none any more. */
export const isOut = (view: View): boolean =>
  view.result === null && view.players.some(({ seat, lost }) => lost && seat === view.viewer);

/** What the log tells of somebody who leaves the game otherwise than by losing all influence. */
const LEFT: Record<string, string> = {
  concede: "you have conceded",
  "out of time": "your time has run out",
  absent: "you were away for too long",
};

/** Why the viewer is out, to follow "You are out of the game:". */
export function outWords({ view, log }: Pick<TableState, "view" | "log">): string {
  const left = log.findLast(({ event }) => event.player === view?.viewer && event.kind in LEFT);
  return (left && LEFT[left.event.kind]) ?? "you have no influence left";
}
