/** Who won, in words, and where to go on from there. Loaded at the end of a match. */

import type { VNode } from "preact";
import { seatName } from "./seats";
import { useNow } from "./tiles";
import type { Seat, View } from "./types";

/** The seats of those who drew: nobody won, and they lost together at the end. */
export function drawnSeats(view: View): Seat[] {
  const { result } = view;
  if (!result || result.winners.length > 0) return [];
  return view.players.map((player) => player.seat).filter((seat) => !result.losers.includes(seat));
}

/** Who won and why, in a sentence. */
export function resultWords(view: View): string {
  const { result } = view;
  if (!result) return "";
  const drawn = result.winners.length === 0;
  const seats = drawn ? drawnSeats(view) : result.winners;
  const names = seats.map((seat) => seatName(view, seat, drawn ? "you" : "You"));
  const last = names.pop() ?? "Nobody";
  const who = names.length > 0 ? `${names.join(", ")} and ${last}` : last;
  if (drawn) return `Nobody wins: ${who} draw.`;
  return who === "You" || names.length > 0 ? `${who} win.` : `${who} wins.`;
}

/** The same, of the match that is over at this table. */
export function ResultWords(): VNode {
  return <b>{resultWords(useNow().view)}</b>;
}

/** Where to go on after a match: another one of the same people, or a new one. */
export function NextMatch({ links }: { links: { again: string; rematch: string | null } }): VNode {
  const { state } = useNow();
  return (
    <>
      <a class={`button ${links.rematch ? "" : "button-primary"}`} href={links.again}>
        New match
      </a>
      {links.rematch && (
        <button type="submit" form={links.rematch} class="button button-primary">
          {state.rematch ? "Accept the rematch" : "Play again"}
        </button>
      )}
    </>
  );
}
