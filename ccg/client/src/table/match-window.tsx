/** The window of what one can do with the match itself: take back, a draw, a pause, standing orders, to give up. */

import type { VNode } from "preact";
import { OFFERS } from "./manners";
import type { TableState } from "./store";
import { useNow } from "./tiles";
import { Window } from "./window";

export function MatchWindow(): VNode {
  const { table, state } = useNow();
  return (
    <Window title="This match">
      <p class="quiet">{aboutWords(state)}</p>
      <div class="window-actions">
        {state.mayOffer.map((what) => (
          <button
            key={what}
            type="button"
            class="button"
            onClick={() => table.manner({ type: "offer", what })}
            data-offer={what}
          >
            {OFFERS[what]}
          </button>
        ))}
        <button type="button" class="button" onClick={() => table.open({ kind: "orders" })}>
          Standing orders …
        </button>
        <button type="button" class="button button-danger" onClick={() => table.open({ kind: "concede" })}>
          Concede …
        </button>
      </div>
    </Window>
  );
}

/** What is to be known of it. Whoever leaves a match with clocks loses it by time, or by being away. */
function aboutWords({ mayOffer, clocks }: TableState): string {
  if (mayOffer.length > 0) return "What is offered holds once everybody else agrees; the match goes on meanwhile.";
  if (clocks) return "Nothing can be offered just now.";
  return "You can leave this page at any time: the match is kept, and waits under My matches.";
}
