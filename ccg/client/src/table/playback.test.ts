// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import { anEvent, aTable, aView } from "./fixtures/small";
import { partsOf, startPlayback } from "./playback";
import { SETTINGS } from "./store";
import { createTable } from "./table";
import type { EventView } from "./types";

const view = aView(null);
const mystic = (player: number, number: number): EventView => anEvent("Reveals.", { kind: "mystic", player, number });

let stop = () => {};
afterEach(() => stop());

function begin(speed: "normal" | "off") {
  const table = createTable({ send: () => undefined, settings: { ...SETTINGS, autoPass: "never", speed } });
  const waits: (() => void)[] = [];
  const playback = startPlayback({
    table,
    root: () => null,
    wait: () => new Promise<void>((done) => waits.push(done)),
  });
  stop = playback.stop;
  table.lineOpened();
  table.received(aTable(1, view, { since: 0 }));
  return { table, waits, playback };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe("playing what happened", () => {
  test("shows one event after another, then the table as it is now", async () => {
    const { table, waits } = begin("normal");
    table.received(aTable(2, view, { events: [{ version: 2, events: [mystic(0, 3), mystic(1, 1)] }] }));
    expect(table.store.get()).toMatchObject({ version: 1, staged: [{ number: 3 }] });
    waits[0]?.();
    await settled();
    expect(table.store.get().staged).toHaveLength(2);
    waits[1]?.();
    await settled();
    expect(table.store.get()).toMatchObject({ version: 2, staged: [] });
  });

  test("a click skips the pause", async () => {
    const { table, playback } = begin("normal");
    table.received(aTable(2, view, { events: [{ version: 2, events: [mystic(0, 3)] }] }));
    playback.skip();
    await settled();
    expect(table.store.get().version).toBe(2);
  });

  test("with movement off everything is shown at once", () => {
    const { table } = begin("off");
    table.received(aTable(2, view, { events: [{ version: 2, events: [mystic(0, 3)] }] }));
    expect(table.store.get()).toMatchObject({ version: 2, staged: [] });
  });

  test("a queue that grows long is not played, only shown", async () => {
    const { table, waits } = begin("normal");
    for (const version of [2, 3, 4, 5, 6]) {
      table.received(aTable(version, view, { events: [{ version, events: [mystic(0, version)] }] }));
    }
    waits[0]?.();
    await settled();
    waits[1]?.(); // the rest after a frame that was played
    await settled();
    expect(table.store.get().version).toBe(3);
  });

  test("what fails as one frame is shown does not keep the next ones from being shown", async () => {
    const { table } = begin("off");
    const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const fault = new Error("a fault of what follows the table");
    let fails = true;
    table.store.subscribe(({ version }) => {
      if (version !== 2 || !fails) return;
      fails = false;
      throw fault;
    });
    table.received(aTable(2, view));
    await settled();
    expect(told).toHaveBeenCalledWith(fault);
    told.mockRestore();
    table.received(aTable(3, view));
    await settled();
    expect(table.store.get()).toMatchObject({ version: 3, queue: [] });
  });

  test("a frame that the table has left aside is not shown later", async () => {
    const { table, waits } = begin("normal");
    table.received(aTable(2, view, { events: [{ version: 2, events: [mystic(0, 3)] }] }));
    table.lineLost(0);
    table.lineOpened();
    table.received(aTable(90, view, { since: 60 }));
    waits[0]?.();
    await settled();
    expect(table.store.get().version).toBe(90);
  });
});

test("many events are shortened as a whole", () => {
  const events = Array.from({ length: 20 }, (_, at) => mystic(at % 2, at));
  const parts = partsOf({ version: 2, view, events, lines: [] }, 0, 1);
  expect(Math.round(parts.reduce((sum, part) => sum + part.time, 0))).toBe(4200);
});
