/** The sheet of keys. */

import type { VNode } from "preact";
import { Keys, type KeyWords } from "../windows/keys";
import { Window } from "./window";

/** The keys of the builder, as its sheet tells them. */
const KEYS: KeyWords = [
  ["/", "Search"],
  ["↓ ↑", "From the search into the list, and from card to card"],
  ["0 … 4", "Copies of the card in the deck; with Shift, considered ones"],
  ["← →", "One copy less, one more"],
  ["Enter", "One copy more; with Ctrl, one more to consider"],
  ["Space", "The card itself; ↓ ↑ step through the list, Esc closes"],
  ["Delete", "Take the card out"],
  ["Shift F10", "What can be done with the card: the same menu as by right click"],
  ["Ctrl Z", "Undo; with Shift, do it again"],
  ["C, D", "To the cards, to the deck"],
  ["L", "Legality: all reasons"],
  ["H", "A sample hand"],
  ["T", "Try it against the computer, or have it tested"],
  ["I", "Import a list"],
  ["X", "Export the deck as it is now"],
  ["V", "Another deck or version beside this one"],
  ["P", "Publish"],
  ["?", "This list"],
];

export const KeyList = (): VNode => (
  <Window title="Keys">
    <Keys keys={KEYS} />
  </Window>
);
