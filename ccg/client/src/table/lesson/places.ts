/** Where on the table the things are that a lesson points at. */

import type { View } from "../types";

const FIXED: Record<string, string> = {
  hand: ".hand",
  prompt: ".prompt",
  gauge: ".gauge",
  middle: ".middle",
};

const OF_PLAYERS: Record<string, (seat: number) => string> = {
  influence: (seat) => `:is(.player-influence, .row-influence):has([data-count="influence:${seat}"])`,
  alert: (seat) => `[data-anchor="alert:${seat}"]`,
  reserve: (seat) => `[data-anchor="reserve:${seat}"]`,
  resources: (seat) => `[data-anchor="resource:${seat}"]`,
};

/** Parts of the table where a card lies, besides the hand; the log and the card that is looked at only show one. */
const LYING = [".fleet", ".middle", ".card-choices"];

/** Return the selector of a place: `hand`, `your alert`, `their influence`, `card BSG1-002`; null for an unknown one. */
function selectorOf(place: string, view: View): string | null {
  if (FIXED[place]) return FIXED[place];
  const [first, rest = ""] = place.split(" ", 2);
  if (first === "card") {
    // Of a card that is held and lies on the table as well, that in the hand is meant: the other may be somebody else's.
    const held = view.players.some(({ seat, hand_cards }) => seat === view.viewer && hand_cards.includes(rest));
    return (held ? [".hand"] : LYING).map((part) => `${part} [data-card="${CSS.escape(rest)}"]`).join(", ");
  }
  const seat =
    first === "your"
      ? view.viewer
      : first === "their"
        ? view.players.find((player) => player.seat !== view.viewer)?.seat
        : null;
  return seat === null || seat === undefined ? null : (OF_PLAYERS[rest]?.(seat) ?? null);
}

/** Find what is to be marked in `root`. */
export function found(root: ParentNode, places: string[], view: View): HTMLElement[] {
  const selectors = places.flatMap((place) => selectorOf(place, view) ?? []);
  return selectors.flatMap((selector) => [...root.querySelectorAll<HTMLElement>(selector)]);
}
