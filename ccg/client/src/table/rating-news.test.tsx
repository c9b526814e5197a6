// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atTable } from "./fixtures/at-table";
import { aDecision, aPlayer, aView } from "./fixtures/small";
import RatingNews from "./rating-news";

const json = (body: unknown): Response => new Response(JSON.stringify(body));
const change = { seat: 0, before: 1500, after: 1461, provisional: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function shown(answers: Response[]): Promise<HTMLElement> {
  vi.stubGlobal("fetch", async () => answers.shift() ?? new Response("", { status: 503 }));
  const mount = document.createElement("div");
  const view = aView(aDecision([]), { players: [aPlayer(0), aPlayer(1)] });
  await act(async () => render(atTable(view, <RatingNews address="/rating/" />), mount));
  await act(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
  return mount;
}

test("a match that is not rated says why", async () => {
  const mount = await shown([json({ rated: false, why: "A guest played.", changes: [] })]);
  expect(mount.textContent).toBe("Not rated. A guest played.");
});

test("a rated match is asked about until it is counted, through an outage", async () => {
  const waiting = json({ rated: true, why: "", changes: [] });
  const mount = await shown([waiting, new Response("", { status: 503 }), json({ rated: true, changes: [change] })]);
  expect(mount.textContent).toContain("You: 1500 → 1461 (−39), provisional");
});

test("where it takes too long, the ladder is named", async () => {
  expect((await shown([])).textContent).toContain("on the ladder");
});

test("ratings that cannot be asked for are not told to be missing, and come when the server is back", async () => {
  const away = Array.from({ length: 17 }, () => new Response("", { status: 503 }));
  const mount = await shown([...away, json({ rated: true, why: "", changes: [change] })]);
  expect(mount.textContent).toContain("cannot be shown now: the server cannot be reached");
  await act(async () => void (await vi.advanceTimersByTimeAsync(10_000)));
  expect(mount.textContent).toContain("You: 1500 → 1461 (−39), provisional");
  render(null, mount);
});

test("a server that does not say is not told to be away, and not asked again", async () => {
  const asked = vi.fn(async () => new Response("", { status: 404 }));
  const mount = await shown([]);
  render(null, mount);
  vi.stubGlobal("fetch", asked);
  const view = aView(aDecision([]), { players: [aPlayer(0), aPlayer(1)] });
  await act(async () => render(atTable(view, <RatingNews address="/rating/" />), mount));
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(mount.textContent).toContain("on the ladder");
  expect(mount.textContent).not.toContain("cannot be reached");
  expect(asked).toHaveBeenCalledOnce();
});
