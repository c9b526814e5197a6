// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import type { GivenOrder, OfferedOrder } from "../protocol";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, anOption, aPlayer, aView } from "./fixtures/small";

const TWO = [0, 1].map((seat) => ({ seat, name: `P${seat}`, kind: "person" as const, level: null, stand_in: "" }));
const view = () =>
  aView(aDecision([anOption("pass", { text: "Pass" })], { seat: 1 }), { players: [aPlayer(0), aPlayer(1)] });
const given = (more: Partial<GivenOrder> = {}): GivenOrder => ({
  number: 3,
  text: "Pass, until something happens: execution phase of turn 2.",
  answered: 0,
  why: "",
  ...more,
});
const offered: OfferedOrder = {
  decision: "action",
  when: "they_pass",
  number: 0,
  scope: "phase",
  until: "event",
  about: "When it is your action",
  text: "Pass, if all others pass",
};

let page: Page;
const hear = (...orders: GivenOrder[]): void => page.hear({ type: "orders", version: 5, orders, offered: [offered] });
const open = async (people = TWO): Promise<void> => {
  page = openPage(view(), { people });
  await act(() => vi.dynamicImportSettled());
};
afterEach(() => page.close());

test("among people the orders are asked for, and a chip says how many are armed", async () => {
  await open();
  expect(page.sent.some(({ type }) => type === "read_orders")).toBe(true);
  hear(given(), given({ number: 4, why: "Somebody else challenged." }));
  expect(page.text(".orders-tool")).toContain("1 armed");
  expect(page.text(".orders-news")).toContain("Somebody else challenged.");
  page.click(page.find(".orders-news button"));
  expect(page.sent.at(-1)).toMatchObject({ type: "drop_order", number: 4 });
});

test("an order is given as it is offered, with the version that is shown, and taken off again", async () => {
  await open();
  hear();
  page.press("o");
  await act(() => vi.dynamicImportSettled());
  page.click(page.button("Pass, if all others pass"));
  const { about: _about, text: _text, ...terms } = offered;
  expect(page.sent.at(-1)).toMatchObject({ type: "set_order", version: 5, ...terms });
  hear(given({ answered: 2 }));
  expect(page.text(".orders-given")).toContain("Armed, has answered 2 times.");
  page.click(page.find(".orders-given button"));
  expect(page.sent.at(-1)).toMatchObject({ type: "drop_order", number: 3 });
});

test("against computers nothing is loaded or asked for", async () => {
  const [me, other] = TWO;
  await open([me, { ...other, kind: "computer", level: "normal" }] as typeof TWO);
  expect(page.sent.some(({ type }) => type === "read_orders")).toBe(false);
  expect(page.all(".orders-tool")).toHaveLength(0);
});

test("who looks on is told that there are none to give, and does not wait for them", async () => {
  page = openPage(aView(null, { viewer: null, players: [aPlayer(0), aPlayer(1)] }), { people: TWO, you: null });
  page.press("o");
  await act(() => vi.dynamicImportSettled());
  expect(page.text(".orders-window")).toContain("Only who plays in a match that goes on can give orders.");
  expect(page.sent.some(({ type }) => type === "read_orders")).toBe(false);
});
