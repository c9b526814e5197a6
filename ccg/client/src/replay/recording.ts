/** What `/rules/played/…/positions.json` answers: every position of a scenario as a message of the table. */

import type { EventView, Seat, ServerMessage, TableMessage } from "../table/types";
import { whole } from "../table/whole";

/** A position, and the move that led to it. */
export interface Moment {
  table: TableMessage;
  /** Who made the move; null for the position at the beginning. */
  by: Seat | null;
  /** The option that was taken, as marked text. */
  does: string;
  /** What they were asked, where the answer says little without it. */
  asked: string;
  /** What is expected of the position, in sentences. */
  expects: string[];
  /** What came of the move, where it is not known what was chosen. */
  told?: string;
}

/** A turn, and the move after which it has begun. */
export interface Turn {
  turn: number;
  move: number;
}

export interface Recording {
  name: string;
  /** Whose fleet lies at the near side. */
  seat: Seat;
  moments: Moment[];
  turns?: Turn[];
}

/** Fill in what was left out, as the socket's messages are filled in, and say who is at the near side. */
export function wholeRecording({ name, seat, moments }: Recording): Recording {
  const filled = moments.map((moment) => {
    const table = whole("table", moment.table) as ServerMessage as TableMessage;
    return { ...moment, table: { ...table, view: { ...table.view, near: seat } } };
  });
  return { name, seat, moments: filled };
}

/** Milliseconds for an answer, also for a long match on a slow line: on a bad one a request may hang for ever. */
const PATIENCE = 120_000;

/** The server answers, and has nothing to show at this address. */
export class NothingThere extends Error {}

/** The JSON at `address`; rejects with a NothingThere where there is none, with another Error where it may come later. */
export async function fetched<T>(address: string): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(address, { headers: { Accept: "application/json" }, signal });
  if (response.ok) return (await response.json()) as T;
  const words = `${response.status} for ${address}`;
  throw response.status === 429 || response.status >= 500 ? new Error(words) : new NothingThere(words);
}

/** The position at `place` as a message that shows it by itself, with everything that has happened so far. */
export function upTo({ moments }: Recording, place: number): TableMessage | null {
  const moment = moments[place];
  if (!moment) return null;
  const events = moments.slice(0, place + 1).flatMap((one) => one.table.events);
  return { ...moment.table, since: 0, events };
}

/** What happened with the move to `place`. */
export const eventsOf = (moment: Moment): EventView[] => moment.table.events.flatMap((one) => one.events);
