// @vitest-environment happy-dom
// A press that was meant for what was asked before answers no question that has only just come up.

import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, anOption, aPlayer, aTable, aView } from "./fixtures/small";

const SEEN = 400;
const pass = anOption("pass", { text: "Pass" });
const play = anOption("play BSG1-027", { card: "BSG1-027", text: "Play [[card:BSG1-027|Fire Support]]" });
const players = [aPlayer(0, { hand_cards: ["BSG1-027"] }), aPlayer(1)];
const asks = (kind: string, more = {}) => aView(aDecision([play, pass], { kind, ...more }), { players });

let page: Page;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage(asks("defend"), {}, false, SEEN);
});
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

const goesOn = (time: number): void => void act(() => void vi.advanceTimersByTime(time));
const passButton = (): HTMLElement => page.find(".pass-button");
const down = (): void =>
  page.happen(() => void passButton().dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
const up = (): void =>
  page.happen(() => void passButton().dispatchEvent(new PointerEvent("click", { detail: 1, bubbles: true })));

test("keys and taps do nothing in the first moment of a question, and do in the next", () => {
  page.hear(aTable(6, asks("action")));
  goesOn(SEEN - 1);
  page.press(" ");
  page.press("1");
  page.click(page.button("Play Fire Support"));
  down();
  up();
  expect(page.chosen()).toEqual([]);
  goesOn(1);
  page.press(" ");
  expect(page.chosen()).toEqual(["pass"]);
});

test("a press that began at the question before is none at this one, however late it ends", () => {
  down();
  page.hear(aTable(6, asks("action")));
  goesOn(5 * SEEN);
  up();
  expect(page.chosen()).toEqual([]);
  down();
  up();
  expect(page.chosen()).toEqual(["pass"]);
});

test("a second press of the same key does not answer what the first one led to", () => {
  page.press(" ");
  page.hear({ type: "accepted", id: "id1", version: 6 });
  page.hear(aTable(6, asks("action")));
  page.press(" ");
  expect(page.chosen()).toEqual(["pass"]);
});

test("who is asked together with others goes on answering as one of them has answered", () => {
  const opening = (others: number[]) => asks("opening_hand", { others });
  page.hear(aTable(6, opening([1, 2])));
  page.hear(aTable(7, opening([2])));
  page.press(" ");
  expect(page.chosen(), "it has only just come up").toEqual([]);
  goesOn(SEEN);
  down();
  page.hear(aTable(8, opening([])));
  up();
  expect(page.chosen()).toEqual(["pass"]);
});

test("a key that is pressed as another player answers the same is not lost", () => {
  page.hear(aTable(6, asks("opening_hand", { others: [1] })));
  goesOn(SEEN);
  page.hear(aTable(7, asks("opening_hand", { others: [] })));
  page.press(" ");
  expect(page.chosen()).toEqual(["pass"]);
});

test("a half-made move goes on at once: it can be taken back", () => {
  page.hear(aTable(6, asks("choose", { can_take_back: true })));
  page.press(" ");
  expect(page.chosen()).toEqual(["pass"]);
});

test("what came with the page can be answered at once", () => {
  page.press(" ");
  expect(page.chosen()).toEqual(["pass"]);
});

test("a key that moves the focus begins no press: a click at the next question is one of its own", () => {
  page.happen(() => void passButton().dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true })));
  page.hear(aTable(6, asks("action")));
  goesOn(SEEN);
  page.happen(() => passButton().click());
  expect(page.chosen()).toEqual(["pass"]);
});

test("the list of choices, which answers nothing, opens at once", () => {
  const third = anOption("use t1", { text: "Use it" });
  const more = [third, anOption("use t2", { text: "Use another" }), anOption("use t3", { text: "Use a third" })];
  page.hear(aTable(6, aView(aDecision([pass, play, ...more], { kind: "action" }), { players })));
  page.click(page.find(".prompt-list-button"));
  expect(page.all(".option-list .option-line").length).toBe(4);
});
