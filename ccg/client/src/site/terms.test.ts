// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import terms from "../../../../docs/rules/glossary.json";
import { glossaryOf } from "../cards/glossary";
import { markTerms, termsWhenIdle } from "./terms";

const glossary = glossaryOf(terms);
const marked = (): string[] =>
  [...document.querySelectorAll<HTMLElement>(".term")].map((one) => `${one.textContent}=${one.dataset.term}`);

afterEach(() => document.body.replaceChildren());

function page(html: string): void {
  document.body.innerHTML = `<main>${html}</main>`;
  markTerms(glossary);
}

test("each word is marked once in a paragraph, and the text stays what it was", () => {
  page("<div class='guide'><p>A unit may defend. Another unit may <b>defend</b> too.</p><p>A unit.</p></div>");
  expect(marked()).toEqual(["unit=unit", "defend=defender", "unit=unit"]);
  expect(document.querySelector("p")?.textContent).toBe("A unit may defend. Another unit may defend too.");
  markTerms(glossary);
  expect(marked()).toHaveLength(3);
});

test("Tab stops at each word once in a page, and it says what it means", () => {
  page("<div class='guide'><p>A unit may defend.</p><p>A unit.</p></div>");
  const stops = [...document.querySelectorAll<HTMLElement>(".term[tabindex='0']")];
  expect(stops.map((one) => one.textContent)).toEqual(["unit", "defend"]);
  expect(stops.every((one) => one.getAttribute("role") === "button")).toBe(true);
  expect(stops[0]?.getAttribute("aria-description")).toBe(glossary.find("unit")?.meaning);
});

test("links, buttons and code are left alone", () => {
  page("<p class='guide'><a href='/'>asset</a> <button>asset</button> <code>asset</code></p>");
  expect(marked()).toEqual([]);
});

test("elsewhere only words that mean nothing else are marked", () => {
  page("<p>Share the link; each asset makes resources.</p>");
  expect(marked()).toEqual(["asset=asset"]);
});

test("a list in a list is marked once", () => {
  page("<ul class='guide'><li>An asset <ul><li>and an asset</li></ul></li></ul>");
  expect(marked()).toEqual(["asset=asset", "asset=asset"]);
});

test("words are not loaded for a page that is drawn by a program", () => {
  vi.stubGlobal("requestIdleCallback", (begin: () => void) => begin());
  const load = vi.fn(() => Promise.resolve(glossary));
  document.body.innerHTML = "<main><div id='builder'><p>Wait for the deck.</p></div></main>";
  termsWhenIdle(load);
  expect(load).not.toHaveBeenCalled();
  document.body.innerHTML = "<main><p>A deck.</p></main>";
  termsWhenIdle(load);
  expect(load).toHaveBeenCalled();
  vi.unstubAllGlobals();
});

test("words that cannot be loaded while the line is down are marked once it is back", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestIdleCallback", (begin: () => void) => begin());
  document.body.innerHTML = "<main><p class='guide'>An asset.</p></main>";
  termsWhenIdle(vi.fn().mockRejectedValueOnce(new TypeError("The line is down.")).mockResolvedValue(glossary));
  await vi.advanceTimersByTimeAsync(0);
  expect(marked()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(marked()).toEqual(["asset=asset"]);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
