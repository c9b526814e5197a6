// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveUpAfter } from "../testing";
import { News } from "./news";
import { startRefreshing } from "./refresh";

const page = (words: string, more = ' data-refresh="2"'): Response =>
  new Response(`<!doctype html><main><div id="found"${more}>${words}</div></main>`);

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="found" data-refresh="2">1 of 3</div>';
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test("a part is replaced until it asks for it no more", async () => {
  const answers = [page("2 of 3"), new Response("", { status: 503 }), page("done", "")];
  const fetching = vi.fn(async () => answers.shift() as Response);
  vi.stubGlobal("fetch", fetching);
  startRefreshing();
  expect(fetching).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toBe("2 of 3");
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent, "an outage changes nothing").toBe("2 of 3");
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toBe("done");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetching).toHaveBeenCalledTimes(3);
});

test("news that could not be looked at are looked at again soon, although the socket is open", async () => {
  const waits = vi.spyOn(News.prototype, "wait");
  waits.mockImplementationOnce(async () => undefined).mockImplementation(() => new Promise(() => undefined));
  vi.stubGlobal("WebSocket", class {});
  document.body.innerHTML = '<div id="found" data-refresh="2" data-live="/ws/lobby/">1 of 3</div>';
  const answers = [new Response("", { status: 503 }), page("2 of 3")];
  vi.stubGlobal("fetch", async () => answers.shift() as Response);
  startRefreshing();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(document.body.textContent).toBe("2 of 3");
});

test("a part that has not changed keeps the focus", async () => {
  document.body.innerHTML = '<div id="found" data-refresh="2"><button>Begin</button></div>';
  const button = document.querySelector("button") as HTMLButtonElement;
  button.focus();
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => page("<button>Begin</button>")),
  );
  startRefreshing();
  await vi.advanceTimersByTimeAsync(4000);
  expect(document.activeElement).toBe(button);
});

test("in a part that has changed, the same button has the focus again", async () => {
  document.body.innerHTML = '<div id="found" data-refresh="2">1 of 3 <button>Go on</button><button>Stop</button></div>';
  document.querySelectorAll("button")[1]?.focus();
  vi.stubGlobal("fetch", async () => page("2 of 3 <button>Stop</button>"));
  startRefreshing();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toBe("2 of 3 Stop");
  expect(document.activeElement).toBe(document.querySelector("button"));
});

test("nothing is replaced while one chooses something in it, and soon afterwards it is", async () => {
  const select = "<select><option>one</option><option>two</option></select>";
  document.body.innerHTML = `<div id="found" data-refresh="2">1 of 3 ${select}</div>`;
  const chosen = document.querySelector("select") as HTMLSelectElement;
  chosen.focus();
  chosen.value = "two";
  vi.stubGlobal("fetch", async () => page(`2 of 3 ${select}`));
  startRefreshing();
  await vi.advanceTimersByTimeAsync(4000);
  expect([chosen.isConnected, chosen.value]).toEqual([true, "two"]);
  chosen.blur();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toContain("2 of 3");
});

test("a server that is away is asked again", async () => {
  const fetching = vi.fn(async () => {
    throw new TypeError("away");
  });
  vi.stubGlobal("fetch", fetching);
  startRefreshing();
  await vi.advanceTimersByTimeAsync(6000);
  expect(fetching).toHaveBeenCalledTimes(3);
  expect(document.body.textContent).toBe("1 of 3");
});

test("a request that is never answered is given up, and the page asked for again", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(giveUpAfter);
  let first = true;
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    if (!first) return Promise.resolve(page("2 of 3"));
    first = false;
    return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
  });
  startRefreshing();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(document.body.textContent).toBe("2 of 3");
});

test("a page that nobody looks at asks for nothing", async () => {
  const fetching = vi.fn(async () => page("2 of 3"));
  vi.stubGlobal("fetch", fetching);
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  startRefreshing();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetching).not.toHaveBeenCalled();
  visibility.mockRestore();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toBe("2 of 3");
});

test("a table that waits leads to its match also where nobody looks at the page: clocks run", async () => {
  document.body.innerHTML = '<div id="found" data-refresh="2" data-refresh-unseen>1 of 2</div>';
  const fetching = vi.fn(async () => page("2 of 2", ""));
  vi.stubGlobal("fetch", fetching);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  startRefreshing();
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.body.textContent).toBe("2 of 2");
});
