/** Which opponents' fleets are open, where there is not room for all. */

import { useState } from "preact/hooks";
import type { PlayerView, Seat, View } from "./types";

export interface Folds {
  isOpen(seat: Seat): boolean;
  toggle(seat: Seat): void;
}

/** Opponents whose fleets matter for what happens now: in the challenge, or with something to choose. */
export function involvedSeats({ challenge, decision }: View, others: PlayerView[]): Set<Seat> {
  const involved = new Set<Seat>();
  if (challenge) involved.add(challenge.challenging);
  if (challenge && challenge.challenged !== null) involved.add(challenge.challenged);
  const named = new Set(decision?.options.flatMap((option) => [option.piece, option.target]) ?? []);
  for (const player of others) {
    const pieces = [...player.alert, ...player.reserve, ...player.stacks, ...player.persistent];
    if (pieces.some((piece) => named.has(piece.id))) involved.add(player.seat);
  }
  return involved;
}

/**
 * The open ones among `others`: all who are `involved`, then those `wanted`, as long as there is room.
 *
 * Who is out of the game has no fleet any more and takes no place.
 */
export function openSeats(others: PlayerView[], involved: Set<Seat>, wanted: Seat[], room: number): Set<Seat> {
  const playing = new Set(others.filter((player) => !player.lost).map((player) => player.seat));
  const first = [...playing].filter((seat) => involved.has(seat));
  const next = wanted.filter((seat) => playing.has(seat) && !involved.has(seat));
  return new Set([...first, ...next.slice(0, Math.max(0, room - first.length))]);
}

/** Whom one wants to see who has chosen nobody: so many of `seats` that with those `involved` there are `usual`. */
export function usualSeats(seats: Seat[], involved: Set<Seat>, usual: number): Seat[] {
  const quiet = seats.filter((seat) => !involved.has(seat));
  return quiet.slice(0, Math.max(0, usual - (seats.length - quiet.length)));
}

/** Whom one wants to see: those one has opened (`kept`) as long as one of them plays; else the usual ones. */
export function wantedSeats(kept: Seat[] | null, others: PlayerView[], involved: Set<Seat>, usual: number): Seat[] {
  const seats = others.filter((player) => !player.lost).map((player) => player.seat);
  const still = kept?.filter((seat) => seats.includes(seat));
  return still && (still.length > 0 || kept?.length === 0) ? still : usualSeats(seats, involved, usual);
}

/**
 * Keep what one opens and folds; whom one opened last comes first. Before one has, as many as `usual` are open, or those who
 * are involved if they are more: on a phone the fleet that matters takes the place of another one.
 */
export function useFolds(view: View, others: PlayerView[], room: number, usual = others.length): Folds {
  const [kept, want] = useState<Seat[] | null>(null);
  const [viewer, seenBy] = useState(view.viewer);
  // In a replay the viewer changes, and with it who are opponents.
  if (viewer !== view.viewer) {
    seenBy(view.viewer);
    want(null);
  }
  const involved = involvedSeats(view, others);
  const wanted = wantedSeats(kept, others, involved, usual);
  const open = openSeats(others, involved, wanted, room);
  const toggle = (seat: Seat): void => {
    const rest = wanted.filter((one) => one !== seat);
    want(open.has(seat) ? rest : [seat, ...rest]);
  };
  return { isOpen: (seat) => open.has(seat), toggle };
}
