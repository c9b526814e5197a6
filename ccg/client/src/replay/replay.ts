/**
 * Where a replay is, and what moves it: a step on is played out as at a table, any other jump is shown at once.
 *
 * Knows no page; the table shows what it is handed, as it would from a socket.
 */

import { plainText } from "../cards";
import { createStore, type Store } from "../store";
import type { Table } from "../table/table";
import { type Recording, upTo } from "./recording";

export interface ReplayState {
  /** How many moves have been made. */
  place: number;
  playing: boolean;
}

export interface Replay {
  store: Store<ReplayState>;
  readonly recording: Recording;
  /** The place after the last move. */
  last: number;
  forward(): void;
  back(): void;
  go(place: number): void;
  /** Play by itself, from the beginning if it is at the end; or stop. */
  toggle(): void;
  /** The table shows what it was handed: go on by itself, if that is wanted. */
  settled(): void;
  /** Show another recording of the same moves, at the same place. */
  swap(recording: Recording): void;
}

export interface ReplayParts {
  table: Pick<Table, "received" | "show">;
  recording: Recording;
  /** Calls back after so many milliseconds; gives what ends that. */
  later?(then: () => void, milliseconds: number): () => void;
  /** How long positions stand, as a share of the usual time. */
  pace?(): number;
}

const LOOK = 1_500;
const READ = 35;
const LONGEST = 6_000;

/** How long a position stands before the next move when it plays by itself: as long as its words take to read. */
export function standing(words: string): number {
  return Math.min(LONGEST, LOOK + READ * plainText(words).length);
}

const timer = (then: () => void, milliseconds: number): (() => void) => {
  const waiting = setTimeout(then, milliseconds);
  return () => clearTimeout(waiting);
};

/** Begin at the position, on a table that nothing has been shown on. */
export function createReplay({ table, recording, later = timer, pace = () => 1 }: ReplayParts): Replay {
  const store = createStore<ReplayState>({ place: 0, playing: false });
  let shown = recording;
  const last = recording.moments.length - 1;
  let cancel: (() => void) | null = null;

  const stop = (): void => {
    cancel?.();
    cancel = null;
  };
  const move = (to: number, playing: boolean): void => {
    stop();
    const { place } = store.get();
    const target = Math.max(0, Math.min(last, to));
    store.set({ place: target, playing: playing && target < last });
    const next = shown.moments[target];
    if (target === place + 1 && next) table.received(next.table);
    else if (target !== place) showAt(target);
  };
  const showAt = (place: number): void => {
    const message = upTo(shown, place);
    if (message) table.show(message);
  };
  const wait = (): void => {
    stop();
    const { place } = store.get();
    const moment = shown.moments[place];
    const words = [moment?.does ?? "", ...(moment?.expects ?? [])].join(" ");
    cancel = later(() => move(store.get().place + 1, true), standing(words) * pace());
  };
  showAt(0);

  return {
    store,
    get recording() {
      return shown;
    },
    last,
    forward: () => move(store.get().place + 1, false),
    back: () => move(store.get().place - 1, false),
    go: (place) => move(place, false),
    toggle() {
      const { place, playing } = store.get();
      if (playing) {
        stop();
        store.set({ place, playing: false });
      } else if (place === last) {
        move(0, true);
        if (last > 0) wait();
      } else {
        move(place + 1, true);
      }
    },
    swap(other) {
      stop();
      shown = other;
      const { place } = store.get();
      store.set({ place, playing: false });
      showAt(place);
    },
    settled() {
      if (store.get().playing) wait();
    },
  };
}
