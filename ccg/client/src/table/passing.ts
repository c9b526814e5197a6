/**
 * When the table passes for its player: always when nothing else is possible, if they want that; and for a while, until
 * something happens or the phase ends. Where they always want to stop, or where it costs influence, it never does.
 */

import { choicesOf, onlyPassLeft } from "./options";
import type { PassOrder, Settings } from "./store";
import type { EventView, Seat, View } from "./types";

/** Decisions in which to pass for a while loses nothing but the occasion. */
const HARMLESS = new Set(["action", "effects", "reorder", "react", "expedite"]);

/** Decisions in which to pass costs influence: that is read and agreed to, also where nothing else is possible. */
const COSTLY = new Set(["defend", "cylon"]);

/** What somebody else does. */
const DOINGS = new Set(["play", "resolve", "use", "boost", "challenge", "concede"]);
/** What happens, whoever did it. */
const HAPPENINGS = new Set([
  "trigger",
  "red",
  "attack",
  "jump",
  "threat",
  "defeat",
  "sacrifice",
  "gain",
  "lose influence",
  "lose",
]);

/** Whether to pass now without asking; the decision is known to be this player's. */
export function passesByItself(view: View, settings: Settings, order: PassOrder | null): boolean {
  const kind = view.decision?.kind ?? "";
  if (COSTLY.has(kind) || settings.stops.some((stop) => stop === kind)) return false;
  if (settings.autoPass === "alone" && onlyPassLeft(view)) return true;
  return order !== null && HARMLESS.has(kind) && choicesOf(view, []).pass !== null;
}

/** Whether an order to pass for a while still holds after these events. */
export function orderGoesOn(order: PassOrder | null, view: View, events: EventView[], you: Seat | null): boolean {
  if (!order || view.result || view.turn !== order.turn || view.phase !== order.phase) return false;
  const happened = (event: EventView): boolean =>
    HAPPENINGS.has(event.kind) || (DOINGS.has(event.kind) && event.player !== you);
  return order.until === "phase" || !events.some(happened);
}
