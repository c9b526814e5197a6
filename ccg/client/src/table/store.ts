/**
 * The state of the table without a page: what the server said, what is on the way, what is half clicked.
 *
 * In three parts, as chessground has it: this state, functions that change it (`actions.ts`), and a
 * renderer (the components). Nothing here knows a rule of the game.
 */

import type { Orders } from "../protocol";
import { type ChatState, NO_CHAT } from "./chat-state";
import type { Thing } from "./options";
import { isOut } from "./out";
import { SETTINGS, type Settings } from "./settings-data";
import type {
  Absent,
  CardId,
  ClientMessage,
  EventView,
  Offered,
  OfferWhat,
  Person,
  PieceId,
  Seat,
  TableClocks,
  UseView,
  View,
} from "./types";

/** The line to the server. `lost` means that the next try is waiting; `ended`, that trying again is of no use. */
export type Line = "connecting" | "open" | "lost" | "ended";

/** A position of the game with what happened on the way to it; shown one after another. */
export interface Frame {
  version: number;
  view: View;
  events: EventView[];
  /** The same events for the log, which must not run ahead of what is shown. */
  lines: LogLine[];
}

export interface LogLine {
  /** Stable over reconnects: version and place in it. */
  id: string;
  event: EventView;
}

/** A choice that has been sent and not been answered; sent again with the same id after a reconnect. */
export interface Pending {
  id: string;
  does: "choose" | "back" | "concede";
  option: string | null;
  /** Whether the player has chosen it, and not this page for them. */
  byHand: boolean;
  version: number;
  /** The version the server gave when it accepted; the table is only right when it has come that far. */
  accepted: number | null;
  sentAt: number;
}

export { SETTINGS, type Settings } from "./settings-data";
export type AutoPass = Settings["autoPass"];
export type Speed = Settings["speed"];

/** Passing for a while: until something happens, or as long as this phase lasts. */
export interface PassOrder {
  until: "event" | "phase";
  /** When it was given: it never outlasts the phase. */
  turn: number;
  phase: string;
}

export interface Notice {
  tone: "info" | "bad";
  text: string;
  /** Gone with the next heartbeat. */
  passing?: true;
  /** Of something that was asked for without a line, and will not be sent by itself. */
  unsent?: true;
}

/** Cards of a player that one may look through; of a hand only what has been revealed. */
export type Pile = "discard" | "removed" | "hand";

/** A card that a finger has opened: what can be done with it is done by a second tap. */
export interface Read {
  card: CardId;
  piece: PieceId | null;
  /** Where it lies, if it can be clicked there. */
  thing: Thing | null;
  /** The one option that it was opened for, where it lies nowhere on the table or was named by a button. */
  option: string | null;
}

export type Dialog =
  | { kind: "shortcuts" }
  | { kind: "concede" }
  | { kind: "settings" }
  | { kind: "match" }
  | { kind: "over" }
  | { kind: "out" }
  | { kind: "log" }
  | { kind: "chat" }
  | { kind: "orders" }
  | ({ kind: "read" } & Read)
  | { kind: "rules"; clause: string | null }
  | { kind: "pile"; seat: Seat; pile: Pile };

export interface TableState {
  line: Line;
  /** When the next try comes, in milliseconds since the page was opened; null when none is waiting. */
  retryAt: number | null;
  you: Seat | null;
  /** The version shown. Choices are made on this one. */
  version: number | null;
  /** The newest version received, shown or still waiting to be shown. */
  received: number | null;
  /** Whether an answer to a hello is on its way. */
  asked: boolean;
  view: View | null;
  over: boolean;
  queue: Frame[];
  /** The events of the next frame that have been played out in the middle of the table so far. */
  staged: EventView[];
  log: LogLine[];
  people: Person[];
  present: Seat[];
  /** How many look on without a seat. */
  onlookers: number;
  /** Id of the rematch, once somebody has asked for one. */
  rematch: string | null;
  /** The clocks as the server last told, null in a match without; and when that was heard. */
  clocks: TableClocks | null;
  heardAt: number;
  /** What players have offered, and what this one may offer. */
  offers: Offered[];
  mayOffer: OfferWhat[];
  /** Seats that somebody else may take. */
  free: Seat[];
  /** Who is away while they must decide, as the last heartbeat said. */
  absent: Absent[];
  /** What was last asked for besides playing and is not answered: its refusal is told, and a new line gets it again. */
  asking: { message: ClientMessage & { id: string }; at: number } | null;
  /** In a lesson: how many of its moves lead to the newest version; null outside of one. */
  lesson: number | null;
  pending: Pending | null;
  /** The version with which the question that is shown came up: others who are asked as well may answer meanwhile. */
  question: number | null;
  /** The question came up so short a while ago that no press can be meant for it yet. */
  fresh: boolean;
  /** What is left of a proposed payment that the player agreed to. */
  payment: string[];
  /** Things clicked so far for an option that names several. */
  picked: Thing[];
  /** The thing a menu is open at. */
  menu: Thing | null;
  /** The player wants to pay otherwise than proposed. */
  otherStacks: boolean;
  notice: Notice | null;
  dialog: Dialog | null;
  /** What this player could do with their cards, and why not, as the server has told of a version. */
  why: { version: number; uses: UseView[] } | null;
  /** The version of which that was last asked. */
  whyAsked: number | null;
  settings: Settings;
  /** What is shown has been played already: nothing can be chosen, and nobody is at the table. */
  replay: boolean;
  /** Passing for a while, if the player wants that. */
  passOrder: PassOrder | null;
  /** The option that the player has been asked about a second time. */
  armed: string | null;
  chat: ChatState;
  /** This player's standing orders, once they have been asked for. */
  orders: Orders | null;
}

/** A table before anything has been heard. */
export function emptyTable(settings: Settings = SETTINGS, replay = false): TableState {
  return {
    line: "connecting",
    retryAt: null,
    you: null,
    version: null,
    received: null,
    asked: false,
    view: null,
    over: false,
    queue: [],
    staged: [],
    log: [],
    people: [],
    present: [],
    onlookers: 0,
    rematch: null,
    clocks: null,
    heardAt: 0,
    offers: [],
    mayOffer: [],
    free: [],
    absent: [],
    asking: null,
    lesson: null,
    pending: null,
    question: null,
    fresh: false,
    payment: [],
    picked: [],
    menu: null,
    otherStacks: false,
    notice: null,
    dialog: null,
    why: null,
    whyAsked: null,
    settings,
    replay,
    passOrder: null,
    armed: null,
    chat: NO_CHAT,
    orders: null,
  };
}

/** Whether this page may choose now: its seat's decision, shown in its newest state, nothing on the way. */
export function mayChoose(state: TableState): boolean {
  const decision = state.view?.decision;
  return (
    !state.replay &&
    decision !== null &&
    decision !== undefined &&
    state.you !== null &&
    decision.seat === state.you &&
    state.line !== "ended" &&
    !state.clocks?.paused &&
    state.version === state.received &&
    state.queue.length === 0 &&
    state.pending === null
  );
}

/** Whether a choice waits for the server: not while an answer that is here, with what came of it, is still played out. */
export function awaitsAnswer({ pending, received }: TableState): boolean {
  if (pending === null) return false;
  return pending.accepted === null || received === null || received < pending.accepted;
}

/** Whether an offer has just been declined, or taken back: the newest line of the log says so. */
export const declinedNow = ({ log }: TableState): boolean =>
  ["declined", "withdrawn"].includes(log.at(-1)?.event.kind ?? "");

/** Whether standing orders have a place at this table: there are some, or another person plays, who may take days. */
export const givesOrders = ({ orders, people, you, over, replay, view }: TableState): boolean =>
  you !== null &&
  !over &&
  !(view && isOut(view)) &&
  !replay &&
  (orders !== null || people.some(({ seat, kind }) => kind === "person" && seat !== you));
