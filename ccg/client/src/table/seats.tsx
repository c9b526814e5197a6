/** How a seat looks to this viewer: its colour by the way round the table, its mark, its name. */

import type { VNode } from "preact";
import type { TableState } from "./store";
import type { PlayerView, Seat, View } from "./types";

/** 1 for your own seat (or the near one, for those who look on), then round the table to the left. */
export function seatPlace(view: View, seat: Seat): number {
  const count = view.players.length;
  return (((seat - (view.viewer ?? view.near ?? 0)) % count) + count) % count;
}

/** The class that sets `--seat` to the colour of `seat`. */
export const seatClass = (view: View, seat: Seat): string => `seat-${seatPlace(view, seat) + 1}`;

/** "you" for the viewer's own seat, otherwise the name. */
export function seatName(view: View, seat: Seat, you = "you"): string {
  if (seat === view.viewer) return you;
  return view.players.find((player) => player.seat === seat)?.name ?? `seat ${seat + 1}`;
}

/** All seats that must choose now: opening hands are asked of everybody at once. */
export function decidingSeats({ decision }: View): Seat[] {
  return decision ? [decision.seat, ...decision.others] : [];
}

/** Whether an opponent is a person who still plays, and is not at the table. */
export function isAway({ people, present, over }: TableState, view: View, { seat, lost }: PlayerView): boolean {
  const person = people.some((one) => one.seat === seat && one.kind === "person");
  return person && seat !== view.viewer && !lost && !over && !present.includes(seat);
}

/** The last letters of a name, each with its accents. */
const NAME_END = /(?:\P{M}\p{M}*){1,5}$/u;

/**
 * The name of a player, which gives way in its middle where its line is too short: names of guests begin alike, and
 * what tells them apart is their end. Where there is room for two lines it is whole (table.css says where).
 */
export function PlayerName({ name, class: more = "" }: { name: string; class?: string }): VNode {
  const end = NAME_END.exec(name)?.[0] ?? "";
  return (
    <b class={`two-ended ${more}`} title={name} dir="auto">
      <span class="name-begins">{name.slice(0, name.length - end.length)}</span>
      <span class="name-ends">{end}</span>
    </b>
  );
}

const MARKS = [
  "M8 2h8l6 6v8l-6 6H8l-6-6V8z",
  "M12 1 23 12 12 23 1 12z",
  "M12 2.5 23 21.5H1z",
  "M3 3h18v18H3z",
  "M12 2 22.5 9.5 18.5 22h-13L1.5 9.5z",
  "M8 2h8v6h6v8h-6v6H8v-6H2V8h6z",
  "M2 7h20l-10 15z",
  "M6 2h12l5 10-5 10H6L1 12z",
];

/** The mark that goes with the colour of a seat, so that colour never stands alone. */
export function SeatMark({ view, seat, size = 14 }: { view: View; seat: Seat; size?: number }): VNode {
  return (
    <svg
      class={`seat-mark ${seatClass(view, seat)}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={MARKS[seatPlace(view, seat) % MARKS.length]} fill="currentColor" />
    </svg>
  );
}
