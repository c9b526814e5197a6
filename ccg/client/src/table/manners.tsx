/** What players ask of each other besides playing: offers to be answered, a pause, somebody who is away. */

import type { VNode } from "preact";
import { timeWords, useTime } from "./clock";
import { seatName } from "./seats";
import { useNow } from "./tiles";
import type { Absent, Offered, OfferWhat } from "./types";

/** The buttons with which something is offered. */
export const OFFERS: Record<OfferWhat, string> = {
  draw: "Offer a draw",
  pause: "Offer a pause",
  takeback: "Ask to take back",
};

const OFFERED: Record<OfferWhat, string> = {
  draw: "offers a draw",
  pause: "offers a pause",
  takeback: "asks to take their last move back",
};

const YOURS: Record<OfferWhat, string> = {
  draw: "You have offered a draw.",
  pause: "You have offered a pause.",
  takeback: "You have asked to take your last move back.",
};

/** Over the board, so that nothing on it moves. */
export function Manners(): VNode | null {
  const { state, table, view } = useNow();
  if (state.replay || state.over) return null;
  const seated = view.viewer !== null;
  const paused = state.clocks?.paused === true;
  if (!paused && state.offers.length === 0 && state.absent.length === 0) return null;
  return (
    <div class="manners" role="status">
      {paused && (
        <p class="manner panel">
          <span>The match is paused.</span>
          {seated && (
            <button type="button" class="button button-small" onClick={() => table.manner({ type: "resume" })}>
              Go on
            </button>
          )}
        </p>
      )}
      {state.offers.map((offer) => (
        <Offer offer={offer} key={offer.what} />
      ))}
      {state.absent
        .filter(({ seat }) => seat !== view.viewer)
        .map((absent) => (
          <Away absent={absent} key={absent.seat} />
        ))}
    </div>
  );
}

function Offer({ offer }: { offer: Offered }): VNode {
  const { table, view } = useNow();
  const { what, seat, agreed } = offer;
  const own = seat === view.viewer;
  const answers = view.viewer !== null && !agreed.includes(view.viewer);
  return (
    <p class="manner panel" data-offered={what}>
      <span>{own ? YOURS[what] : `${seatName(view, seat)} ${OFFERED[what]}.`}</span>
      {answers && (
        <button
          type="button"
          class="button button-small button-primary"
          onClick={() => table.manner({ type: "agree", what })}
        >
          Agree
        </button>
      )}
      {(answers || own) && (
        <button type="button" class="button button-small" onClick={() => table.manner({ type: "decline", what })}>
          {own ? "Withdraw" : "Decline"}
        </button>
      )}
    </p>
  );
}

function Away({ absent }: { absent: Absent }): VNode {
  const { state, table, view } = useNow();
  const now = useTime(true);
  const left = Math.max(0, absent.claim_in * 1_000 - Math.max(0, now - state.heardAt));
  const two = view.players.length === 2;
  return (
    <p class="manner panel" data-absent={absent.seat}>
      <span>
        {seatName(view, absent.seat)} is away
        {left > 0 ? `; in ${timeWords(left)} you may ${two ? "claim the match" : "play on without them"}.` : "."}
      </span>
      {view.viewer !== null && left === 0 && (
        <button
          type="button"
          class="button button-small button-primary"
          onClick={() => table.manner({ type: "claim", seat: absent.seat })}
        >
          {two ? "Claim the match" : "Play on without them"}
        </button>
      )}
    </p>
  );
}
