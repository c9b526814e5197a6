import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { patiently } from "./patience";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when its signal says so, and what became of it. */
const until = (signal: AbortSignal): Promise<string> =>
  new Promise((done) => {
    if (signal.aborted) return done("ended at once");
    signal.addEventListener("abort", () => done("ended"));
  });

test("work that is done in time is not ended", async () => {
  expect(await patiently(1_000, new AbortController().signal, async (signal) => signal.aborted)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes too long is ended", async () => {
  const found = patiently(1_000, new AbortController().signal, until);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await found).toBe("ended");
});

test("work is ended from outside, also before it has begun", async () => {
  const stop = new AbortController();
  const found = patiently(1_000, stop.signal, until);
  stop.abort();
  expect(await found).toBe("ended");
  expect(await patiently(1_000, stop.signal, until)).toBe("ended at once");
});
