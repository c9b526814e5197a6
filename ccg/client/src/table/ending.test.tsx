// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import Ending from "./ending";
import { atTable } from "./fixtures/at-table";
import { aDecision, aPlayer, aView } from "./fixtures/small";

afterEach(() => vi.unstubAllGlobals());

test("nobody has less than no influence in the table of turns, as beside the name", async () => {
  const course = [
    { turn: 0, influence: [10, 12], threat: null, defense: null },
    { turn: 1, influence: [-3, 13], threat: null, defense: null },
  ];
  const ending = { turns: 1, decided: [], course, cards: [] };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(ending))));
  const mount = document.createElement("div");
  const view = aView(aDecision([]), { players: [aPlayer(0), aPlayer(1)] });
  await act(async () => render(atTable(view, <Ending address="/how/" />), mount));
  await vi.waitFor(() => expect(mount.querySelectorAll("tbody tr")).toHaveLength(2));
  const last = [...mount.querySelectorAll("tbody tr:last-child td")].map((cell) => cell.textContent);
  expect(last.slice(0, 2)).toEqual(["0", "13"]);
});

test("what cannot be had while the line is down is shown when it is back", async () => {
  const ending = { turns: 3, decided: [], course: [], cards: [] };
  let down = true;
  vi.stubGlobal("fetch", () =>
    down ? Promise.reject(new TypeError("The line is down.")) : Promise.resolve(new Response(JSON.stringify(ending))),
  );
  const mount = document.createElement("div");
  const view = aView(aDecision([]), { players: [aPlayer(0), aPlayer(1)] });
  await act(async () => render(atTable(view, <Ending address="/how/" />), mount));
  await vi.waitFor(() => expect(mount.textContent).toContain("cannot be shown now"));
  down = false;
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(mount.textContent).toContain("3 turns."));
  render(null, mount);
});

test("what gets no answer is given up and asked for again", async () => {
  vi.useFakeTimers();
  const ending = { turns: 3, decided: [], course: [], cards: [] };
  const ask = vi.fn(async () => new Response(JSON.stringify(ending)));
  ask.mockImplementationOnce(
    (...[, init]: unknown[]) =>
      new Promise((_done, fail) => {
        const { signal } = init as { signal: AbortSignal };
        signal.addEventListener("abort", () => fail(signal.reason));
      }),
  );
  vi.stubGlobal("fetch", ask);
  const mount = document.createElement("div");
  const view = aView(aDecision([]), { players: [aPlayer(0), aPlayer(1)] });
  await act(async () => render(atTable(view, <Ending address="/how/" />), mount));
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(mount.textContent).toContain("3 turns.");
  render(null, mount);
  vi.useRealTimers();
});
