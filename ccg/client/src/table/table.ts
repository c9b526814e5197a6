/**
 * One table on the page: the state, the actions bound to it, and what has to happen by itself
 * (agreed payments, automatic passes, repeated choices, frames shown one after another).
 */

import type { ChatLine } from "../protocol";
import { createStore, type Store } from "../store";
import type { Step } from "./actions";
import * as actions from "./actions";
import { passesAlone, passWait } from "./auto-pass";
import type { Reason } from "./chat";
import type { Thing } from "./options";
import { type Dialog, emptyTable, type PassOrder, type Settings, type TableState } from "./store";
import type { ClientMessage, EventView, ServerMessage, TableMessage } from "./types";

export interface Table {
  store: Store<TableState>;
  lineOpened(): void;
  lineLost(retryIn: number): void;
  lineTried(): void;
  lineEnded(why: string): void;
  received(message: ServerMessage): void;
  /** Show a position of a replay at once, with the whole log up to there. */
  show(message: TableMessage): void;
  ticked(): void;
  stage(event: EventView): void;
  showFrame(): void;
  choose(key: string): void;
  click(thing: Thing): void;
  takeBack(): void;
  concede(): void;
  /** Offer something, answer an offer, end a pause, claim the seat of somebody away. */
  manner(manner: actions.Manner): void;
  escape(): void;
  /** Pass; with `sure` false the first time only says what Space means. */
  pass(sure?: boolean): void;
  usual(): void;
  pay(): void;
  otherStacks(): void;
  wantWhy(): void;
  open(dialog: Dialog): void;
  closeDialog(): void;
  closeNotice(): void;
  set(change: Partial<Settings>): void;
  /** Pass until something happens or the phase ends; with null, no longer. */
  passUntil(until: PassOrder["until"] | null): void;
  /** Ask for lines of the chat: those that are not known yet, or all. */
  readChat(whole: boolean): void;
  say(text: string): void;
  /** Hear nothing of a writer at this table, or again. */
  mute(writer: string, mute: boolean): void;
  blockWriter(line: ChatLine): void;
  reportLine(line: ChatLine, reason: Reason): void;
  /** The lines of the chat have come into sight, or gone. */
  showChat(shown: boolean): void;
}

export interface TableParts {
  send(message: ClientMessage): void;
  settings: Settings;
  save?(settings: Settings): void;
  /** Speaks against a choice when it is made, with or without a line, and says so itself; null lets it pass. */
  guard?(message: ClientMessage): string | null;
  /** For so many milliseconds the buttons of a new question, and keys, do nothing. */
  unseen?: number;
  /** Whether nothing may be passed by itself for now. */
  holds?(): boolean;
  now?(): number;
  newId?(): string;
  /** Gives numbers from 0 to 1 by chance. */
  chance?(): number;
  /** What is shown has been played already. */
  replay?: boolean;
}

/** So long it takes to see that something else is asked, and to hold back a finger. */
const UNSEEN = 400;

type Chat = typeof import("./chat");

/** An id no other page uses; `randomUUID` is missing on plain http away from localhost. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Make a table that sends with `parts.send`; the socket and the page call its methods. */
export function createTable(parts: TableParts): Table {
  const store = createStore<TableState>(emptyTable(parts.settings, parts.replay));
  const now = parts.now ?? (() => performance.now());
  const stamp = () => ({ id: (parts.newId ?? freshId)(), now: now() });
  const unseen = parts.unseen ?? UNSEEN;
  let seeing: { question: number | null; timer: ReturnType<typeof setTimeout> } | null = null;
  let passing: { version: number | null; timer: ReturnType<typeof setTimeout> } | null = null;

  const run = (wanted: Step): void => {
    const { pending } = wanted.state;
    const made = pending !== null && pending.id !== store.get().pending?.id;
    const against = made && (parts.guard?.(actions.messageOf(pending)) ?? null) !== null;
    const step = against ? actions.refusedHere(store.get()) : wanted;
    store.set(step.state);
    for (const message of step.send) parts.send(message);
  };
  const go = (change: (state: TableState) => Step): void => {
    run(change(store.get()));
    if (store.get().payment.length > 0) run(actions.followed(store.get(), stamp()));
    planSight();
    planPass();
  };
  /** The chat is loaded where there is one: its commands do nothing until then. */
  const later = (change: (chat: Chat, state: TableState) => Step): void => {
    void import("./chat").then(
      (chat) => go((state) => change(chat, state)),
      () => undefined, // The line is down; it is asked for again when it opens.
    );
  };
  const planSight = (): void => {
    const { fresh, question } = store.get();
    if (fresh && seeing?.question === question) return;
    if (seeing !== null) clearTimeout(seeing.timer);
    seeing = null;
    if (!fresh) return;
    if (unseen === 0) run(actions.questionSeen(store.get()));
    else seeing = { question, timer: setTimeout(() => go(actions.questionSeen), unseen) };
  };
  const stopPassing = (): void => {
    if (passing !== null) clearTimeout(passing.timer);
    passing = null;
  };
  const planPass = (): void => {
    const state = store.get();
    const passes = !parts.holds?.() && passesAlone(state);
    if (passing !== null && passing.version === state.version && passes) return;
    stopPassing();
    if (!passes) return;
    const pass = (): void => {
      passing = null;
      go((now) => actions.passedAlone(now, stamp()));
    };
    passing = { version: state.version, timer: setTimeout(pass, passWait(state, parts.chance ?? Math.random)) };
  };

  return {
    store,
    lineOpened: () => go((state) => actions.lineOpened(state, now())),
    lineLost: (retryIn) => go((state) => actions.lineLost(state, now() + retryIn)),
    lineTried: () => go(actions.lineTried),
    lineEnded: (why) => go((state) => actions.lineEnded(state, why)),
    received: (message) => go((state) => actions.messageReceived(state, message, now())),
    show: (message) => go((state) => actions.positionShown(state, message)),
    ticked: () => go((state) => actions.clockTicked(state, now())),
    stage: (event) => go((state) => actions.eventStaged(state, event)),
    showFrame: () => go(actions.frameShown),
    choose: (key) => go((state) => actions.optionChosen(state, key, stamp())),
    click: (thing) => go((state) => actions.thingClicked(state, thing, stamp())),
    takeBack: () => go((state) => actions.tookBack(state, stamp())),
    concede: () => go((state) => actions.conceded(state, stamp())),
    manner: (manner) => go((state) => actions.mannerAsked(state, manner, stamp())),
    escape: () => go((state) => actions.escaped(state, stamp())),
    pass: (sure) => go((state) => actions.passed(state, stamp(), sure)),
    usual: () => go((state) => actions.usualDone(state, stamp())),
    pay: () => go((state) => actions.paymentAgreed(state, stamp())),
    otherStacks: () => go(actions.otherStacksWanted),
    wantWhy: () => go(actions.whyWanted),
    open: (dialog) => go((state) => actions.dialogOpened(state, dialog)),
    closeDialog: () => go(actions.dialogClosed),
    closeNotice: () => go(actions.noticeClosed),
    passUntil: (until) => go((state) => actions.passOrdered(state, until)),
    readChat: (whole) => later((chat, state) => chat.chatWanted(state, whole)),
    say: (text) => later((chat, state) => chat.lineSaid(state, text, stamp().id)),
    mute: (writer, mute) => later((chat, state) => chat.writerMuted(state, writer, mute)),
    blockWriter: (line) => later((chat, state) => chat.writerBlocked(state, line, stamp().id)),
    reportLine: (line, reason) => later((chat, state) => chat.lineReported(state, line, reason, stamp().id)),
    showChat: (shown) => later((chat, state) => chat.chatShown(state, shown)),
    set: (change) => {
      go((state) => actions.settingsChanged(state, change));
      parts.save?.(store.get().settings);
    },
  };
}
