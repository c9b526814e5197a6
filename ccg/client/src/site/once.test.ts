// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HELD_MS, startOnce } from "./once";

beforeAll(() => startOnce());
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
