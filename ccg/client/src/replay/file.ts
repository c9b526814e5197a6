/** What `/api/v1/matches/<id>/replay/` answers (docs/replays.md), and the recording that the table shows of it. */

import type { EventView, Person, Seat, ServerMessage, TableMessage, View } from "../table/types";
import { whole } from "../table/whole";
import { fetched, type Moment, type Recording, type Turn } from "./recording";

export type Sees = "public" | "seat" | "all";

export interface Change {
  at: (string | number)[];
  to?: unknown;
  gone?: boolean;
}

export interface ReplayMove {
  by?: Seat | null;
  option?: string;
  asked?: string;
  does?: string;
  took?: number | null;
  events?: EventView[];
  changes?: Change[];
}

export interface ReplayFile {
  match: string;
  sees: Sees;
  seat: Seat | null;
  may_see_all: boolean;
  players: { seat: Seat; name: string; kind: "person" | "computer"; level: string | null }[];
  turns: Turn[];
  moves: ReplayMove[];
}

/** `value` with `change` made; whatever the change does not touch is shared with `value`, which stays as it is. */
export function changed(value: unknown, { at, to = null, gone = false }: Change): unknown {
  const [key, ...inner] = at;
  if (key === undefined) return to;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  if (gone && inner.length === 0) delete copy[key];
  else copy[key] = changed(copy[key], { at: inner, to, gone });
  return copy;
}

/** Kinds of events that say no more than the move they belong to. */
const UNTOLD = new Set(["event over", "mission over", "challenge over", "threat over", "enter", "phase"]);

/** The recording of a match, as far as `file` tells it. */
export function recordingOf(file: ReplayFile): Recording {
  const people = file.players as Person[];
  const you = file.sees === "seat" ? file.seat : null;
  const near = file.seat ?? 0;
  let plain: unknown = null;
  const moments = file.moves.map((move, version): Moment => {
    for (const change of move.changes ?? []) plain = changed(plain, change);
    const table = whole("table", {
      type: "table",
      match: file.match,
      version,
      since: Math.max(0, version - 1),
      you,
      people,
      view: marked(plain as View, file.moves[version + 1]),
      events: [{ version, events: move.events ?? [] }],
      over: version === file.moves.length - 1,
      present: people.map((person) => person.seat),
      rematch: null,
      lesson: null,
    }) as ServerMessage as TableMessage;
    return {
      table: { ...table, view: { ...table.view, near } },
      by: move.by ?? null,
      does: move.does ?? "",
      asked: move.asked ?? "",
      expects: [],
      told: toldOf(move),
    };
  });
  const name = file.players.map((player) => player.name).join(" vs ");
  return { name, seat: near, moments, turns: file.turns };
}

/** The view before `next`: of its options only the one that is taken, where that is known, so that it is marked. */
function marked(view: View, next: ReplayMove | undefined): View {
  if (!view.decision) return view;
  const options = (view.decision.options ?? []).filter((one) => one.key === next?.option);
  return { ...view, decision: { ...view.decision, options, proposal: [] } };
}

/** What came of a move, for those who were not told what was chosen. */
function toldOf({ does, events = [] }: ReplayMove): string {
  if (does) return "";
  return events.find((event) => event.text && !UNTOLD.has(event.kind))?.text ?? "";
}

/** Load the replay at `address`, as much of it as `sees` says; rejects as {@link fetched} does. */
export const loadReplay = (address: string, sees: Sees | null): Promise<ReplayFile> =>
  fetched<ReplayFile>(sees ? `${address}?sees=${sees}` : address);
