import { describe, expect, test } from "vitest";
import { aDecision, anEvent, aTable, aView } from "../table/fixtures/small";
import { SETTINGS } from "../table/store";
import { createTable } from "../table/table";
import { eventsOf, type Moment, type Recording, upTo } from "./recording";
import { createReplay, standing } from "./replay";

function moment(place: number): Moment {
  const view = { ...aView(aDecision([])), viewer: null, near: 0 };
  const events = [{ version: place, events: [anEvent(`move ${place}`)] }];
  const table = aTable(place, view, { since: Math.max(0, place - 1), you: null, events });
  return { table, by: place === 0 ? null : 0, does: place === 0 ? "" : "Pass", asked: "", expects: [] };
}

const recording: Recording = { name: "Three passes", seat: 0, moments: [0, 1, 2, 3].map(moment) };

function opened() {
  const sent: unknown[] = [];
  const table = createTable({
    send: (message) => sent.push(message),
    settings: { ...SETTINGS, autoPass: "alone", speed: "off" },
    replay: true,
  });
  table.store.subscribe((state) => {
    if (state.queue.length > 0) table.showFrame();
  });
  let due: (() => void) | null = null;
  const later = (then: () => void) => {
    due = then;
    return () => {
      due = null;
    };
  };
  const replay = createReplay({ table, recording, later });
  table.store.subscribe((state) => {
    if (state.queue.length === 0 && state.version === replay.store.get().place) replay.settled();
  });
  const said = () => table.store.get().log.map((line) => line.event.text);
  return { table, replay, sent, said, pass: () => due?.(), waits: () => due !== null };
}

describe("stepping", () => {
  test("begins at the position, with what happened on the way to it", () => {
    const { table, said } = opened();
    expect(table.store.get().version).toBe(0);
    expect(said()).toEqual(["move 0"]);
  });

  test("forward shows the next position and adds to the log", () => {
    const { table, replay, said } = opened();
    replay.forward();
    expect(table.store.get().version).toBe(1);
    expect(said()).toEqual(["move 0", "move 1"]);
  });

  test("back takes the log back too", () => {
    const { table, replay, said } = opened();
    replay.go(3);
    replay.back();
    expect(table.store.get().version).toBe(2);
    expect(said()).toEqual(["move 0", "move 1", "move 2"]);
  });

  test("stays where it is at either end", () => {
    const { table, replay } = opened();
    replay.back();
    expect(replay.store.get().place).toBe(0);
    replay.go(99);
    replay.forward();
    expect(replay.store.get()).toEqual({ place: 3, playing: false });
    expect(table.store.get().version).toBe(3);
  });

  test("forward after a step back comes to the same table", () => {
    const { table, replay, said } = opened();
    replay.go(2);
    replay.back();
    replay.forward();
    expect(table.store.get().version).toBe(2);
    expect(said()).toEqual(["move 0", "move 1", "move 2"]);
  });
});

describe("by itself", () => {
  test("plays to the end, one move after another, and stops there", () => {
    const { replay, pass, waits } = opened();
    replay.toggle();
    expect(replay.store.get()).toEqual({ place: 1, playing: true });
    pass();
    pass();
    expect(replay.store.get()).toEqual({ place: 3, playing: false });
    expect(waits()).toBe(false);
  });

  test("a step by hand ends it", () => {
    const { replay, waits } = opened();
    replay.toggle();
    replay.back();
    expect(replay.store.get()).toEqual({ place: 0, playing: false });
    expect(waits()).toBe(false);
  });

  test("from the end it begins again", () => {
    const { replay, pass } = opened();
    replay.go(3);
    replay.toggle();
    expect(replay.store.get()).toEqual({ place: 0, playing: true });
    pass();
    expect(replay.store.get().place).toBe(1);
  });

  test("a position with more to read stands longer, but not for ever", () => {
    expect(standing("")).toBeLessThan(standing("Challenge [[seat:1|Ben]] with all there is"));
    expect(standing("x".repeat(10_000))).toBe(standing("x".repeat(9_000)));
  });
});

test("nothing is sent and nothing can be chosen, whatever is clicked", () => {
  const { table, sent } = opened();
  table.pass();
  table.usual();
  table.click("seat:1");
  table.wantWhy();
  expect(sent).toEqual([]);
});

test("a position by itself has all that has happened", () => {
  expect(upTo(recording, 2)?.events.flatMap((one) => one.events.map((event) => event.text))).toEqual([
    "move 0",
    "move 1",
    "move 2",
  ]);
  expect(upTo(recording, 9)).toBeNull();
  expect(recording.moments.slice(1, 2).flatMap(eventsOf)).toHaveLength(1);
});
