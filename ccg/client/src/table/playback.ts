/**
 * Showing what happened, one thing after another: the events of a frame in the middle of the table, then
 * the frame itself with its movement. When more than three frames wait, they are shown at once.
 */

import { type Before, paceOf, playMotion, remember } from "./motion";
import { wantsNoMotion } from "./settings";
import type { Frame, TableState } from "./store";
import type { Table } from "./table";
import type { EventView, Seat } from "./types";

const MANY = 3;
const LONGEST = 4200;
/** After a frame, so that two moves do not run into one. */
const REST = 200;

/** How long an event stands in the middle, in milliseconds at usual speed; 0 for not at all. */
export function stagingTime(event: EventView, you: Seat | null): number {
  const own = event.player === you && you !== null;
  switch (event.kind) {
    case "mystic":
      return 850;
    case "totals":
      return 700;
    case "wins":
      return 800;
    case "play":
    case "resolve":
    case "use":
      return own ? 0 : 1000;
    case "trigger":
    case "red":
    case "reveal":
      return 800;
    case "discard":
    case "search":
      return own ? 0 : 500;
    case "threat":
      return 350;
    case "attack":
    case "jump":
      return 1000;
    case "lose influence":
    case "gain":
      return 600;
    case "asset":
    case "decline":
      return own ? 0 : 450;
    default:
      return 0;
  }
}

export interface Part {
  event: EventView;
  time: number;
}

/** The events of a frame that are worth showing, with their times; shortened as a whole if they are many. */
export function partsOf(frame: Frame, you: Seat | null, pace: number): Part[] {
  const parts = frame.events
    .map((event) => ({ event, time: stagingTime(event, you) * pace }))
    .filter(({ time }) => time > 0);
  const whole = parts.reduce((sum, { time }) => sum + time, 0);
  const squeeze = whole > LONGEST * pace ? (LONGEST * pace) / whole : 1;
  return parts.map(({ event, time }) => ({ event, time: time * squeeze }));
}

export interface PlaybackParts {
  table: Table;
  /** The element that holds the table, once it is drawn. */
  root(): HTMLElement | null;
  wait?(milliseconds: number): Promise<void>;
  /** Calls back once the page shows the newest state. */
  drawn?(then: () => void): void;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const afterDrawing = (then: () => void): void => {
  requestAnimationFrame(() => then());
};

/** Play frames as they come, until the returned function is called. `skip` ends the pause that is on now. */
export function startPlayback({ table, root, wait = sleep, drawn = afterDrawing }: PlaybackParts): {
  stop(): void;
  skip(): void;
} {
  let playing = false;
  let stopped = false;
  let hurry: (() => void) | null = null;

  const pace = (state: TableState): number => {
    const still = wantsNoMotion() || document.visibilityState === "hidden" || state.queue.length > MANY;
    return still ? 0 : paceOf(state.settings.speed);
  };
  const pause = (milliseconds: number): Promise<void> =>
    Promise.race([
      wait(milliseconds),
      new Promise<void>((done) => {
        hurry = done;
      }),
    ]);

  const playOne = async (frame: Frame): Promise<void> => {
    const speed = pace(table.store.get());
    if (speed > 0) {
      for (const { event, time } of partsOf(frame, table.store.get().you, speed)) {
        if (table.store.get().queue[0] !== frame) return;
        table.stage(event);
        await pause(time);
      }
    }
    if (table.store.get().queue[0] !== frame) return;
    const element = root();
    const before: Before | null = element && remember(element);
    table.showFrame();
    if (element && before) drawn(() => playMotion(element, before, frame.events, speed));
    if (speed > 0 && table.store.get().queue.length > 0) await pause(REST * speed);
  };
  const play = async (): Promise<void> => {
    if (playing) return;
    playing = true;
    try {
      let frame = table.store.get().queue[0];
      while (frame && !stopped) {
        await playOne(frame);
        frame = table.store.get().queue[0];
      }
    } finally {
      playing = false; // Whatever fails in showing one frame, the next one begins anew.
    }
  };
  const unsubscribe = table.store.subscribe((state) => {
    if (state.queue.length > 0) void play().catch(console.error);
  });
  return {
    stop() {
      stopped = true;
      unsubscribe();
    },
    skip() {
      hurry?.();
    },
  };
}
