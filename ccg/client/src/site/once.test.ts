// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HELD_MS, holdIf, startOnce } from "./once";
import { heldOffline } from "./unsent";

beforeAll(() => {
  startOnce();
  holdIf(heldOffline);
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  document.body.innerHTML =
    '<form method="post" id="copy"><button id="one"></button><button id="other"></button></form><form id="search"></form>';
});
afterEach(() => vi.useRealTimers());

/** Whether the form is sent. */
const send = (id = "copy", submitter: string | null = "one", prevented = false): boolean => {
  const event = new Event("submit", { bubbles: true, cancelable: true });
  Object.assign(event, { submitter: submitter && document.getElementById(submitter) });
  const form = document.getElementById(id) as HTMLFormElement;
  if (prevented) form.addEventListener("submit", (sent) => sent.preventDefault(), { once: true });
  return form.dispatchEvent(event);
};

test("a second click sends nothing, until the answer has been waited for", () => {
  expect([send(), send(), send()]).toEqual([true, false, false]);
  vi.advanceTimersByTime(HELD_MS);
  expect(send()).toBe(true);
});

test("another button of the same form is another matter", () => {
  expect([send(), send("copy", "other")]).toEqual([true, true]);
});

test("a form without a button is sent once, too", () => {
  expect([send("copy", null), send("copy", null)]).toEqual([true, false]);
});

test("a page that is shown again as it was left sends again", () => {
  expect(send()).toBe(true);
  window.dispatchEvent(new Event("pageshow"));
  expect(send()).toBe(true);
});

test("what asks for something is sent as often as one likes, and what a script has taken over does not count", () => {
  expect([send("search", null), send("search", null)]).toEqual([true, true]);
  expect([send("copy", "one", true), send()]).toEqual([false, true]);
});

test("without a line nothing is sent: the page stays as it was typed and says so, until it is sent", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const asked = vi.fn(async () => Promise.reject(new TypeError("The line is down.")));
  vi.stubGlobal("fetch", asked);
  const told = (): string => document.querySelector("[role=alert]")?.textContent ?? "";
  let unsent = 0;
  document.getElementById("copy")?.addEventListener("unsent", () => unsent++);
  expect(send()).toBe(false);
  await vi.waitFor(() => expect(told()).toContain("You are offline"));
  expect([asked.mock.calls.length, unsent]).toEqual([1, 1]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  expect(told()).toContain("online again");
  expect(send()).toBe(true);
  expect(told()).toBe("");
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("where the browser knows of no network and the site can be reached all the same, the form is sent", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response()),
  );
  const form = document.getElementById("copy") as HTMLFormElement;
  const sent: boolean[] = [];
  form.requestSubmit = () => void sent.push(send());
  expect(send()).toBe(false);
  await vi.waitFor(() => expect(sent).toEqual([true]));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
