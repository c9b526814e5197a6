// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from "vitest";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPiece, aPlayer, aStack, aTable, aView } from "./fixtures/small";
import type { OptionView, View } from "./types";

const pass = anOption("pass", { text: "Pass" });
const play = anOption("play BSG1-027", { card: "BSG1-027", text: "Play [[card:BSG1-027|Fire Support]]" });
const apollo = aPiece(12);
const me = aPlayer(0, { alert: [apollo], hand_cards: ["BSG1-027"], hand: 1 });

function asks(options: OptionView[], more: Partial<View> = {}, about = {}): View {
  return aView(aDecision(options, about), { players: [me, aPlayer(1)], ...more });
}

let page: Page;
const open = (...args: Parameters<typeof openPage>): Page => {
  page = openPage(...args);
  return page;
};
afterEach(() => page.close());

describe("choosing by click", () => {
  test("what can be done glows, and a click does it", () => {
    open(asks([play, pass]));
    const glowing = page.all(".is-choosable");
    expect(glowing.map((tile) => tile.getAttribute("aria-label"))).toEqual([
      "Fire Support, event, costs 2 security, can be played",
    ]);
    page.click(page.find(".is-choosable"));
    expect(page.chosen()).toEqual(["play BSG1-027"]);
  });

  test("nothing glows while the answer is on its way", () => {
    open(asks([play, pass]));
    page.click(page.find(".is-choosable"));
    expect(page.all(".is-choosable")).toEqual([]);
  });

  test("a thing that could be meant in two ways opens a menu", () => {
    const resolve = anOption("resolve 12", { piece: 12, text: "Resolve it" });
    const boost = anOption("boost 12", { piece: 12, text: "Boost it" });
    open(asks([resolve, boost, pass]));
    page.click(page.find('[data-thing="piece:12"]'));
    expect(page.all(".thing-menu [role=menuitem]").map((line) => line.textContent)).toEqual(["Resolve it", "Boost it"]);
    page.click(page.button("Boost it"));
    expect(page.chosen()).toEqual(["boost 12"]);
  });

  test("whom to challenge is the second click; the prompt shows the first", () => {
    const challenges = [1, 2].map((seat) => anOption(`challenge 12 p${seat}`, { piece: 12, player: seat }));
    open(asks([...challenges, pass], { players: [me, aPlayer(1), aPlayer(2)] }));
    page.click(page.find('[data-thing="piece:12"]'));
    expect(page.text(".prompt-asks")).toBe("Apollo, Commander Air Group › which one?");
    page.click(page.find('.player-choose[data-thing="seat:2"]'));
    expect(page.chosen()).toEqual(["challenge 12 p2"]);
  });

  test("few options are buttons too, many a list", () => {
    const challenge = anOption("challenge 12 p1", { piece: 12, player: 1, text: "Challenge Bob" });
    open(asks([play, challenge, pass]));
    expect(page.all(".option-button").map((button) => button.textContent)).toEqual([
      "Play Fire Support1",
      "Challenge Bob2",
    ]);
    page.close();
    const more = [1, 2, 3].map((at) => anOption(`use ${at} 12`, { piece: 12, text: `Use ${at}` }));
    open(asks([play, challenge, ...more, pass]));
    expect(page.all(".option-button")).toEqual([]);
    page.click(page.find(".prompt-list-button"));
    expect(page.all(".option-list button")).toHaveLength(5);
    page.click(page.button("Challenge Bob"));
    expect(page.chosen()).toEqual(["challenge 12 p1"]);
  });
});

describe("paying", () => {
  const paying = () =>
    asks(
      [anOption("pay 100", { piece: 100 }), anOption("pay 101", { piece: 101 })],
      { players: [aPlayer(0, { stacks: [aStack(100, { yields: 3 }), aStack(101)] }), aPlayer(1)] },
      {
        kind: "payment",
        chain: ["[[card:BSG1-027|Fire Support]]", "pay 2 [[icon:security|security]]"],
        owed: { security: 2 },
        proposal: ["pay 100"],
        can_take_back: true,
      },
    );

  test("the proposal is bracketed and says what is left over", () => {
    open(paying());
    expect(page.text(".is-proposed .tile-tag")).toBe("Pays 2 · 1 left");
    expect(page.text(".prompt-asks")).toContain("with Battlestar Galactica?");
    page.click(page.button("Pay 2"));
    expect(page.chosen()).toEqual(["pay 100"]);
  });

  test("other stacks can be clicked instead", () => {
    open(paying());
    page.click(page.button("Other stacks"));
    expect(page.all(".is-proposed")).toEqual([]);
    page.click(page.find('[data-thing="piece:101"]'));
    expect(page.chosen()).toEqual(["pay 101"]);
  });

  test("Enter pays, Escape takes back", () => {
    open(paying());
    page.press("Escape");
    expect(page.sent.at(-1)).toMatchObject({ type: "back", version: 5 });
    page.close();
    open(paying());
    page.press("Enter");
    expect(page.chosen()).toEqual(["pay 100"]);
  });
});

describe("by keyboard", () => {
  test("Space passes, numbers choose, a held key does nothing more", () => {
    open(asks([play, pass]));
    page.press(" ");
    page.press(" ");
    expect(page.chosen()).toEqual(["pass"]);
    page.close();
    open(asks([play, pass]));
    page.press("1");
    expect(page.chosen()).toEqual(["play BSG1-027"]);
  });

  test("? shows the keys, Escape closes them", () => {
    open(asks([play, pass]));
    page.press("?");
    expect(page.text(".window h2")).toBe("Keys");
    page.press("Escape");
    expect(page.all(".window")).toEqual([]);
    expect(page.sent.some((message) => message.type === "back")).toBe(false);
  });

  test("an arrow goes to what glows first", () => {
    open(asks([play, pass]));
    page.press("ArrowDown");
    expect(document.activeElement?.getAttribute("data-thing")).toBe("card:BSG1-027");
  });

  test("all tiles can have the focus, and say what they are", () => {
    open(asks([pass]));
    const names = page.all("button.tile").map((tile) => tile.getAttribute("aria-label"));
    expect(names).toContain("Apollo, Pilot, power 2, alert");
    expect(names.every((name) => (name ?? "").length > 0)).toBe(true);
  });
});

describe("what is said", () => {
  test("prompt and log are live regions", () => {
    open(asks([pass]));
    expect(page.find(".prompt-asks").getAttribute("aria-live")).toBe("assertive");
    expect(page.find(".log-lines").getAttribute("aria-live")).toBe("polite");
  });

  test("a refusal is shown in plain words, and nothing else changes", () => {
    open(asks([play, pass]));
    page.click(page.find(".is-choosable"));
    const id = page.sent.flatMap((message) => (message.type === "choose" ? [message.id] : []))[0] ?? "";
    page.hear({ type: "refused", id, code: "late", message: "Late.", version: 5 });
    expect(page.text(".prompt-note")).toBe(
      "That was meant for an earlier moment; the table has moved on. Nothing was changed.",
    );
    expect(page.all(".is-choosable")).toHaveLength(1);
  });

  test("the log shows events with their cards, and keeps step with the table", () => {
    open(asks([pass]));
    const event = anEvent("[[seat:1|Bob]] plays [[card:BSG1-099|Apollo]].", {
      kind: "play",
      card: "BSG1-099",
      player: 1,
    });
    page.hear(aTable(6, asks([pass]), { events: [{ version: 6, events: [event] }] }));
    expect(page.text(".log-line:last-child")).toBe("Bob plays Apollo.");
    expect(page.find(".log-line:last-child .card-name").dataset.card).toBe("BSG1-099");
  });

  test("somebody who looks on sees the table and no buttons", () => {
    open(asks([], { viewer: null }), { you: null });
    expect(page.text(".prompt-note")).toContain("You look on");
    expect(page.all(".pass-button, .is-choosable")).toEqual([]);
  });

  test("a lost line is said, and does not take the table away", () => {
    open(asks([play, pass]));
    page.happen((table) => table.lineLost(900));
    expect(page.text(".line-state")).toBe("Reconnecting …");
    expect(page.all(".tile").length).toBeGreaterThan(2);
  });
});

describe("a challenge", () => {
  test("shows both sides, leaves ghosts, and adds up mystic values as they are revealed", () => {
    const raider = aPiece(30, { controller: 1, power: 4 });
    const challenge = {
      challenging: 0,
      challenged: 1,
      challenger: 12,
      defender: 30,
      threat: null,
      cylon_player: null,
      as_type: "personnel",
      step: "effects" as const,
      mystic: [] as [number, number][],
      passed: [1],
    };
    open(asks([pass], { challenge, players: [me, aPlayer(1, { alert: [raider] })] }));
    expect(page.all(".total").map((total) => total.textContent)).toEqual(["2", "4"]);
    expect(page.all(".tile-ghost")).toHaveLength(2);
    expect(page.text(".side.is-far")).toContain("Bob passed");
    const mystic = anEvent("Ana reveals Apollo: mystic value 3.", { kind: "mystic", player: 0, number: 3 });
    page.happen((table) => table.stage(mystic));
    expect(page.all(".total").map((total) => total.textContent)).toEqual(["5", "4"]);
  });
});

describe("more players", () => {
  test("the first two fleets are open, the others folded until one looks at them", () => {
    open(asks([pass], { players: [me, aPlayer(1), aPlayer(2), aPlayer(3)] }));
    expect(page.all(".fleet.is-far")).toHaveLength(2);
    page.click(page.find(".fleet-folded button"));
    expect(page.all(".fleet.is-far")).toHaveLength(3);
  });

  test("a fleet with something to choose in it is always open", () => {
    const target = anOption("choose 40", { piece: 40 });
    const dave = aPlayer(3, { alert: [aPiece(40, { controller: 3 })] });
    open(asks([target, pass], { players: [me, aPlayer(1), aPlayer(2), dave] }));
    expect(page.all(".fleet.is-far")).toHaveLength(3);
  });
});

describe("the end", () => {
  const over = () => asks([], { decision: null, result: { winners: [0], losers: [1], reason: "influence" } });

  test("says who won, and where to go on", () => {
    open(over(), { over: true });
    expect(page.text(".window-over h2")).toBe("You win.");
    expect(page.button("Play again").getAttribute("form")).toBe("rematch");
    expect(page.all(".window a").map((link) => link.getAttribute("href"))).toEqual(["/play/mine/", "/play/"]);
  });

  test("conceding asks first", () => {
    open(asks([pass]));
    page.click(page.find(".top-tools button:last-child"));
    page.click(page.button("Concede …"));
    expect(page.sent.some((message) => message.type === "concede")).toBe(false);
    page.click(page.find(".window-actions .button-danger"));
    expect(page.sent.at(-1)).toMatchObject({ type: "concede" });
  });
});

describe("cards that lie nowhere on the table", () => {
  test("are laid out to choose among; what is no card stays a button", () => {
    const cards = ["BSG1-099", "BSG1-027"].map((card) => anOption(`choose ${card}`, { card, text: `Choose ${card}` }));
    open(asks([...cards, anOption("choose nothing", { text: "Nothing" })], {}, { kind: "search" }));
    expect(page.all(".card-choices .tile").map((tile) => tile.getAttribute("aria-label"))).toEqual([
      "Choose BSG1-099",
      "Choose BSG1-027",
    ]);
    expect(page.all(".prompt-buttons .option-button").map((button) => button.dataset.option)).toEqual([
      "choose nothing",
    ]);
    page.click(page.find(".card-choices .tile"));
    expect(page.chosen()).toEqual(["choose BSG1-099"]);
  });

  test("known cards of another hand can be looked at", () => {
    open(asks([pass], { players: [me, aPlayer(1, { hand_cards: ["BSG1-027"] })] }));
    page.click(page.find(".counts .is-known"));
    expect(page.text(".window h2")).toContain("Bob’s hand");
    expect(page.all(".pile li")).toHaveLength(1);
  });
});
