// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, anOption, aTable, aView } from "./fixtures/small";
import * as sounds from "./sounds";
import type { TableClocks, TableMessage } from "./types";

const MINUTE = 60_000;
const view = aView(aDecision([anOption("pass")]));

function clocks(left: number, running = true): TableClocks {
  const seat = { bank: left, vacation: false };
  return {
    tempo: "live 600+10",
    low: MINUTE,
    paused: false,
    resuming: [],
    pause_left: null,
    seats: [
      { ...seat, seat: 0, left, running },
      { ...seat, seat: 1, left: MINUTE / 2, running: !running },
    ],
  };
}

let page: Page;
let time = 0;
const play = vi.spyOn(sounds, "playOnce").mockImplementation(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, "now").mockImplementation(() => time);
  time = 0;
});
afterEach(() => {
  page.close();
  play.mockClear();
  vi.useRealTimers();
});

async function begin(told: TableClocks): Promise<void> {
  page = openPage(view, { clocks: told } as Partial<TableMessage>);
  await vi.dynamicImportSettled();
  await passBy(0);
}

async function passBy(ms: number): Promise<void> {
  time += ms;
  await act(async () => void (await vi.advanceTimersByTimeAsync(Math.max(ms, 300))));
  await vi.dynamicImportSettled();
}

const said = (): string =>
  page
    .all("[data-low-time]")
    .map((one) => one.textContent)
    .join();

describe("a warning as time runs low", () => {
  test("comes at the threshold, in a region that was there before, and goes with the decision", async () => {
    await begin(clocks(MINUTE + 5_000));
    expect(page.find(".manners").getAttribute("role")).toBe("status");
    expect(said()).toBe("");
    await passBy(5_000);
    expect(said()).toBe("Your time is running low: 1:00 left.");
    await passBy(20_000);
    expect(said()).toBe("Your time is running low: 1:00 left.");
    page.hear(aTable(6, view, { clocks: clocks(MINUTE - 1), events: [{ version: 6, events: [] }] }));
    expect(said()).toBe("");
  });

  test("comes once, however often the clock passes it", async () => {
    await begin(clocks(MINUTE));
    expect(said()).not.toBe("");
    page.hear(aTable(6, view, { clocks: clocks(MINUTE + 1_000), events: [{ version: 6, events: [] }] }));
    await passBy(5_000);
    expect(said()).toBe("");
  });

  test("is not of the others' time", async () => {
    await begin(clocks(MINUTE / 2, false));
    await passBy(30_000);
    expect(said()).toBe("");
  });

  test.each(["off", "on"] as const)("sounds only where sounds are on: %s", async (sound) => {
    await begin(clocks(MINUTE + 1_000));
    page.happen((table) => table.set({ sound }));
    await passBy(2_000);
    expect(said()).not.toBe("");
    expect(play.mock.calls).toEqual(sound === "on" ? [["low"]] : []);
  });
});
