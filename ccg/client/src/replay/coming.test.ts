// @vitest-environment happy-dom
// What a replay cannot be shown without is asked for until it is there; a fault of the page is none of the line.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { start } from "./main";

let asked: string[];
let down: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  down = false;
  document.body.innerHTML = '<div class="played-words"></div><div id="shown" data-positions="/positions/"></div>';
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    if (down) throw new TypeError("The line is down.");
    return new Response(address === "/positions/" ? "{}" : '{ "version": "1", "cards": {} }');
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const begun = (): Promise<unknown> =>
  start(document.getElementById("shown") as HTMLElement).then(
    () => null,
    (error: unknown) => error,
  );
const isSaidToCome = (): boolean => document.querySelector("[data-coming]") !== null;

test("positions that cannot be drawn are a fault, and are neither asked for again nor said to come", async () => {
  expect(await begun()).toBeInstanceOf(TypeError);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.filter((address) => address === "/positions/")).toHaveLength(1);
  expect(isSaidToCome()).toBe(false);
});

test("while the line is down the page says so, and asks again", async () => {
  down = true;
  const shown = begun();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isSaidToCome()).toBe(true);
  down = false;
  await vi.advanceTimersByTimeAsync(30_000);
  await shown;
  expect(asked.filter((address) => address === "/positions/").length).toBeGreaterThan(1);
});
