/**
 * Passing for a player who wants that: when, and after how long.
 *
 * That a hand holds nothing to play is nobody else's business. Where the hand decides whether there is anything else to
 * do, a pass comes after a time that is drawn by chance and does not depend on the hand.
 */

import { passesByItself } from "./passing";
import { mayChoose, type TableState } from "./store";

/** So long one sees what it was for. */
const SOON = 600;
/** Between these a pass comes where the hand decides. */
const HIDDEN = { least: 1200, most: 4200 };

/** Decisions whose options come from the hand too, so that having none tells of it. */
const FROM_HAND = new Set(["action", "defend", "effects", "expedite", "resource_card"]);

/** Whether the table passes now without being asked. */
export function passesAlone(state: TableState): boolean {
  // Somebody waits for an answer: that is read first.
  const asked = state.offers.some(({ agreed }) => state.you !== null && !agreed.includes(state.you));
  return (
    !asked &&
    !takenBack(state) &&
    mayChoose(state) &&
    state.view !== null &&
    passesByItself(state.view, state.settings, state.passOrder)
  );
}

/** Whether the table has just been brought back to here, for somebody to choose otherwise: by hand, then. */
const takenBack = ({ log }: TableState): boolean => log.at(-1)?.event.kind === "taken back";

/** How long an automatic pass waits, in milliseconds; `chance` gives a number from 0 to 1. */
export function passWait(state: TableState, chance: () => number): number {
  const kind = state.view?.decision?.kind ?? "";
  if (!FROM_HAND.has(kind) || !isWatched(state)) return SOON;
  return HIDDEN.least + chance() * (HIDDEN.most - HIDDEN.least);
}

/** Whether another person plays who might draw conclusions; that a hand is empty everybody sees anyway. */
function isWatched({ view, people, you }: TableState): boolean {
  const own = view?.players.find((player) => player.seat === you);
  return (own?.hand ?? 0) > 0 && people.some(({ seat, kind }) => kind === "person" && seat !== you);
}
