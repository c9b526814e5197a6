// @vitest-environment happy-dom
// A window whose program cannot be loaded while the line is down says so, and is there when the line is back.

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Dialogs } from "./dialogs";

const line = vi.hoisted(() => ({ down: true, open: "import" }));
vi.mock("./context", () => ({
  useBuilder: () => ({ editor: { show: () => undefined } }),
  useEdited: () => ({ dialog: { kind: line.open } }),
}));
const part = (words: string) => {
  if (line.down) throw new TypeError("The line is down.");
  return () => <p>{words}</p>;
};
vi.mock("./import", () => ({
  get Import() {
    return part("Paste a list.");
  },
}));
vi.mock("./export", () => ({
  get Export() {
    return part("Take the list.");
  },
}));

const draw = (open: string): Promise<void> =>
  act(async () => {
    line.open = open;
    render(<Dialogs />, document.body);
  });
/** Seconds within which what could not be loaded is tried again, however the pauses are jittered. */
const LONGEST_PAUSE = 30;
/** Let `seconds` pass. What is imported in them comes in real time, which the clock of this test does not move. */
const passes = (seconds: number): Promise<void> =>
  act(async () => {
    await vi.dynamicImportSettled();
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await vi.dynamicImportSettled();
    }
  });

beforeEach(() => {
  document.body.replaceChildren(); // what another file of tests has left there
  vi.useFakeTimers();
  line.down = true;
});
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
});

test("another window is not the one that was asked for before", async () => {
  await draw("import");
  await passes(5);
  line.down = false;
  await draw("export");
  await passes(LONGEST_PAUSE);
  expect(document.body.textContent).toBe("Take the list.");
});

test("a window says what it waits for, in sight, and comes by itself", async () => {
  await draw("import");
  await passes(5);
  expect(document.querySelector("dialog")?.textContent).toContain("not loaded yet");
  line.down = false;
  await passes(LONGEST_PAUSE);
  expect(document.body.textContent).toBe("Paste a list.");
});
