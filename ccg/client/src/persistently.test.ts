// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { persistently } from "./persistently";

let tries: number;
let down: boolean;
const load = async (): Promise<string> => {
  tries += 1;
  if (down) throw new TypeError("The line is down.");
  return "here";
};

beforeEach(() => {
  vi.useFakeTimers();
  tries = 0;
  down = true;
});
afterEach(() => vi.useRealTimers());

test("what is there is loaded once", async () => {
  down = false;
  expect(await persistently(load)).toBe("here");
  expect(tries).toBe(1);
});

test("it is tried again, more and more seldom, until it is there", async () => {
  const loaded = persistently(load);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(tries).toBe(3);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(tries).toBeLessThan(20);
  down = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await loaded).toBe("here");
});

test("it is tried at once when the browser is online again", async () => {
  const loaded = persistently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  down = false;
  window.dispatchEvent(new Event("online"));
  expect(await loaded).toBe("here");
});

test("what will never be there is told to who wants it", async () => {
  await expect(persistently(load, () => true)).rejects.toThrow("The line is down.");
});

test("what nobody wants any more is not tried again", async () => {
  const stop = new AbortController();
  const loaded = persistently(load, undefined, stop.signal).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(500);
  stop.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await loaded).toBe("The line is down.");
  expect(tries).toBe(1);
});
