// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPage, type Page, shown } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPlayer, aView } from "./fixtures/small";

const FILE = {
  clauses: [
    { id: "EXEC-3", section: "Execution Phase", rule: "There are five kinds of action.", ruling: null },
    { id: "CHAL-1", section: "Challenge Procedure", rule: "A unit challenges.", ruling: 24 },
    { id: "MYST-1", section: "Revealing a Mystic Value", rule: "The top card is turned up.", ruling: null },
  ],
  rulings: [{ number: 24, text: "Only alert units challenge." }],
  phases: { execution: ["Execution Phase"], challenge: ["Challenge Procedure"] },
};

let page: Page;
beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(FILE)));
  const view = aView(aDecision([anOption("play BSG1-027", { card: "BSG1-027" }), anOption("pass")]), {
    players: [aPlayer(0, { hand_cards: ["BSG1-027"] }), aPlayer(1)],
  });
  page = openPage(view, { events: [{ version: 5, events: [anEvent("Bob reveals.", { kind: "mystic" })] }] });
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

vi.setConfig({ testTimeout: 30_000 });

test("R opens the rules with those of this phase on top", async () => {
  page.press("r");
  await shown(() => page.all("[data-rule]").length > 0);
  const first = page.find(".rules-section");
  expect(first.textContent).toContain("Now: Execution phase");
  expect(first.hasAttribute("open")).toBe(true);
  expect(page.all(".rules-section[open]")).toHaveLength(1);
});

test("the § of the prompt opens its clause", async () => {
  const link = page.find(".prompt .clause-link");
  expect(link.getAttribute("href")).toBe("/rules/clauses/#EXEC-3");
  page.click(link);
  await shown(() => page.all(".rule.is-asked").length > 0);
  expect(page.find(".rule.is-asked").dataset.rule).toBe("EXEC-3");
});

test("each clause and ruling leads to where it is played, a word does not", async () => {
  page.press("r");
  await shown(() => page.all("[data-rule]").length > 0);
  expect(page.find('[data-rule="CHAL-1"] small a').getAttribute("href")).toBe("/rules/played/?shows=CHAL-1");
  expect(page.find('[data-rule="ruling-24"] small a').getAttribute("href")).toBe("/rules/played/?shows=ruling-24");
  expect(page.all('[data-rule^="word-"] small a')).toEqual([]);
});

test("each line of the log has its clause", () => {
  expect(page.all(".log .clause-link").map((link) => link.dataset.clause)).toEqual(["MYST-1"]);
});

test("a search shows what has its words, and a ruling opens from its clause", async () => {
  page.press("r");
  await shown(() => page.all("[data-rule]").length > 0);
  const field = page.find(".rules-search input") as HTMLInputElement;
  await act(async () => {
    field.value = "chal-1 unit";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(page.all("[data-rule]").map((one) => one.dataset.rule)).toEqual(["CHAL-1"]);
  page.click(page.find('.rule [data-clause="ruling-24"]'));
  await shown(() => page.all('.is-asked[data-rule="ruling-24"]').length > 0);
});

test("rules that cannot be had are told of, and tried again", async () => {
  vi.resetModules();
  page.close();
  const kit = await import("./fixtures/page-kit");
  page = kit.openPage(aView(null));
  let answers = 0;
  vi.stubGlobal("fetch", async () => {
    answers += 1;
    return answers === 1 ? new Response("", { status: 503 }) : new Response(JSON.stringify(FILE));
  });
  page.press("r");
  await shown(() => page.all("[role=alert]").length > 0);
  page.click(page.button("Try again"));
  await shown(() => page.all("[data-rule]").length > 0);
});
