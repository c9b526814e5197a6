// @vitest-environment happy-dom
// Who is out of the game while others play on is told so: once in a window, and in words that stay.

import { afterEach, expect, test } from "vitest";
import { openPage, type Page, shown } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPlayer, aTable, aView } from "./fixtures/small";
import { outWords } from "./out";
import { givesOrders } from "./store";

let page: Page;
afterEach(() => page.close());

const others = [aPlayer(1), aPlayer(2)];
const asksMe = aView(aDecision([anOption("pass")]), { players: [aPlayer(0), ...others] });
const out = aView(aDecision([], { seat: 2, prompt: "Carol acts." }), {
  players: [aPlayer(0, { influence: 0, lost: true }), ...others],
});
const lost = anEvent("You have lost.", { kind: "lose", player: 0 });

function goesOut(...events: ReturnType<typeof anEvent>[]): void {
  page = openPage(asksMe);
  page.hear(aTable(6, out, { events: [{ version: 6, events: [...events, lost] }] }));
}

test("a window says so once, and why", async () => {
  goesOut();
  await shown(() => page.all(".window-out").length > 0);
  expect(page.text(".window-out")).toContain("you have no influence left");
  // A key meant for the table presses nothing here.
  expect(document.activeElement?.tagName).toBe("H2");
  page.press(" ");
  expect(page.all(".window-out")).toHaveLength(1);
  page.click(page.button("Look on"));
  page.hear(aTable(7, out));
  expect(page.table.store.get().dialog).toBeNull();
});

test("a line stays that says so, also where the page is opened later", () => {
  page = openPage(out);
  expect(page.text(".prompt")).toContain("You are out of the game: you have no influence left.");
  expect(page.text(".prompt")).toContain("Carol acts.");
  expect(page.table.store.get().dialog).toBeNull();
});

test.each([
  ["concede", "you have conceded"],
  ["out of time", "your time has run out"],
  ["absent", "you were away for too long"],
])("of who leaves otherwise it is told how: %s", (kind, words) => {
  goesOut(anEvent("So it is.", { kind, player: 0 }));
  expect(outWords(page.table.store.get())).toBe(words);
});

test("nothing is offered any more that only players do", async () => {
  page = openPage(out, {
    people: [1, 2].map((seat) => ({ seat, name: "X", kind: "person", level: null, stand_in: "" })),
  });
  expect(givesOrders(page.table.store.get())).toBe(false);
  page.happen((table) => table.open({ kind: "settings" }));
  await shown(() => page.all(".settings-window").length > 0);
  expect(page.text(".settings-window")).not.toContain("Concede");
  expect(page.text(".settings-window")).not.toContain("Standing orders");
  page.happen((table) => table.concede());
  expect(page.sent.filter(({ type }) => type === "concede")).toEqual([]);
});
