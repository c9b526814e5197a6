// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, type Page, shown } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPlayer, aTable, aView } from "./fixtures/small";

const view = () =>
  aView(aDecision([anOption("pass", { text: "Pass" })], { seat: 1 }), { players: [aPlayer(0), aPlayer(1)] });

let page: Page;
afterEach(() => page.close());

async function offered(what: "draw" | "pause"): Promise<void> {
  page = openPage(view(), { offers: [{ what, seat: 1, agreed: [1], of: null }] });
  await act(() => vi.dynamicImportSettled());
}

test("a draw ends the match, so that agreeing to one is asked a second time", async () => {
  await offered("draw");
  const before = page.sent.length;
  page.click(page.button("Agree"));
  expect(page.text(".manners")).toContain("Shall the match end in a draw?");
  expect(page.sent.length).toBe(before);
  page.click(page.button("End in a draw"));
  expect(page.sent.at(-1)).toMatchObject({ type: "agree", what: "draw" });
});

async function paused(resuming: number[], pause_left = 86_400_000): Promise<void> {
  const seats = [0, 1].map((seat) => ({ seat, left: 60_000, bank: 60_000, running: false, vacation: false }));
  page = openPage(view(), { clocks: { tempo: "live 600+10", low: 60_000, paused: true, resuming, pause_left, seats } });
  await act(() => vi.dynamicImportSettled());
}

test("a pause ends once all have asked for it, so each is told who has", async () => {
  await paused([1]);
  expect(page.text("[data-paused]")).toContain("wants to go on.");
  expect(page.text("[data-paused]")).toContain("Whoever has not asked by then leaves the game.");
  page.click(page.button("Go on"));
  expect(page.sent.at(-1)).toMatchObject({ type: "resume" });
});

test("who has asked to go on waits for the others", async () => {
  await paused([0]);
  expect(page.text("[data-paused]")).toBe(
    "The match is paused, for at most 24 hours. You have asked to go on: the others have to, too.",
  );
});

test.each([
  [30 * 86_400_000, "30 days"],
  [23 * 3_600_000 + 1, "24 hours"],
  [59 * 60_000, "59 minutes"],
  [1_000, "1 minute"],
])("how long a pause lasts is told in round numbers, as it is read out", async (left, words) => {
  await paused([], left);
  expect(page.text("[data-paused]")).toContain(`for at most ${words}.`);
});

test("in a pause the question says that nothing can be chosen", async () => {
  const seats = [0, 1].map((seat) => ({ seat, left: 60_000, bank: 60_000, running: false, vacation: false }));
  const clocks = { tempo: "live 600+10", low: 60_000, paused: true, resuming: [], pause_left: 60_000, seats };
  page = openPage(aView(aDecision([anOption("pass", { text: "Pass" })])), { clocks });
  expect(page.text(".prompt-note")).toBe("The match is paused until all want to go on.");
});

test("a pause can be ended again and is agreed to at once", async () => {
  await offered("pause");
  page.click(page.button("Agree"));
  expect(page.sent.at(-1)).toMatchObject({ type: "agree", what: "pause" });
});

test("what was declined is told for some seconds, as its box only goes away", async () => {
  page = openPage(view(), { offers: [{ what: "draw", seat: 0, agreed: [0], of: null }] });
  await act(() => vi.dynamicImportSettled());
  vi.useFakeTimers();
  const told = anEvent("No draw: [[seat:1|Bob]] declines.", { kind: "declined", player: 1 });
  page.hear(aTable(6, view(), { events: [{ version: 6, events: [told] }] }));
  expect(page.text(".manners")).toBe("No draw: Bob declines.");
  act(() => void vi.advanceTimersByTime(9_000));
  expect(page.all("[data-declined]")).toEqual([]);
  vi.useRealTimers();
});

test("after a move was taken back, the middle does not tell it as what happened last", () => {
  page = openPage(view());
  const played = anEvent("[[seat:1|Bob]] plays Apollo.", { kind: "play", player: 1 });
  page.hear(aTable(6, view(), { events: [{ version: 6, events: [played] }] }));
  expect(page.text(".middle")).toBe("Bob plays Apollo.");
  const told = anEvent("The table is again as it was before the last move of [[seat:1|Bob]].", { kind: "taken back" });
  page.hear(aTable(7, view(), { events: [{ version: 7, events: [told] }] }));
  expect(page.text(".middle")).toBe("The table is again as it was before the last move of Bob.");
});

test("nobody is told to be away whose page is just loading", async () => {
  page = openPage(view(), { offers: [{ what: "pause", seat: 1, agreed: [1], of: null }] });
  await act(() => vi.dynamicImportSettled());
  vi.useFakeTimers();
  const beat = { version: 5, present: [0], rematch: null, onlookers: 0, clocks: null };
  page.hear({ type: "heartbeat", ...beat, absent: [{ seat: 1, claim_in: 117 }] });
  act(() => void vi.advanceTimersByTime(9_000));
  expect(page.all("[data-absent]")).toEqual([]);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(page.text("[data-absent]")).toContain("Bob is away");
  vi.useRealTimers();
});

test("how long somebody who is away is waited for is not read out every second", async () => {
  page = openPage(view());
  await act(() => vi.dynamicImportSettled());
  vi.useFakeTimers({ now: 0 });
  const beat = { version: 5, present: [0], rematch: null, onlookers: 0, clocks: null };
  page.hear({ type: "heartbeat", ...beat, absent: [{ seat: 1, claim_in: 117 }] });
  const heard = (): string => {
    const part = page.find("[data-absent] > span").cloneNode(true) as HTMLElement;
    for (const unheard of part.querySelectorAll("[aria-hidden]")) unheard.remove();
    return part.textContent?.replace(/\s+/g, " ") ?? "";
  };
  act(() => void vi.advanceTimersByTime(10_000));
  const [before, seen] = [heard(), page.text("[data-absent]")];
  expect(before).toBe("Bob is away; in 2 minutes you may claim the match.");
  act(() => void vi.advanceTimersByTime(5_000));
  expect(heard()).toBe(before);
  expect(page.text("[data-absent]")).not.toBe(seen);
  vi.useRealTimers();
});

test("what all have agreed to is not proposed again, and the link of the free seat is copied", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  const three = aView(aDecision([anOption("pass", { text: "Pass" })], { seat: 1 }), {
    players: [aPlayer(0), aPlayer(1), aPlayer(2)],
  });
  page = openPage(three, { free: [1] });
  const beat = { version: 5, present: [0], rematch: null, onlookers: 0, clocks: null };
  page.hear({ type: "heartbeat", ...beat, absent: [{ seat: 1, claim_in: 0 }] });
  await act(() => vi.dynamicImportSettled());
  expect(page.text("[data-absent]")).toContain("Let the computer play on");
  expect(page.text("[data-absent]")).not.toContain("Let somebody else play on");
  page.click(page.button("Copy the link"));
  await shown(() => page.text("[data-free]").includes("The link is copied."));
  expect(writeText).toHaveBeenCalledWith((page.find("[data-free] a") as HTMLAnchorElement).href);
  vi.unstubAllGlobals();
});

test.each([
  [0, 10, "You have conceded."],
  [1, 10, "Bob has conceded."],
  [0, 0, "You have no influence left."],
  [1, -2, "Bob has no influence left."],
])("a match of two is over for one of them, and it is told why: %j with %j", async (loser, influence, words) => {
  const result = { winners: [1 - loser], losers: [loser], reason: "last" };
  const players = [0, 1].map((seat) => aPlayer(seat, seat === loser ? { influence, lost: true } : {}));
  page = openPage(aView(null, { players, result }), { over: true });
  await shown(() => page.all(".window-over").length > 0);
  expect(page.text(".window-over")).toContain(words);
  expect(page.text(".window-over")).not.toContain("All others");
});

test("what is asked of the others without a line is told not to be sent, in the window and at the question", async () => {
  page = openPage(view(), { may_offer: ["draw"] });
  page.happen((table) => table.lineLost(1_000));
  page.happen((table) => table.open({ kind: "match" }));
  await act(() => vi.dynamicImportSettled());
  const before = page.sent.length;
  page.click(page.button("Offer a draw"));
  expect(page.sent.length).toBe(before);
  expect(page.text("dialog")).toContain("Not connected: this was not sent.");
  page.happen((table) => table.closeDialog());
  expect(page.text(".prompt-note")).toContain("Not connected: this was not sent.");
  page.happen((table) => table.lineOpened());
  expect(page.text(".prompt-note")).toBe("Connected again. What you asked for was not sent: ask again.");
  page.happen((table) => table.open({ kind: "match" }));
  expect(page.text("dialog")).not.toContain("not sent");
});

test.each([
  [null, "You can leave this page at any time"],
  [
    { tempo: "live 600+10", low: 30_000, paused: false, resuming: [], pause_left: null, seats: [] },
    "Nothing can be offered just now.",
  ],
])("the window of the match says that it can be left only where no clock runs: %j", async (clocks, words) => {
  page = openPage(view(), { clocks });
  page.happen((table) => table.open({ kind: "match" }));
  await act(() => vi.dynamicImportSettled());
  expect(page.text("dialog")).toContain(words);
});
