/** Windows that are seldom opened: conceding, and what lies in a pile. */

import type { VNode } from "preact";
import { CardLine } from "../cards";
import type { Links } from "./dialogs";
import { outWords } from "./out";
import type { Pile } from "./store";
import { useNow } from "./tiles";
import type { Seat } from "./types";
import { Window } from "./window";

export function ConcedeDialog({ rated }: { rated: boolean }): VNode {
  const { table } = useNow();
  return (
    <Window title="Concede?">
      <p>
        You lose and leave the game. {rated && "The match is rated: your rating goes down. "}This cannot be taken back.
      </p>
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.closeDialog()}>
          Play on
        </button>
        <button type="button" class="button button-danger" onClick={() => table.concede()}>
          Concede
        </button>
      </div>
    </Window>
  );
}

/** Said once to who is out of the game while others play on. */
export function OutWindow({ links }: { links: Links }): VNode {
  const { state, table } = useNow();
  return (
    <Window title="You are out of the game" class="window-out" opensItself>
      <p>You have lost: {outWords(state)}. The others play on.</p>
      <p>You can look on, or begin another match. The replay of this one is there when it is over.</p>
      <div class="window-actions">
        <a class="button" href={links.again}>
          New match
        </a>
        <button type="button" class="button button-primary" onClick={() => table.closeDialog()}>
          Look on
        </button>
      </div>
    </Window>
  );
}

const PILES: Record<Pile, string> = {
  discard: "discard pile, top card first",
  removed: "removed cards",
  hand: "hand, as far as it is known",
};

export function PileDialog({ seat, pile }: { seat: Seat; pile: Pile }): VNode {
  const { view } = useNow();
  const player = view.players.find((one) => one.seat === seat);
  const cards = [...((pile === "hand" ? player?.hand_cards : player?.[pile]) ?? [])].reverse();
  const owner = seat === view.viewer ? "Your" : `${player?.name}’s`;
  return (
    <Window title={`${owner} ${PILES[pile]}`} class="is-wide">
      {cards.length === 0 && <p>It is empty.</p>}
      <ol class="pile">
        {cards.map((card, place) => (
          <li key={place}>
            <CardLine card={card} />
          </li>
        ))}
      </ol>
    </Window>
  );
}
