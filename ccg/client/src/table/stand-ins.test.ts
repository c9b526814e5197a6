// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, aPlayer, aView } from "./fixtures/small";
import type { Offered, ServerMessage, TableMessage } from "./types";

let page: Page;
afterEach(() => page.close());

async function begin(more: Partial<TableMessage>, players = 3, lost = -1): Promise<void> {
  const seats = [...Array(players).keys()].map((seat) =>
    aPlayer(seat, { name: `Player ${seat}`, lost: seat === lost }),
  );
  const view = { ...aView(aDecision([], { seat: 2 })), players: seats };
  page = openPage(view, { present: [0, 1], ...more });
  page.happen((table) =>
    table.received({
      type: "heartbeat",
      version: 5,
      present: [0, 1],
      rematch: null,
      onlookers: 0,
      clocks: more.clocks ?? null,
      absent: [{ seat: players - 1, claim_in: 0 }],
    } as ServerMessage),
  );
  await vi.dynamicImportSettled();
  page.happen(() => undefined);
}

const words = (): string[] => page.all(".manner span").map((one) => one.textContent ?? "");
const offered = (seat: number, agreed: number[]): Offered => ({ what: "computer", seat, agreed, of: 2 });

test("for who is away at a table of three the computer or somebody else can be proposed", async () => {
  await begin({});
  page.click(page.button("Let the computer play on"));
  page.click(page.button("Let somebody else play on"));
  expect(page.sent.filter(({ type }) => type === "offer")).toEqual([
    { type: "offer", what: "computer", seat: 2, id: "id1" },
    { type: "offer", what: "substitute", seat: 2, id: "id2" },
  ]);
});

test("who is out of the game decides nothing about who is away", async () => {
  await begin({}, 3, 0);
  expect(words()).toContain("Player 2 is away.");
  expect(page.all(".manner button")).toEqual([]);
  page.close();
  await begin({ offers: [offered(1, [1])] }, 3, 0);
  expect(words()[0]).toBe("Player 1 proposes that the computer plays on for Player 2.");
  expect(page.all(".manner button")).toEqual([]);
});

test("who is out of the game ends no pause, and takes nothing back that they had offered", async () => {
  const time = { left: 600_000, bank: 600_000, running: false, vacation: false };
  const clocks = {
    tempo: "live 600+10",
    low: 60_000,
    paused: true,
    resuming: [1],
    pause_left: 60_000,
    seats: [0, 1, 2].map((seat) => ({ seat, ...time })),
  };
  const own: Offered = { what: "draw", seat: 0, agreed: [0], of: null };
  const buttons = (): (string | null)[] => page.all(".manner button").map((one) => one.textContent);
  await begin({ clocks, offers: [own] });
  expect(buttons()).toEqual(expect.arrayContaining(["Go on", "Withdraw"]));
  page.close();
  await begin({ clocks, offers: [own] }, 3, 0);
  expect(words()[0]).toContain("The match is paused");
  expect(buttons()).toEqual([]);
});

test("at a table of two there is nobody to agree", async () => {
  await begin({}, 2);
  expect(page.all(".manner button").map((one) => one.textContent)).toEqual(["Claim the match"]);
});

test("to claim a match is asked for twice", async () => {
  await begin({}, 2);
  page.click(page.button("Claim the match"));
  expect(page.sent.filter(({ type }) => type === "claim")).toEqual([]);
  expect(words()).toContain("The match ends, and Player 1 has lost it.");
  page.click(page.button("Wait"));
  page.click(page.button("Claim the match"));
  page.click(page.button("Claim it"));
  expect(page.sent.at(-1)).toMatchObject({ type: "claim", seat: 1 });
});

test("to play on without somebody is asked for twice", async () => {
  await begin({});
  page.click(page.button("Play on without them"));
  expect(words()).toContain("Player 2 is out of the match then, for good.");
  expect(page.sent.filter(({ type }) => type === "claim")).toEqual([]);
  page.click(page.button("Play on"));
  expect(page.sent.at(-1)).toMatchObject({ type: "claim", seat: 2 });
});

test("a proposal names who it is about, and the others answer it", async () => {
  await begin({ offers: [offered(1, [1])] });
  expect(words()[0]).toBe("Player 1 proposes that the computer plays on for Player 2.");
  page.click(page.button("Agree"));
  expect(page.sent.at(-1)).toMatchObject({ type: "agree", what: "computer" });
  expect(page.all(".manner button").map((one) => one.textContent)).not.toContain("Let the computer play on");
});

test("a free seat is offered by the link of the invitation", async () => {
  const table = document.createElement("div");
  table.id = "table";
  table.dataset.invitation = "/play/invite/x/";
  document.body.append(table);
  await begin({ free: [2] });
  expect(words()).toContain("Whoever has this link may play on for Player 2.");
  expect(page.find(".manner a").getAttribute("href")).toBe("/play/invite/x/");
  table.remove();
});
