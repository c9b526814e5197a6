// @vitest-environment happy-dom

import { expect, test, vi } from "vitest";
import { sayUnsent } from "../site/unsent";
import { goOnInPlace, withTheDeck } from "./guest";

type Answer = Pick<Response, "ok" | "type" | "status">;

interface Sent {
  replace: unknown[][];
  submits: number;
  unreached: number;
}

/** A form that was sent; what became of it is in what is returned. */
async function sent(answer: () => Promise<Answer>): Promise<Sent> {
  document.body.innerHTML = '<form action="/guest/"><button id="go"></button></form>';
  const form = document.querySelector("form") as HTMLFormElement;
  const [replace, unreached] = [vi.fn(), vi.fn()];
  form.submit = vi.fn();
  goOnInPlace(form, { fetch: answer, replace, unreached });
  form.dispatchEvent(new Event("submit", { cancelable: true }));
  await new Promise((resolve) => setTimeout(resolve));
  const submits = vi.mocked(form.submit).mock.calls.length;
  return { replace: replace.mock.calls, submits, unreached: unreached.mock.calls.length };
}

test("whoever is let in as a guest gets the same page in its place", async () => {
  const came = await sent(async () => ({ ok: false, type: "opaqueredirect", status: 0 }));
  expect(came).toEqual({ replace: [[location.href]], submits: 0, unreached: 0 });
});

test("what the server does not agree to is sent as a page, which says why", async () => {
  const came = await sent(async () => ({ ok: false, type: "basic", status: 429 }));
  expect(came).toEqual({ replace: [], submits: 1, unreached: 0 });
});

test("where the server cannot be reached the page stays, and says so", async () => {
  const stays: Sent = { replace: [], submits: 0, unreached: 1 };
  expect(await sent(() => Promise.reject(new Error("offline")))).toEqual(stays);
  expect(await sent(async () => ({ ok: false, type: "basic", status: 502 }))).toEqual(stays);
});

test("what is said of a button in a window is said in that window, and once", async () => {
  document.body.innerHTML = '<form action="/guest/"></form><dialog open><button id="go"></button></dialog>';
  const form = document.querySelector("form") as HTMLFormElement;
  const submitter = document.getElementById("go");
  const fetch = (): Promise<Answer> => Promise.reject(new Error("offline"));
  goOnInPlace(form, { fetch, replace: vi.fn(), unreached: (button) => sayUnsent("Not now.", button) });
  for (let press = 0; press < 2; press++) {
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true, submitter }));
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect([...document.querySelectorAll("[role=alert]")].map((one) => one.parentElement?.tagName)).toEqual(["DIALOG"]);
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
