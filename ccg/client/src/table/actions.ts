/**
 * The functions that change the state of the table.
 *
 * Each takes the state and what happened, and gives the next state with the messages to send. None of
 * them touches the page, the socket or a clock, so each can be tested by calling it.
 */

import type { SetOrder } from "../protocol";
import { passesAlone } from "./auto-pass";
import { chatHandlers } from "./chat-state";
import { choicesOf, clickOn, nextThings, onlyHelpLeft, type Thing, usualChoice } from "./options";
import { isOut } from "./out";
import { orderGoesOn } from "./passing";
import {
  type Dialog,
  type Frame,
  type LogLine,
  mayChoose,
  type Notice,
  type PassOrder,
  type Pending,
  type Settings,
  type TableState,
} from "./store";
import type {
  ClientMessage,
  EventView,
  HeartbeatMessage,
  OfferWhat,
  RefusedMessage,
  Seat,
  ServerMessage,
  TableMessage,
  View,
} from "./types";

export interface Step {
  state: TableState;
  send: ClientMessage[];
}

/** What a choice needs from outside: an id nobody else uses, and the time. */
export interface Stamp {
  id: string;
  now: number;
}

const LOG_LINES = 2000;
const ANSWER_WITHIN = 6000;

const TOO_LATE = "That was meant for an earlier moment; the table has moved on. Nothing was changed.";

const NOT_SENT = "Not connected: this was not sent. Try again in a moment.";
/** Milliseconds after which nobody means any more what they asked for: the table has gone on, or they have left it. */
const STILL_MEANT = 60_000;
const ASK_AGAIN = "Connected again. What you asked for was not sent: ask again.";

/** Refusals of something that was right a moment ago. */
const LATE = new Set(["late", "ahead"]);
/** Refusals that ask for the same again, a little later. */
const AGAIN = new Set(["busy", "too_fast"]);
/** The server cannot reach its database: what was asked stays pending, and the next heartbeat says that it is back. */
const AWAY = "unavailable";
/** An update has ended the match: there is nothing to choose any more, and asking again gives the same answer. */
const OUTDATED = "outdated";

const only = (state: TableState): Step => ({ state, send: [] });

function ask(state: TableState): Step {
  return { state: { ...state, asked: true, whyAsked: null }, send: [{ type: "hello", since: state.received }] };
}

// The line to the server

/** The socket is open: ask for everything since the newest known version, then repeat what was not answered. */
export function lineOpened(state: TableState, now: number, today = Date.now()): Step {
  const { asking } = state;
  const stale = asking !== null && today - asking.at > STILL_MEANT;
  const notice: Notice | null =
    stale || state.notice?.unsent ? { ...state.notice, tone: "info", text: ASK_AGAIN } : state.notice;
  const known = { ...state, line: "open", retryAt: null, notice, asking: stale ? null : asking } as const;
  const { state: next, send } = ask(known);
  if (next.asking) send.push(next.asking.message);
  if (!state.pending) return { state: next, send };
  const pending = { ...state.pending, sentAt: now };
  return { state: { ...next, pending }, send: [...send, messageOf(pending)] };
}

export function lineLost(state: TableState, retryAt: number): Step {
  return only({ ...state, line: "lost", asked: false, retryAt });
}

/** The server has closed the table to this page for good. */
export function lineEnded(state: TableState, why: string): Step {
  return only({ ...state, line: "ended", asked: false, retryAt: null, notice: { tone: "bad", text: why } });
}

export function lineTried(state: TableState): Step {
  return only({ ...state, line: "connecting", retryAt: null });
}

/** Send an unanswered choice again (the id makes that harmless), or ask where the promised table stays. */
export function clockTicked(state: TableState, now: number): Step {
  const { pending } = state;
  if (state.line !== "open" || !pending || now - pending.sentAt < ANSWER_WITHIN) return only(state);
  const again = { ...state, pending: { ...pending, sentAt: now } };
  return pending.accepted === null ? { state: again, send: [messageOf(pending)] } : ask(again);
}

/** The message that sends a choice, the first time and again. */
export function messageOf({ does, id, version, option, byHand }: Pending): ClientMessage {
  if (does === "concede") return { type: "concede", id };
  if (does === "back") return { type: "back", id, version };
  return { type: "choose", id, version, option: option ?? "", ...(!byHand && { by_hand: false }) };
}

/** A choice that something on this page speaks against: forget it, and stay where the table is. */
export function refusedHere(state: TableState): Step {
  return only({ ...state, picked: [], menu: null, payment: [] });
}

// What the server says

/** `now` is when it was heard: clocks are counted down from there. */
export function messageReceived(state: TableState, message: ServerMessage, now = 0): Step {
  switch (message.type) {
    case "table":
      return tableReceived(state, message, now);
    case "accepted":
      if (state.asking?.message.id === message.id) return only({ ...state, asking: null });
      if (state.pending?.id !== message.id) return only(state);
      return only(settle({ ...state, pending: { ...state.pending, accepted: message.version } }));
    case "refused":
      return chatHandlers.loaded?.chatRefused(state, message) ?? refused(state, message);
    case "chat":
      return chatHandlers.loaded?.chatReceived(state, message) ?? only(state);
    case "done":
      return chatHandlers.loaded?.chatDone(state, message.id, message.did) ?? only(state);
    case "orders":
      // Comes unasked too, so it answers only what was asked of orders.
      return only({
        ...state,
        orders: message,
        asking: state.asking?.message.type.includes("order") ? null : state.asking,
      });
    case "why":
      return only({ ...state, why: { version: message.version, uses: message.uses } });
    case "heartbeat":
      return heartbeat(heard(state, message, now), message.version);
    default:
      return only(state);
  }
}

/** A push is a hint: only what follows on what is known is taken; after a gap the client asks again. */
function tableReceived(state: TableState, message: TableMessage, now: number): Step {
  const known = state.received;
  const { you, people, present, rematch } = message;
  const lesson = message.lesson ?? null;
  const beside = {
    clocks: message.clocks ?? null,
    offers: message.offers ?? [],
    mayOffer: message.may_offer ?? [],
    free: message.free ?? [],
  };
  const asked = { ...state, you, people, present, rematch, lesson, ...beside, heardAt: now, asked: false };
  if (known === null) return only(startFrom(asked, message));
  if (message.version < known) return only(state.asked ? startFrom(asked, message) : state);
  if (message.version === known) return only(refreshed(asked, message));
  if (message.since > known) return state.asked ? only(startFrom(asked, message)) : ask(state);
  const news = message.events.filter((one) => one.version > known);
  const lines = logLines(news);
  const frame: Frame = { version: message.version, view: message.view, events: lines.map(({ event }) => event), lines };
  return only({
    ...asked,
    received: message.version,
    queue: [...state.queue, frame],
    over: message.over,
  });
}

/** Take the table as it is, without showing how it came to be. */
function startFrom(state: TableState, message: TableMessage): TableState {
  const held = message.since > 0 ? state.log : [];
  return settle({
    ...state,
    ...shown(state, message.version, message.view, newEvents(state, message)),
    received: message.version,
    queue: [],
    staged: [],
    log: merged(held, logLines(message.events)),
    over: message.over,
    dialog:
      message.over && !state.over && !state.replay
        ? { kind: "over" }
        : goesOut(state, message.view)
          ? { kind: "out" }
          : state.dialog,
  });
}

/** Show a position of a replay at once; `message` has everything that happened up to there. */
export function positionShown(state: TableState, message: TableMessage): Step {
  const { people, present } = message;
  return only(startFrom({ ...state, people, present, log: [] }, message));
}

/** What has happened since the version that is shown. */
const newEvents = ({ version }: TableState, message: TableMessage): EventView[] =>
  message.events.filter((one) => one.version > (version ?? 0)).flatMap(({ events }) => events);

/** The same version again, perhaps for a seat that sees more now: show it, play nothing. */
function refreshed(state: TableState, message: TableMessage): TableState {
  const last = state.queue[state.queue.length - 1];
  if (last) return { ...state, queue: [...state.queue.slice(0, -1), { ...last, view: message.view }] };
  const log = merged(state.log, logLines(message.events));
  return settle({ ...state, log, view: message.view, over: message.over });
}

function logLines(news: TableMessage["events"]): LogLine[] {
  return news.flatMap(({ version, events }) => events.map((event, at) => ({ id: `${version}.${at}`, event })));
}

function merged(held: LogLine[], more: LogLine[]): LogLine[] {
  const ids = new Set(held.map((line) => line.id));
  return [...held, ...more.filter((line) => !ids.has(line.id))].slice(-LOG_LINES);
}

/** What a heartbeat says; it also ends the notice that there are none. */
function heard(state: TableState, message: HeartbeatMessage, now: number): TableState {
  const { present, rematch, onlookers, absent } = message;
  const told = {
    ...state,
    present,
    rematch,
    onlookers,
    absent: absent ?? [],
    notice: state.notice?.passing ? null : state.notice,
  };
  // Clocks of another version are not those of what is shown; the table of that version brings its own.
  return message.version === state.received ? { ...told, clocks: message.clocks ?? null, heardAt: now } : told;
}

function heartbeat(state: TableState, version: number): Step {
  const behind = state.received === null || version > state.received;
  return behind && !state.asked ? ask(state) : only(state);
}

function refused(state: TableState, message: RefusedMessage): Step {
  if (message.code === OUTDATED) return lineEnded({ ...state, pending: null, payment: [] }, message.message);
  if (message.code === "logged_out") return only(state); // the socket closes, and is opened again or not
  const ours = message.id === state.pending?.id;
  if (message.id !== null && message.id === state.asking?.message.id) {
    return only({ ...state, asking: null, notice: { tone: "info", text: message.message } });
  }
  if (message.id !== null && !ours) return only(state);
  // Only a question why not has no id and a version: the answer belongs to a table that has moved on.
  if (message.id === null && LATE.has(message.code)) return heartbeat(state, message.version);
  const text = LATE.has(message.code) ? TOO_LATE : message.message;
  // About no move: in place of a heartbeat, or of the table that was asked for. The next heartbeat asks for that again.
  if (message.code === AWAY || (!ours && AGAIN.has(message.code)))
    return only({ ...state, asked: false, notice: { tone: "bad", text, passing: true } });
  // Not stored, but not turned down either: it stays pending, and the clock repeats it.
  if (ours && AGAIN.has(message.code)) return only({ ...state, notice: { tone: "info", text } });
  const next: TableState = {
    ...state,
    pending: ours ? null : state.pending,
    payment: [],
    notice: { tone: "bad", text },
  };
  return heartbeat(next, message.version);
}

// Showing one frame after another

/** Play out an event of the next frame, before the frame itself is shown. */
export function eventStaged(state: TableState, event: EventView): Step {
  return only({ ...state, staged: [...state.staged, event] });
}

/** Show the next waiting frame. */
export function frameShown(state: TableState): Step {
  const [frame, ...queue] = state.queue;
  if (!frame) return only(state);
  const ended = !state.replay && frame.view.result !== null && state.view?.result === null;
  return only(
    settle({
      ...state,
      ...shown(state, frame.version, frame.view, frame.events),
      queue,
      staged: [],
      log: merged(state.log, frame.lines),
      dialog: ended ? { kind: "over" } : goesOut(state, frame.view) ? { kind: "out" } : state.dialog,
    }),
  );
}

/** Whether this player is out of the game with what is shown next, and was not before. */
const goesOut = ({ replay, view }: TableState, next: View): boolean =>
  !replay && view !== null && !isOut(view) && isOut(next);

function shown(state: TableState, version: number, view: View, events: EventView[]): Partial<TableState> {
  const same = view?.decision?.kind === "payment" && view.decision.seat === state.you;
  const goesOn = isAskedStill(state.view, view);
  return {
    version,
    question: goesOn ? state.question : version,
    view,
    picked: state.replay ? nextThings(view) : [],
    menu: null,
    armed: null,
    passOrder: orderGoesOn(state.passOrder, view, events, state.you) ? state.passOrder : null,
    fresh: goesOn ? state.fresh : state.view !== null && version !== state.version && comesUp(state, view),
    payment: same ? state.payment : [],
    otherStacks: same && state.otherStacks,
    notice: state.notice?.tone === "bad" && state.version === version ? state.notice : null,
  };
}

/** Whether all that is new is that somebody else, who was asked as well, has answered, as about opening hands. */
const isAskedStill = (before: View | null, now: View): boolean =>
  !!before?.decision?.others.length && allBut(before) === allBut(now);

const allBut = ({ decision, ...view }: View): string =>
  JSON.stringify([view, decision?.seat, decision?.kind, decision?.options]);

/**
 * Whether something to press comes up in `view` where a press may be on its way already, meant for what was there
 * before; also after a choice of one's own, which may have been pressed twice. A half-made move can be taken back.
 */
function comesUp({ you, replay }: TableState, { decision, result }: View): boolean {
  const asked = decision !== null && decision.seat === you && !decision.can_take_back;
  return !replay && (asked || result !== null);
}

/** The question has been there for long enough to be seen. */
export function questionSeen(state: TableState): Step {
  return only({ ...state, fresh: false });
}

/** Forget a pending choice once it is accepted and its outcome is shown. */
function settle(state: TableState): TableState {
  const accepted = state.pending?.accepted;
  if (accepted === null || accepted === undefined || state.version === null) return state;
  return state.version >= accepted ? { ...state, pending: null } : state;
}

// What the player does

/**
 * Send a choice. Does nothing unless it is this seat's decision, on the newest version, with none on the way; what the
 * player wants to be asked about is sent the second time.
 */
export function optionChosen(state: TableState, key: string, stamp: Stamp): Step {
  const question = asksAgain(state, key);
  if (mayChoose(state) && question) return only({ ...state, armed: key, notice: { tone: "info", text: question } });
  // Who does something does not want to pass any more.
  const passes = choicesOf(state.view, []).pass?.key === key;
  return chosen(passes ? state : { ...state, passOrder: null }, key, stamp);
}

function chosen(state: TableState, key: string, stamp: Stamp, byHand = true): Step {
  if (!mayChoose(state) || !state.view?.decision?.options.some((option) => option.key === key)) return only(state);
  return sent(state, "choose", key, stamp, byHand);
}

const AGAIN_WORDS: Record<Settings["confirm"][number], string> = {
  pass: "There is still something you could do. The same again, and you pass.",
  challenge: "The same again, and the challenge begins.",
  play: "The same again, and the card is played.",
};

/** What is asked before this option is taken; empty if nothing is, or if it has been asked. */
function asksAgain({ settings, view, armed }: TableState, key: string): string {
  const options = view?.decision?.options ?? [];
  const verb = options.find((option) => option.key === key)?.verb;
  const asked = settings.confirm.find((one) => one === verb);
  if (!asked || armed === key || (asked === "pass" && options.length === 1)) return "";
  return AGAIN_WORDS[asked];
}

export function tookBack(state: TableState, stamp: Stamp): Step {
  if (!mayChoose(state) || !state.view?.decision?.can_take_back) return only(state);
  return sent({ ...state, payment: [] }, "back", null, stamp);
}

/** Ask why not, of the version shown and once; only who has a seat is told. */
export function whyWanted(state: TableState): Step {
  const { you, version, received, line, whyAsked } = state;
  const asks = you !== null && version !== null && version === received && line === "open" && whyAsked !== version;
  return asks ? { state: { ...state, whyAsked: version }, send: [{ type: "why", version }] } : only(state);
}

/** Concede; the page has asked whether it is meant. Allowed at any time, so it waits for no other answer. */
export function conceded(state: TableState, stamp: Stamp): Step {
  if (state.you === null || state.view === null || state.over || isOut(state.view)) {
    return only({ ...state, dialog: null });
  }
  return sent({ ...state, dialog: null, payment: [] }, "concede", null, stamp);
}

/** What is asked of the others at the table, or answered, besides playing. */
export type Manner =
  | { type: "offer"; what: OfferWhat; seat?: Seat }
  | { type: "agree" | "decline"; what: OfferWhat }
  | { type: "resume" }
  | { type: "claim"; seat: Seat }
  | { type: "read_orders" }
  | { type: "drop_order"; number: number }
  | Omit<SetOrder, "id">;

/**
 * Send it, unless the line is known to be down: what is lost on a line that seems to be there is sent once more.
 *
 * `today` is the time of the day, which goes on while the machine sleeps.
 */
export function mannerAsked(state: TableState, manner: Manner, stamp: Stamp, today = Date.now()): Step {
  if (state.you === null || state.over) return only(state);
  if (state.line !== "open") {
    return only({ ...state, notice: { tone: "bad", text: NOT_SENT, unsent: true } });
  }
  const dialog = manner.type.includes("order") ? state.dialog : null;
  // Orders are asked for as the line opens, by nobody's hand.
  const notice = state.notice?.unsent && manner.type !== "read_orders" ? null : state.notice;
  const message = { ...manner, id: stamp.id };
  const mine = { message, at: today };
  // Reading orders takes the place of nothing that is still unanswered.
  const asking = manner.type === "read_orders" ? (state.asking ?? mine) : mine;
  return { state: { ...state, asking, dialog, notice }, send: [message] };
}

function sent(state: TableState, does: Pending["does"], option: string | null, stamp: Stamp, byHand = true): Step {
  const pending = {
    id: stamp.id,
    does,
    option,
    byHand,
    version: state.version ?? 0,
    accepted: null,
    sentAt: stamp.now,
  };
  const next = { ...state, pending, picked: [], menu: null, notice: null, armed: null };
  return { state: next, send: state.line === "open" ? [messageOf(pending)] : [] };
}

/** A click on a thing: choose, or remember it as the first half of a choice. */
export function thingClicked(state: TableState, thing: Thing, stamp: Stamp): Step {
  if (!mayChoose(state) || !state.view) return only(state);
  const click = clickOn(state.view, state.picked, thing);
  if (click.does === "choose") return optionChosen(state, click.option.key, stamp);
  if (click.does === "pick") return only({ ...state, picked: click.picked, menu: click.menu ? thing : null });
  if (click.does === "unpick") return only(unpicked(state));
  return only(state.menu ? { ...state, menu: null, picked: [] } : state);
}

const unpicked = (state: TableState): TableState => ({ ...state, picked: [], menu: null });

/** Escape: close what is open, forget a half-made click, or take back a half-made move; the nearest first. */
export function escaped(state: TableState, stamp: Stamp): Step {
  if (state.dialog) return only({ ...state, dialog: null });
  if (state.picked.length > 0 || state.menu) return only(unpicked(state));
  if (state.otherStacks) return only({ ...state, otherStacks: false });
  if (state.view?.decision?.can_take_back) return tookBack(state, stamp);
  return only({ ...state, notice: null });
}

/** Agree to the proposed payment: its stacks are spent one after another as the table moves on. */
export function paymentAgreed(state: TableState, stamp: Stamp): Step {
  const proposal = state.view?.decision?.proposal ?? [];
  if (!mayChoose(state) || proposal.length === 0) return only(state);
  return followed({ ...state, payment: proposal }, stamp);
}

export function otherStacksWanted(state: TableState): Step {
  return only({ ...state, otherStacks: true, picked: [], menu: null });
}

/** Go on with an agreed payment, if it is still possible as agreed; otherwise leave it to the player. */
export function followed(state: TableState, stamp: Stamp): Step {
  const [next, ...rest] = state.payment;
  if (next === undefined || !mayChoose(state)) return only(state);
  const decision = state.view?.decision;
  const possible = decision?.kind === "payment" && decision.options.some((option) => option.key === next);
  if (!possible) return only({ ...state, payment: [] });
  return optionChosen({ ...state, payment: rest }, next, stamp);
}

/** Pass for a player who wants that: when nothing else is possible, or for a while. */
export function passedAlone(state: TableState, stamp: Stamp): Step {
  const pass = choicesOf(state.view, []).pass;
  if (!pass || !passesAlone(state)) return only(state);
  const why =
    state.view && onlyHelpLeft(state.view)
      ? "all else would only have helped an opponent."
      : "nothing else was possible.";
  const text = state.passOrder ? PASSED[state.passOrder.until] : `Passed for you: ${why}`;
  const step = chosen(state, pass.key, stamp, false);
  const notice: Notice = { tone: "info", text };
  return step.send.length > 0 ? { ...step, state: { ...step.state, notice } } : step;
}

const PASSED: Record<PassOrder["until"], string> = {
  event: "Passed for you, until something happens.",
  phase: "Passed for you, until the end of the phase.",
};

/** Pass for a while from now on, or with null no longer. */
export function passOrdered(state: TableState, until: PassOrder["until"] | null): Step {
  const { view } = state;
  const order = until && view && !view.result ? { until, turn: view.turn, phase: view.phase } : null;
  return only({ ...state, passOrder: order, notice: state.notice?.tone === "info" ? null : state.notice });
}

/** Space: pass. Who is at a card that can be used may have meant to press that: then it is asked once more. */
export function passed(state: TableState, stamp: Stamp, sure = true): Step {
  const pass = choicesOf(state.view, []).pass;
  if (!pass) return only(state);
  if (!sure && mayChoose(state) && state.armed !== pass.key) {
    return only({ ...state, armed: pass.key, notice: { tone: "info", text: SPACE_WORDS } });
  }
  return optionChosen(state, pass.key, stamp);
}

const SPACE_WORDS = "Space passes; Enter uses the card. Space again, and you pass.";

/** Enter: the filled button. */
export function usualDone(state: TableState, stamp: Stamp): Step {
  const usual = usualChoice(state.view, state.picked, state.otherStacks);
  if (!usual) return only(state);
  return usual.does === "pay" ? paymentAgreed(state, stamp) : optionChosen(state, usual.option.key, stamp);
}

export function dialogOpened(state: TableState, dialog: Dialog): Step {
  // A window says what was asked for in it and not sent; another window is about something else.
  return only({ ...state, dialog, menu: null, notice: state.notice?.unsent ? null : state.notice });
}

export function dialogClosed(state: TableState): Step {
  return only({ ...state, dialog: null });
}

export function noticeClosed(state: TableState): Step {
  return only({ ...state, notice: null });
}

export function settingsChanged(state: TableState, change: Partial<Settings>): Step {
  return only({ ...state, settings: { ...state.settings, ...change } });
}
