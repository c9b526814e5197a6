// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, test } from "vitest";
import { setCatalog } from "../cards";
import { unknownCard } from "../cards/facts";
import { App } from "../table/app";
import { shown } from "../table/fixtures/page-kit";
import { aDecision, anOption, aPiece, aPlayer, aTable, aView, NOWHERE } from "../table/fixtures/small";
import { SETTINGS } from "../table/store";
import { createTable } from "../table/table";
import { About, ReplayBar } from "./bar";
import { listenForReplayKeys } from "./keys";
import type { Moment, Recording } from "./recording";
import { createReplay } from "./replay";

const SHOWS = [{ name: "WIN-1", text: "Twenty wins.", url: "/rules/clauses/#WIN-1" }];

const players = [
  aPlayer(0, { alert: [aPiece(12)], hand: 1, hand_cards: ["BSG1-027"] }),
  aPlayer(1, { hand: 1, hand_cards: ["BSG1-028"] }),
];

function moment(place: number, more: Partial<Moment> = {}): Moment {
  const taken = anOption("challenge 12 p1", { piece: 12, player: 1, text: "Challenge Bob" });
  const view = { ...aView(aDecision(place === 0 ? [taken] : []), { players }), viewer: null, near: 0 };
  const table = aTable(place, view, { since: 0, you: null, events: [] });
  return { table, by: null, does: "", asked: "", expects: [], ...more };
}

const recording: Recording = {
  name: "Bob is challenged",
  seat: 0,
  moments: [
    moment(0),
    moment(1, { by: 0, does: "Challenge Bob", expects: ["Bob has 9 influence."] }),
    moment(2, { by: 1, asked: "Do you defend?", does: "No" }),
  ],
};

let close = (): void => undefined;
afterEach(() => close());

function open(played = recording) {
  const cards = ["BSG1-002", "BSG1-027", "BSG1-028", "BSG1-099"].map(unknownCard);
  setCatalog({ version: "test", cards: Object.fromEntries(cards.map((card) => [card.id, card])) });
  const mount = document.createElement("div");
  document.body.append(mount);
  const table = createTable({
    send: () => undefined,
    settings: { ...SETTINGS, autoPass: "never", speed: "off" },
    replay: true,
  });
  table.store.subscribe((state) => {
    if (state.queue.length > 0) table.showFrame();
  });
  table.lineOpened();
  const replay = createReplay({ table, recording: played });
  const deaf = listenForReplayKeys(replay);
  const about = <About replay={replay} shows={SHOWS} />;
  const bar = <ReplayBar replay={replay} about={about} />;
  act(() => render(<App table={table} links={NOWHERE} bar={bar} replay={{ title: played.name, about }} />, mount));
  close = () => {
    deaf();
    act(() => render(null, mount));
    mount.remove();
  };
  const text = (selector: string) => mount.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const press = (key: string) =>
    act(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
  return { mount, replay, text, press };
}

test("the bar tells the move and what is expected, in place of the prompt", () => {
  const { mount, text, press } = open();
  expect(text("h1")).toBe("Bob is challenged");
  expect(text(".prompt-asks")).toBe("The position at the beginning.");
  press("ArrowRight");
  expect(text(".prompt-asks")).toBe("Alice: Challenge Bob");
  expect(text(".replay-expects")).toBe("As expected: Bob has 9 influence.");
  press("ArrowRight");
  expect(text(".prompt-asks")).toBe("Bob: Do you defend? › No");
  expect(mount.querySelectorAll(".pass-button, .is-choosable")).toHaveLength(0);
});

test("of a match of one's own the bar begins with You", () => {
  const seen = (one: Moment): Moment => ({ ...one, table: { ...one.table, view: { ...one.table.view, viewer: 0 } } });
  const { text, press } = open({ ...recording, moments: recording.moments.map(seen) });
  press("ArrowRight");
  expect(text(".prompt-asks")).toBe("You: Challenge Bob");
});

test("a position without moves has no player, and says what to look at", () => {
  const { mount, text } = open({ ...recording, moments: [moment(0, { expects: ["Alice has 5 power."] })] });
  expect(text(".replay-bar .prompt-words")).toBe("Nobody moves here. What to look at:As expected: Alice has 5 power.");
  expect(mount.querySelectorAll(".replay-bar :is(input, button), .replay-place")).toHaveLength(0);
});

test("the card that the next move is about is marked before it is made", () => {
  const { mount, press } = open();
  expect(mount.querySelector('[data-thing="piece:12"]')?.classList.contains("is-chosen")).toBe(true);
  press("End");
  expect(mount.querySelector('[data-thing="piece:12"]')?.classList.contains("is-chosen")).toBe(false);
});

test("all hands lie open, and nobody is called you", () => {
  const { mount, text } = open();
  expect(text(".open-hand")).toContain("BSG1-028");
  expect(mount.querySelector(".hand")?.getAttribute("aria-label")).toBe("Hand of Alice");
  expect(text(".rail")).not.toContain("You");
});

test("? lists the keys of a replay", async () => {
  const { text, press } = open();
  press("?");
  await shown(() => text(".keys").length > 0);
  expect(text(".keys")).toContain("Step back, step forward");
  expect(text(".keys")).not.toContain("Pass");
});

test("keys that are meant for something else are left to it", () => {
  const { mount, replay, press } = open();
  press("End");
  expect(replay.store.get().place).toBe(2);
  const range = mount.querySelector("input");
  range?.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
  expect(replay.store.get().place).toBe(2);
  press("Home");
  expect(replay.store.get().place).toBe(0);
});

test("Space at a word of the game says what it means, and plays nothing", () => {
  const { mount, replay } = open();
  const word = document.createElement("span");
  word.setAttribute("role", "button");
  mount.append(word);
  word.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
  expect(replay.store.get().playing).toBe(false);
});

test("who steps to an end by its button keeps the focus there", () => {
  const { mount, replay } = open();
  const forward = mount.querySelector<HTMLButtonElement>(".replay-forward");
  forward?.focus();
  for (let step = 0; step < 4; step++) act(() => forward?.click());
  expect(replay.store.get().place).toBe(replay.last);
  expect(document.activeElement).toBe(forward);
  expect(forward?.disabled).toBe(false);
  expect(forward?.getAttribute("aria-disabled")).toBe("true");
});
