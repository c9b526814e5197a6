// @vitest-environment happy-dom

import { expect, test, vi } from "vitest";
import { goOnInPlace, withTheDeck } from "./guest";

type Answer = Pick<Response, "ok" | "type">;

/** A form that was sent; what became of it is in what is returned. */
async function sent(answer: () => Promise<Answer>): Promise<{ replace: unknown[][]; submits: number }> {
  document.body.innerHTML = '<form action="/guest/"><button id="go"></button></form>';
  const form = document.querySelector("form") as HTMLFormElement;
  const replace = vi.fn();
  form.submit = vi.fn();
  goOnInPlace(form, { fetch: answer, replace });
  form.dispatchEvent(new Event("submit", { cancelable: true }));
  await new Promise((resolve) => setTimeout(resolve));
  return { replace: replace.mock.calls, submits: vi.mocked(form.submit).mock.calls.length };
}

test("whoever is let in as a guest gets the same page in its place", async () => {
  const came = await sent(async () => ({ ok: false, type: "opaqueredirect" }));
  expect(came).toEqual({ replace: [[location.href]], submits: 0 });
});

test("what the server does not agree to is sent as a page, which says why", async () => {
  expect(await sent(async () => ({ ok: false, type: "basic" }))).toEqual({ replace: [], submits: 1 });
  expect(await sent(() => Promise.reject(new Error("offline")))).toEqual({ replace: [], submits: 1 });
});

test.each([
  { kept: true, saved: false, asked: 0, comes: 1, what: "at once where the browser keeps the deck" },
  { kept: false, saved: true, asked: 1, comes: 1, what: "once the server has the deck" },
  { kept: false, saved: false, asked: 1, comes: 0, what: "not where nobody but the page has the deck" },
])("the page comes anew $what", async ({ kept, saved, asked, comes }) => {
  const [refresh, flush, anew] = [vi.fn(async () => undefined), vi.fn(async () => saved), vi.fn()];
  await withTheDeck({ state: { get: () => ({ kept }) }, refresh, flush }, anew);
  expect([refresh.mock.calls.length, flush.mock.calls.length, anew.mock.calls.length]).toEqual([asked, asked, comes]);
});
