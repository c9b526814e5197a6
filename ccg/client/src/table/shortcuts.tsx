/** The sheet of keys, of a table and of a match that is looked at again. */

import type { VNode } from "preact";
import { Keys, type KeyWords } from "../windows/keys";
import { useNow } from "./tiles";
import { Window } from "./window";

const KEYS: KeyWords = [
  ["1 … 9", "Choose by the number that the button or the list shows"],
  ["Enter", "On a card what a click would do, everywhere else the filled button"],
  ["Space", "Pass, or decline; on a card that can be used, only the second time"],
  ["Esc", "Forget the half-made choice, take back the half-made move, close what is open"],
  ["← ↑ ↓ →", "Go from card to card"],
  ["Tab", "Go through everything in order"],
  ["C", "List all choices"],
  ["L", "Go to the log, which ↑ ↓ scroll then; Esc goes back to what is asked"],
  ["U", "Pass until something happens; again: no longer"],
  ["E", "Pass until the end of the phase; again: no longer"],
  ["O", "Standing orders: what is to be answered for you"],
  ["R", "The rules, with those of this phase on top"],
  ["?", "This list"],
];

const REPLAY_KEYS: KeyWords = [
  ["← →", "Step back, step forward"],
  ["Home End", "To the beginning, to the end"],
  ["Space", "Play by itself, or stop"],
  ["↑ ↓", "Go from card to card"],
  ["Tab", "Go through everything in order"],
  ["L", "Go to the log; Esc goes back"],
  ["?", "This list"],
];

export function Shortcuts(): VNode {
  const { state } = useNow();
  return (
    <Window title="Keys">
      <Keys keys={state.replay ? REPLAY_KEYS : KEYS} />
    </Window>
  );
}
