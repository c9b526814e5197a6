// @vitest-environment happy-dom
// A part of the table that cannot be loaded while the line is down comes by itself when it is back.

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Lazy, lazily } from "./lazily";

let mount: HTMLElement;
let tries: number;
let down: boolean;
let Part: Lazy<object>;

beforeEach(() => {
  vi.useFakeTimers();
  mount = document.createElement("div");
  tries = 0;
  down = true;
  Part = lazily(async () => {
    tries += 1;
    if (down) throw new Error("The line is down.");
    return () => <p>Here it is.</p>;
  });
});
afterEach(() => {
  render(null, mount);
  vi.useRealTimers();
});

const passes = (time: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(time)));

test("what was asked for is not asked for again after it was put away", async () => {
  await act(async () => render(<Part />, mount));
  await act(async () => render(null, mount));
  await passes(60_000);
  expect(tries).toBe(1);
});

test("what is asked for while the line is down is shown once it is back, without asking anew", async () => {
  await act(async () => render(<Part />, mount));
  await passes(10_000);
  expect(mount.textContent).toBe("");
  down = false;
  await passes(20_000);
  expect(mount.textContent).toBe("Here it is.");
});

test("it is shown at once when the browser is online again", async () => {
  await act(async () => render(<Part />, mount));
  await passes(60_000);
  down = false;
  window.dispatchEvent(new Event("online"));
  await passes(0);
  expect(mount.textContent).toBe("Here it is.");
});
