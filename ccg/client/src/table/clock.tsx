/** The clock of a seat: what the server last told, counted down here until it tells again. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../cards";
import type { TableState } from "./store";
import { useNow } from "./tiles";
import type { Seat } from "./types";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds that `seat` has left at `now`, never less than none; null in a match without clocks. */
export function timeLeft({ clocks, heardAt }: TableState, seat: Seat, now: number): number | null {
  const clock = clocks?.seats.find((one) => one.seat === seat);
  if (!clock) return null;
  return Math.max(0, clock.left - (clock.running ? Math.max(0, now - heardAt) : 0));
}

/** A time as it is read: minutes and seconds, or hours, or days for what is far away. */
export function timeWords(left: number): string {
  if (left >= 2 * DAY) return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
  const minutes = Math.floor((left % HOUR) / MINUTE);
  if (left >= 10 * HOUR) return `${Math.floor(left / HOUR)} h ${minutes} min`;
  const seconds = String(Math.floor((left % MINUTE) / SECOND)).padStart(2, "0");
  const hours = Math.floor(left / HOUR);
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

/** The present time, as long as somebody has to look at it. */
export function useTime(runs: boolean): number {
  const [now, set] = useState(() => performance.now());
  useEffect(() => {
    if (!runs) return undefined;
    set(performance.now());
    const timer = setInterval(() => set(performance.now()), SECOND / 4);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}

/**
 * What `seat` has left, nothing for who is out of the game. Who is short of time has a sign for it beside the double
 * frame, and it is said.
 */
export function SeatClock({ seat }: { seat: Seat }): VNode | null {
  const { state, view } = useNow();
  const clock = state.clocks?.seats.find((one) => one.seat === seat);
  const runs = clock?.running === true && !state.over;
  const now = useTime(runs);
  const left = timeLeft(state, seat, Math.max(now, state.heardAt));
  const out = view.players.some((player) => player.seat === seat && player.lost);
  if (!state.clocks || left === null || out || state.replay || state.over) return null;
  const low = runs && left <= state.clocks.low;
  const words = timeWords(left);
  return (
    <span
      class={`clock ${runs ? "is-running" : ""} ${low ? "is-low" : ""}`}
      role="timer"
      aria-label={`Time left: ${words}${low ? ", running low" : ""}${state.clocks.paused ? ", paused" : ""}${clock?.vacation ? ", on vacation" : ""}`}
      title={clock?.vacation ? `Time left: ${words}` : undefined}
      data-clock={seat}
    >
      {low && <Icon name="warn" size={13} />}
      <b aria-hidden="true">{clock?.vacation ? "on vacation" : words}</b>
    </span>
  );
}
