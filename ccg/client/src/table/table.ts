/**
 * One table on the page: the state, the actions bound to it, and what has to happen by itself
 * (agreed payments, automatic passes, repeated choices, frames shown one after another).
 */

import type { Step } from "./actions";
import * as actions from "./actions";
import type { Thing } from "./options";
import { createStore, type Dialog, emptyTable, type Settings, type Store, type TableState } from "./store";
import type { ClientMessage, EventView, ServerMessage } from "./types";

export interface Table {
  store: Store<TableState>;
  lineOpened(): void;
  lineLost(retryIn: number): void;
  lineTried(): void;
  lineEnded(why: string): void;
  received(message: ServerMessage): void;
  ticked(): void;
  stage(event: EventView): void;
  showFrame(): void;
  choose(key: string): void;
  click(thing: Thing): void;
  takeBack(): void;
  concede(): void;
  escape(): void;
  pass(): void;
  usual(): void;
  pay(): void;
  otherStacks(): void;
  wantWhy(): void;
  open(dialog: Dialog): void;
  closeDialog(): void;
  closeNotice(): void;
  set(change: Partial<Settings>): void;
}

export interface TableParts {
  send(message: ClientMessage): void;
  settings: Settings;
  save?(settings: Settings): void;
  now?(): number;
  newId?(): string;
  /** How long an automatic pass waits, so that one can see what it was for. */
  passDelay?: number;
}

/** An id no other page uses; `randomUUID` is missing on plain http away from localhost. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Make a table that sends with `parts.send`; the socket and the page call its methods. */
export function createTable(parts: TableParts): Table {
  const store = createStore<TableState>(emptyTable(parts.settings));
  const now = parts.now ?? (() => performance.now());
  const stamp = () => ({ id: (parts.newId ?? freshId)(), now: now() });
  let passing: ReturnType<typeof setTimeout> | null = null;

  const run = (step: Step): void => {
    store.set(step.state);
    for (const message of step.send) parts.send(message);
  };
  const go = (change: (state: TableState) => Step): void => {
    run(change(store.get()));
    if (store.get().payment.length > 0) run(actions.followed(store.get(), stamp()));
    planPass();
  };
  const planPass = (): void => {
    if (passing !== null || !actions.passesAlone(store.get())) return;
    passing = setTimeout(() => {
      passing = null;
      go((state) => actions.passedAlone(state, stamp()));
    }, parts.passDelay ?? 600);
  };

  return {
    store,
    lineOpened: () => go((state) => actions.lineOpened(state, now())),
    lineLost: (retryIn) => go((state) => actions.lineLost(state, now() + retryIn)),
    lineTried: () => go(actions.lineTried),
    lineEnded: (why) => go((state) => actions.lineEnded(state, why)),
    received: (message) => go((state) => actions.messageReceived(state, message)),
    ticked: () => go((state) => actions.clockTicked(state, now())),
    stage: (event) => go((state) => actions.eventStaged(state, event)),
    showFrame: () => go(actions.frameShown),
    choose: (key) => go((state) => actions.optionChosen(state, key, stamp())),
    click: (thing) => go((state) => actions.thingClicked(state, thing, stamp())),
    takeBack: () => go((state) => actions.tookBack(state, stamp())),
    concede: () => go((state) => actions.conceded(state, stamp())),
    escape: () => go((state) => actions.escaped(state, stamp())),
    pass: () => go((state) => actions.passed(state, stamp())),
    usual: () => go((state) => actions.usualDone(state, stamp())),
    pay: () => go((state) => actions.paymentAgreed(state, stamp())),
    otherStacks: () => go(actions.otherStacksWanted),
    wantWhy: () => go(actions.whyWanted),
    open: (dialog) => go((state) => actions.dialogOpened(state, dialog)),
    closeDialog: () => go(actions.dialogClosed),
    closeNotice: () => go(actions.noticeClosed),
    set: (change) => {
      go((state) => actions.settingsChanged(state, change));
      parts.save?.(store.get().settings);
    },
  };
}
