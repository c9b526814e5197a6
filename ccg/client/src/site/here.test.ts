// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveUpAfter } from "../testing";
import { startWaiting } from "./here";

const answer = (state: string, table: string | null = null, words = ""): Response =>
  new Response(JSON.stringify({ state, table, words }));

beforeEach(() => {
  vi.useFakeTimers();
  history.replaceState(null, "", "/play/queue/"); // tests of other files may have gone elsewhere
  sessionStorage.clear();
  document.body.innerHTML = `<div data-here="/here/" data-here-seconds="2"><p data-here-words>0:00</p>
    <form><input name="csrfmiddlewaretoken" value="secret"></form></div>`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

function waiting(answers: (Response | Error)[]): { went: string[]; sent: string[] } {
  const went: string[] = [];
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    sent.push(`${address} ${init.body}`);
    const next = answers.shift() ?? new Response("", { status: 503 });
    if (next instanceof Error) throw next;
    return next;
  });
  startWaiting(document, (address) => went.push(address));
  return { went, sent };
}

test("the page tells that it waits, through an outage, until there is a table", async () => {
  const away = new TypeError("away");
  const { went, sent } = waiting([answer("waiting", null, "0:02"), away, answer("paired", "/table/x/")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(document.querySelector("[data-here-words]")?.textContent).toBe("0:02");
  await vi.advanceTimersByTimeAsync(2000);
  expect(went).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(went).toEqual(["/table/x/"]);
  expect(sent[0]).toBe("/here/ csrfmiddlewaretoken=secret&hidden=no");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
});

test("who waits is told that the site cannot be reached, and how it stands when it is again", async () => {
  const away = new TypeError("away");
  waiting([answer("waiting", null, "0:02"), away, away, answer("waiting", null, "0:08")]);
  const told = () => document.querySelector("[data-here-words]")?.textContent ?? "";
  await vi.advanceTimersByTimeAsync(2000);
  expect(told(), "one lost answer is nothing to tell").toBe("0:02");
  await vi.advanceTimersByTimeAsync(2000);
  expect(told()).toContain("cannot be reached");
  await vi.advanceTimersByTimeAsync(2000);
  expect(told()).toBe("0:08");
});

test("a request that is never answered is given up: the site is told again that somebody waits", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(giveUpAfter);
  const asked: number[] = [];
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    asked.push(Date.now());
    return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
  });
  startWaiting(document, () => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBeGreaterThan(3);
});

test("who was signed out or in elsewhere sees the page as it is now, and is not told that the site is away", async () => {
  const { went, sent } = waiting([new Response("", { status: 403 })]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([went, sent.length]).toEqual([[document.location.href], 1]);
});

test("the page as it is now is loaded, wherever on it somebody has gone", async () => {
  history.replaceState(null, "", "#main");
  const { went } = waiting([answer("none")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(went[0]).not.toContain("#");
});

test("who is not waited for any more sees the page as it is now", async () => {
  const { went } = waiting([answer("none")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toEqual([document.location.href]);
});

test("a page that is refused again as soon as it is loaded anew says so, and does not go round in a loop", async () => {
  const proxy = { status: 403 };
  const { went } = waiting([new Response("", proxy)]);
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toHaveLength(1);
  const anew = waiting([new Response("", proxy), new Response("", proxy), answer("waiting", null, "0:02")]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(anew.went).toEqual([]);
  expect(document.querySelector("[data-here-words]")?.textContent).toContain("not waiting just now");
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.querySelector("[data-here-words]")?.textContent).toBe("0:02");
});

test("a clock that was set back keeps no page from being loaded anew", async () => {
  sessionStorage.setItem("here-anew", String(Date.now() + 3_600_000));
  const { went } = waiting([answer("none")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toHaveLength(1);
});

test("a page that is refused later is loaded anew again", async () => {
  expect(waiting([answer("none")]).went).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(0);
  const { went } = waiting([...Array.from({ length: 45 }, () => answer("waiting")), answer("none")]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(went).toHaveLength(1);
});

const refuses = (): never => {
  throw new DOMException("It keeps nothing.");
};

test.each([
  ["has no store", refuses],
  ["writes nothing", () => ({ getItem: () => null, setItem: refuses }) as unknown as Storage],
])("a browser that %s loads a page anew once it has been open for a minute, and no sooner", async (_, store) => {
  vi.spyOn(window, "sessionStorage", "get").mockImplementation(store);
  vi.spyOn(performance, "now").mockReturnValueOnce(59_000).mockReturnValueOnce(61_000);
  const { went } = waiting([answer("none"), answer("none")]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(went).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(went).toHaveLength(1);
});
