// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import { openPage, type Page, shown } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPiece, aPlayer, aStack, aTable, aView } from "./fixtures/small";
import type { ChallengeView, OptionView, View } from "./types";

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
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

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
    expect(page.all(".prompt-buttons [data-option]").map((button) => button.dataset.option)).toEqual(["pass"]);
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

  test("whoever may choose themselves is asked to choose themselves", () => {
    const players = [0, 1].map((seat) => anOption(`choose p${seat}`, { player: seat, text: `Choose ${seat}` }));
    open(asks([...players, pass]));
    expect(page.all(".player-choose").map((button) => button.textContent?.trim())).toEqual([
      "Choose Bob",
      "Choose yourself",
    ]);
  });

  test.each([false, true])("a player whom it is no good to choose is marked so, on a phone: %s", (phone) => {
    if (phone) vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    const [mine, theirs] = [0, 1].map((seat) => anOption(`choose p${seat}`, { player: seat, text: `Choose ${seat}` }));
    open(
      asks([{ ...(theirs as OptionView), helps_opponent: true }, { ...(mine as OptionView), harms_you: true }, pass]),
    );
    expect(page.all(':is(.player-choose, .button)[data-thing^="seat:"]').map((one) => one.textContent?.trim())).toEqual(
      ["Choose Bob Helps Bob", "Choose yourself Harms you"],
    );
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

  test("an open list closes with Escape, which takes nothing back then, and with a press beside it", () => {
    const more = [1, 2, 3, 4].map((at) => anOption(`use ${at} 12`, { piece: 12, text: `Use ${at}` }));
    open(asks([...more, pass], {}, { can_take_back: true }));
    const list = page.find(".prompt-list-button");
    expect(list.textContent).toContain("All 4");
    page.click(list);
    page.happen(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    });
    expect(page.all(".option-list")).toEqual([]);
    page.click(list);
    const press = (at: HTMLElement): void =>
      page.happen(() => void at.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
    press(page.find(".option-list"));
    expect(page.all(".option-list")).toHaveLength(1);
    press(page.find(".prompt-asks"));
    expect(page.all(".option-list")).toEqual([]);
  });

  test("no list where the button that pays is the only choice", () => {
    const stack = anOption("pay 30", { piece: 30, text: "Pay with it" });
    const players = [aPlayer(0, { stacks: [aStack(30)] }), aPlayer(1)];
    open(asks([stack], { players }, { kind: "payment", proposal: ["pay 30"], owed: { security: 2 } }));
    expect(page.text(".prompt-buttons")).toContain("Pay");
    expect(page.all(".prompt-list-button")).toEqual([]);
  });
});

/** A tap of a finger. */
function tap(element: HTMLElement): void {
  page.happen(() => {
    element.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch", bubbles: true }));
    element.dispatchEvent(new PointerEvent("click", { pointerType: "touch", detail: 1, bubbles: true }));
  });
}

describe("a finger", () => {
  test("opens a card to be read; what can be done with it is done by a second tap", () => {
    open(asks([play, pass]));
    tap(page.find('[data-thing="card:BSG1-027"]'));
    expect(page.chosen()).toEqual([]);
    expect(page.text(".window-read h2")).toBe("Fire Support");
    tap(page.find('.window-read [data-option="play BSG1-027"]'));
    expect(page.chosen()).toEqual(["play BSG1-027"]);
    expect(page.all(".window-read")).toEqual([]);
  });

  test("has the words of the card beside it too, for a screen on which it is small", () => {
    open(asks([], {}, { seat: 1 }));
    tap(page.find('[data-thing="piece:12"]'));
    expect(page.text(".window-read .read-text")).toBe("Ready target unit.Each player loses 1 influence.");
  });

  test("reads cards that can do nothing, and whose player is asked nothing", () => {
    open(asks([], {}, { seat: 1 }));
    tap(page.find('[data-thing="piece:12"]'));
    expect(page.text(".window-read h2")).toBe("Apollo, Commander Air Group");
    expect(page.all(".window-read [data-option]")).toEqual([]);
  });

  test("sees every use of a card that has several", () => {
    const supply = anOption("supply BSG1-027 t100", { card: "BSG1-027", target: 100, text: "As a supply card" });
    open(asks([play, supply, pass]));
    tap(page.find('[data-thing="card:BSG1-027"]'));
    expect(page.all(".window-read [data-option]").map((button) => button.dataset.option)).toEqual([
      "play BSG1-027",
      "supply BSG1-027 t100",
    ]);
    tap(page.button("Close"));
    expect(page.all(".window-read")).toEqual([]);
    expect(page.chosen()).toEqual([]);
  });

  test("reads a card to choose among before it chooses it", () => {
    const found = anOption("choose BSG1-099", { card: "BSG1-099", text: "Choose Apollo" });
    open(asks([found, anOption("choose nothing", { text: "Nothing" })], {}, { kind: "search" }));
    tap(page.find(".card-choices .tile"));
    expect(page.chosen()).toEqual([]);
    tap(page.find('.window-read [data-option="choose BSG1-099"]'));
    expect(page.chosen()).toEqual(["choose BSG1-099"]);
  });

  test("a button that spends a card opens the card first", () => {
    open(asks([play, pass]));
    tap(page.find(".prompt-buttons [data-option='play BSG1-027']"));
    expect(page.chosen()).toEqual([]);
    expect(page.text(".window-read h2")).toBe("Fire Support");
  });

  test("the second half of a double tap does nothing", () => {
    open(asks([play, pass]));
    tap(page.find('[data-thing="card:BSG1-027"]'));
    page.happen(() => {
      const second = new PointerEvent("click", { pointerType: "touch", detail: 2, bubbles: true });
      page.find('.window-read [data-option="play BSG1-027"]').dispatchEvent(second);
    });
    expect(page.chosen()).toEqual([]);
  });
});

test("a target that helps only an opponent is marked so", () => {
  const theirs = aPiece(30, { controller: 1 });
  const targets = [12, 30].map((piece) =>
    anOption(`choose ${piece}`, { piece, text: "Choose it", helps_opponent: piece === 30 }),
  );
  open(asks([...targets, pass], { players: [me, aPlayer(1, { alert: [theirs] })] }));
  expect(page.text('[data-thing="piece:30"] .tile-tag')).toBe("Helps Bob");
  expect(page.find('[data-thing="piece:30"]').getAttribute("aria-label")).toContain("helps Bob");
  expect(page.all('[data-thing="piece:12"] .tile-tag')).toEqual([]);
});

test("so is one that harms only oneself, and nothing that can also do something else", () => {
  const targets = [
    anOption("use 12", { piece: 12, text: "Use it", harms_you: true }),
    anOption("challenge 12 p1", { piece: 12, player: 1, text: "Challenge Bob" }),
    anOption("use 13", { piece: 13, text: "Use it", harms_you: true }),
  ];
  const alert = [aPiece(12), aPiece(13)];
  open(asks([...targets, pass], { players: [aPlayer(0, { alert }), aPlayer(1)] }));
  expect(page.text('[data-thing="piece:13"] .tile-tag')).toBe("Harms you");
  expect(page.all('[data-thing="piece:12"] .tile-tag')).toEqual([]);
  tap(page.find('[data-thing="piece:12"]'));
  expect(page.text('.window-read [data-option="use 12"]')).toBe("Use it harms you");
});

describe("paying", () => {
  const paying = (hand_cards: string[] = []) =>
    asks(
      [anOption("pay 100", { piece: 100 }), anOption("pay 101", { piece: 101 })],
      { players: [aPlayer(0, { hand_cards, stacks: [aStack(100, { yields: 3 }), aStack(101)] }), aPlayer(1)] },
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

  test("where every stack is needed there are no others to choose", () => {
    const keys = ["pay 100", "pay 101"];
    open(
      asks(
        [anOption("pay 100", { piece: 100 }), anOption("pay 101", { piece: 101 })],
        { players: [aPlayer(0, { stacks: [aStack(100), aStack(101)] }), aPlayer(1)] },
        { kind: "payment", owed: { security: 2 }, proposal: keys, can_take_back: true },
      ),
    );
    const buttons = page.all(".prompt-ways button:not(.pass-button)").map((button) => button.textContent);
    expect(buttons).toEqual(["Take back Esc", "Pay 2 Enter"]);
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

  test("Enter pays while the card that was played has the focus, and presses a stack that has it", () => {
    open(paying(["BSG1-027"]));
    const card = page.find('[data-thing="card:BSG1-027"]');
    card.focus();
    page.press("Enter");
    expect(page.chosen()).toEqual(["pay 100"]);
    page.close();
    open(paying());
    page.find('[data-thing="piece:101"]').focus();
    page.press("Enter");
    expect(page.chosen()).toEqual([]); // the browser clicks it
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

  test("? shows the keys, Escape closes them", async () => {
    open(asks([play, pass]));
    page.press("?");
    await shown(() => page.all(".window").length > 0);
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
    expect(page.find(".log-spoken[role=log]").getAttribute("aria-live")).toBe("polite");
  });

  test("the card that asks is lit up, with its words under the question", () => {
    const asked = { kind: "choose", card: "BSG1-099", piece: 8 };
    const asking = aPlayer(0, { alert: [aPiece(8, { card: "BSG1-099" })] });
    open(aView(aDecision([pass], asked), { players: [asking, aPlayer(1)] }));
    expect(page.find(".is-asking").dataset.piece).toBe("8");
    expect(page.text(".prompt-note")).toBe("Ready target unit.");
    page.close();

    const threats = [aPiece(8, { card: "BSG1-099" })];
    open(aView(aDecision([pass], asked), { players: [aPlayer(0), aPlayer(1)], threats }));
    expect(page.find(".is-asking").dataset.piece).toBe("8");
    expect(page.text(".prompt-note")).toBe("Each player loses 1 influence.");
    expect(page.find(".is-asking").getAttribute("aria-label")).toContain("from your deck");
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

  test("of the log only the sentences are read out, without the links to rules, on small screens as well", () => {
    open(asks([pass]));
    const event = anEvent("[[seat:0|Alice]] challenges with [[card:BSG1-099|Apollo]].", {
      kind: "challenge",
      player: 0,
    });
    page.hear(aTable(6, asks([pass]), { events: [{ version: 6, events: [event] }] }));
    expect(page.text(".log-line:last-child")).toBe("Alice (you) challenges with Apollo.");
    expect(page.text(".log-spoken p:last-child")).toBe("Alice (you) challenges with Apollo.");
    expect(page.all(".log-spoken a, .log-lines [aria-live], .log-lines[aria-live]")).toEqual([]);
  });

  test("somebody who looks on sees the table and no buttons", () => {
    open(asks([], { viewer: null }), { you: null });
    expect(page.text(".prompt-note")).toContain("You look on");
    expect(page.all(".pass-button, .is-choosable")).toEqual([]);
    expect(page.all(".prompt a")).toEqual([]);
  });

  test("who looks on at a ranked match is told that it is shown later, as long as it is", () => {
    const looking = asks([], { viewer: null });
    page = openPage(looking, { you: null }, false, 0, { delay: 1 });
    expect(page.text(".prompt-note")).toBe(
      "You look on: only what everybody may know is shown, one turn later than it happens.",
    );
    const result = { reason: "last", winners: [0], losers: [1] };
    page.hear(aTable(6, { ...looking, decision: null, result }, { you: null }));
    expect(
      page
        .all(".prompt-note")
        .map((note) => note.textContent)
        .join(),
    ).not.toContain("later");
  });

  test("a visitor whose own table it may be can sign in and come back", () => {
    page = openPage(asks([], { viewer: null }), { you: null }, true);
    expect(page.find(".prompt-note a").getAttribute("href")).toBe("/in/");
  });

  test("who was signed out elsewhere is told so, and can sign in and come back", () => {
    open(asks([play, pass]));
    page.happen((table) => table.lineEnded("Your session has ended."));
    expect(page.text(".prompt-asks")).toBe("You are no longer connected to this table.");
    expect(page.text(".prompt-note")).toBe("Your session has ended.");
    expect(page.find(".prompt a").getAttribute("href")).toBe("/in/");
    expect(page.find(".pass-button").hasAttribute("disabled")).toBe(true);
  });

  test("what is refused is read out, in a region that was there before; hints are not", () => {
    open(asks([play, pass]));
    const region = page.find(".prompt [role=status]");
    expect([region.textContent, page.text(".prompt-note")]).toEqual(["", "What glows can be chosen."]);
    page.hear({ type: "refused", id: null, code: "cannot_save", message: "Nothing can be saved.", version: 5 });
    expect(page.find(".prompt [role=status]")).toBe(region);
    expect(region.textContent).toBe("Nothing can be saved.");
  });

  test("a lost line is said, and does not take the table away", () => {
    open(asks([play, pass]));
    page.happen((table) => table.lineLost(900));
    expect(page.text(".line-state")).toBe("Reconnecting …");
    expect(page.all(".tile").length).toBeGreaterThan(2);
  });
});

describe("a server that does not answer", () => {
  afterEach(() => vi.useRealTimers());

  test("is told of after two seconds, with what is kept and what to do", () => {
    vi.useFakeTimers();
    open(asks([play, pass]));
    page.click(page.find(".is-choosable"));
    const saidAfter = (milliseconds: number): string => {
      page.happen(() => vi.advanceTimersByTime(milliseconds));
      return page.text(".prompt-note");
    };
    expect(saidAfter(600)).toBe("Sending …");
    expect(saidAfter(1_500)).toBe(
      "The server has not answered yet. Your choice is kept and sent again. Leave this page open.",
    );
    page.happen((table) => table.lineLost(400));
    expect(page.text(".prompt-note")).toContain("Your choice is kept");
  });

  test("is not told of while an answer that has come is still played out", () => {
    vi.useFakeTimers();
    open(asks([play, pass]));
    const { table } = page;
    vi.spyOn(table, "showFrame").mockImplementation(() => undefined);
    page.click(page.find(".is-choosable"));
    page.hear({ type: "accepted", id: "id1", version: 6 });
    page.happen(() => vi.advanceTimersByTime(600));
    expect(page.text(".prompt-note")).toBe("Sending …"); // what came of it is still to come
    page.hear(aTable(6, asks([pass])));
    page.happen(() => vi.advanceTimersByTime(4_000));
    expect(page.all(".prompt-note.is-line")).toEqual([]);
  });

  test("what is answered is asked no more while what comes of it is played out", () => {
    open(asks([play, pass], {}, { prompt: "Your action." }));
    const { table } = page;
    vi.spyOn(table, "showFrame").mockImplementation(() => undefined);
    page.click(page.find(".is-choosable"));
    expect(page.text(".prompt-asks")).toBe("Your action."); // the server may refuse it
    page.hear({ type: "accepted", id: "id1", version: 6 });
    page.hear(aTable(6, asks([pass])));
    expect(page.text(".prompt-asks")).toBe("The table moves on …");
    expect(page.all(".prompt.is-mine, .player.is-deciding")).toEqual([]);
  });

  test("what is passed by itself is not asked while the answer is on its way", () => {
    vi.useFakeTimers();
    open(asks([pass], {}, { kind: "effects", prompt: "Play an event, or pass?" }));
    page.happen((table) => table.set({ autoPass: "alone" }));
    page.happen(() => vi.advanceTimersByTime(5_000));
    expect(page.chosen()).toEqual(["pass"]);
    expect(page.text(".prompt-asks")).toBe("The table moves on …");
  });

  test("without a network that is said at once", () => {
    open(asks([play, pass]));
    const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    page.happen(() => dispatchEvent(new Event("offline")));
    expect(page.text(".prompt-note")).toContain("You are offline");
    network.mockReturnValue(true);
    page.happen(() => dispatchEvent(new Event("online")));
    expect(page.all(".prompt-note.is-line")).toEqual([]);
    network.mockRestore();
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
      stake: 2,
    };
    open(asks([pass], { challenge, players: [me, aPlayer(1, { alert: [raider] })] }));
    expect(page.all(".total").map((total) => total.textContent)).toEqual(["2", "4"]);
    expect(page.all(".tile-ghost")).toHaveLength(2);
    expect(page.text(".side.is-far")).toContain("Bob passed");
    const mystic = anEvent("Ana reveals Apollo: mystic value 3.", { kind: "mystic", player: 0, number: 3 });
    page.happen((table) => table.stage(mystic));
    expect(page.all(".total").map((total) => total.textContent)).toEqual(["5", "4"]);
  });

  const begun = (more: Partial<ChallengeView> = {}): ChallengeView => ({
    challenging: 1,
    challenged: 0,
    challenger: 30,
    defender: null,
    threat: null,
    cylon_player: null,
    as_type: "ship",
    step: "defend",
    mystic: [],
    passed: [],
    stake: 2,
    ...more,
  });
  const raider = aPiece(30, { controller: 1, power: 2 });

  test("tells what is lost undefended, who cannot defend and why", () => {
    const asked = {
      kind: "defend",
      unable: [{ verb: "defend", piece: 12, reason: "other_type" as const, text: "" }].map((use) => ({
        ...use,
        card: null,
        number: null,
        missing: {},
        unmet: [],
      })),
    };
    const decline = anOption("decline", { text: "Do not defend" });
    open(asks([decline], { challenge: begun(), players: [me, aPlayer(1, { alert: [raider] })] }, asked));
    expect(page.text(".totals-stake")).toBe("Undefended you lose 2 influence");
    expect(page.text(".prompt-note")).toBe("Cannot defend: Apollo (not of the challenger’s type).");
  });

  test("no question is asked that the table answers by itself", () => {
    open(asks([pass], {}, { kind: "effects", prompt: "Play an event, or pass?" }));
    expect(page.text(".prompt-asks")).toBe("Play an event, or pass?");
    page.happen((table) => table.set({ autoPass: "alone" }));
    expect(page.text(".prompt-asks")).toBe("Nothing is possible here but to pass …");
  });

  test("where all that could be done helps an opponent, that is what is said", () => {
    open(asks([{ ...play, helps_opponent: true }, pass]));
    page.happen((table) => table.set({ autoPass: "alone" }));
    expect(page.text(".prompt-asks")).toBe("All you could do here only helps an opponent: passing for you …");
    expect(page.all(".prompt-note.is-hint").map((hint) => hint.textContent?.trim())).toEqual([""]);
  });

  test("what it costs to challenge no Cylon threat is told, also where the table passes by itself", () => {
    const unable = [{ verb: "challenge", piece: 12, reason: "not_alert" as const, text: "" }].map((use) => ({
      ...use,
      card: null,
      number: null,
      missing: {},
      unmet: [],
    }));
    open(asks([pass], {}, { kind: "cylon", prompt: "You pass and lose 1 influence.", unable }));
    page.happen((table) => table.set({ autoPass: "alone" }));
    expect(page.text(".prompt-asks")).toBe("You pass and lose 1 influence.");
    expect(page.text(".prompt-note")).toBe("Cannot challenge: Apollo (in reserve).");
  });

  test("shows the cards that were revealed for their mystic values", () => {
    const challenge = begun({ defender: 12, step: "mystic", mystic: [[1, 3]] });
    const events = [
      anEvent("", { kind: "challenge", player: 1 }),
      anEvent("", { kind: "mystic", player: 1, card: "BSG1-027", number: 3 }),
    ];
    const players = [me, aPlayer(1, { alert: [raider] })];
    open(asks([pass], { challenge, players }), { events: [{ version: 5, events }] });
    expect(page.all(".mystic-cards .tile").map((tile) => tile.getAttribute("aria-label"))).toEqual([
      "Revealed: Fire Support, mystic value 3",
    ]);
  });
});

describe("more players", () => {
  const openFleets = () => page.all(".fleet.is-far").map((fleet) => fleet.dataset.fleet);

  // The window of these tests is 1024 by 768: there is room for one fleet.
  test("as many fleets are open as there is room for, and whom one looks at comes first", () => {
    open(asks([pass], { players: [me, aPlayer(1), aPlayer(2), aPlayer(3)] }));
    expect(openFleets()).toEqual(["1"]);
    page.click(page.find('.player-fold[aria-expanded="false"]'));
    expect(openFleets()).toEqual(["2"]);
  });

  test("fleets with something to choose in them are always open", () => {
    const targets = [30, 40].map((piece) => anOption(`choose ${piece}`, { piece }));
    const carol = aPlayer(2, { alert: [aPiece(30, { controller: 2 })] });
    const dave = aPlayer(3, { alert: [aPiece(40, { controller: 3 })] });
    open(asks([...targets, pass], { players: [me, aPlayer(1), carol, dave] }));
    expect(openFleets()).toEqual(["2", "3"]);
  });

  test("who is out of the game keeps no place on the board", () => {
    open(asks([pass], { players: [me, aPlayer(1, { lost: true }), aPlayer(2), aPlayer(3)] }));
    expect(openFleets()).toEqual(["2"]);
    expect(page.all(".player.is-lost .player-fold")).toHaveLength(0);
  });
});

describe("the end", () => {
  const over = () => asks([], { decision: null, result: { winners: [0], losers: [1], reason: "influence" } });

  test("says who won, and where to go on", async () => {
    open(over(), { over: true });
    await shown(() => page.all(".window-over").length > 0);
    expect(page.text(".window-over h2")).toBe("You win.");
    expect(page.button("Play again").getAttribute("form")).toBe("rematch");
    expect(page.all(".window a").map((link) => link.getAttribute("href"))).toEqual(["/play/mine/", "/play/"]);
  });

  test("who looks at the table again can come back to it, and go on from there too", async () => {
    open(over(), { over: true });
    await shown(() => page.all(".window-over").length > 0);
    page.click(page.button("Look at the table"));
    expect(page.all(".window")).toEqual([]);
    expect(page.find(".prompt-buttons button[form=rematch]").textContent).toBe("Play again");
    expect(page.find(".prompt-buttons a").getAttribute("href")).toBe("/play/");
    page.click(page.button("How it went"));
    expect(page.text(".window-over h2")).toBe("You win.");
  });

  test("nobody is shown with less than no influence", () => {
    open(asks([pass], { players: [me, aPlayer(1, { influence: -1, lost: true })] }));
    expect(page.find('[data-count="influence:1"]').textContent).toBe("0");
  });

  test("conceding asks first", async () => {
    open(asks([pass]));
    page.click(page.find(".top-tools button:nth-last-child(2)"));
    // The window is loaded when it is opened.
    page.click(await vi.waitFor(() => page.button("Concede …"), { timeout: 20_000 }));
    expect(page.sent.some((message) => message.type === "concede")).toBe(false);
    page.click(await vi.waitFor(() => page.find(".window-actions .button-danger"), { timeout: 20_000 }));
    expect(page.sent.at(-1)).toMatchObject({ type: "concede" });
  }, 30_000);
});

describe("opening hands, which are asked of all at once", () => {
  const options = [anOption("keep", { text: "Keep this hand" }), anOption("redraw", { text: "Draw a new hand" })];
  const about = { kind: "opening_hand", prompt: "Keep this opening hand, or draw a new one?" };
  const setup: Partial<View> = { turn: 0, phase: "setup", step: "opening_hand" };
  const waitsFor = (seat: number) => aView(aDecision([], { seat, kind: "opening_hand", prompt: "Waiting." }), setup);
  const acting = () => page.all(".player.is-deciding").map((panel) => panel.getAttribute("aria-label"));

  test("one's own question is there at once, and all who are asked are marked", () => {
    open(asks(options, setup, { ...about, others: [1] }));
    expect(page.text(".prompt-asks")).toContain("Keep this opening hand");
    expect(acting().sort()).toEqual(["Bob", "You"]);
    page.click(page.button("Draw a new hand"));
    expect(page.chosen()).toEqual(["redraw"]);
  });

  test("after the answer it says for whom the table waits", () => {
    open(asks(options, setup, { ...about, others: [1] }));
    page.click(page.button("Keep this hand"));
    page.hear({ type: "accepted", id: "id1", version: 6 });
    page.hear(aTable(6, waitsFor(1)));
    expect(page.text(".prompt-asks")).toBe("Waiting.");
    expect(page.all(".prompt-buttons .option-button")).toEqual([]);
    expect(acting()).toEqual(["Bob"]);
  });

  test("an answer of somebody else on the way asks nothing again", () => {
    open(asks(options, setup, { ...about, others: [1] }));
    page.click(page.button("Keep this hand"));
    page.hear(aTable(6, asks(options, setup, about))); // Bob was quicker
    expect(page.all(".prompt-buttons .option-button")).toEqual([]);
    page.hear({ type: "accepted", id: "id1", version: 7 });
    expect(page.all(".prompt-buttons .option-button")).toEqual([]);
    page.hear(aTable(7, asks([pass])));
    expect(page.chosen()).toEqual(["keep"]);
    expect(page.all(".prompt-buttons [data-option]").map((button) => button.dataset.option)).toEqual(["pass"]);
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

  test("known cards of another hand can be looked at", async () => {
    open(asks([pass], { players: [me, aPlayer(1, { hand_cards: ["BSG1-027"] })] }));
    page.click(page.find(".counts .is-known"));
    // The window is loaded when it is opened.
    await vi.waitFor(() => expect(page.text(".window h2")).toContain("Bob’s hand"), { timeout: 20_000 });
    expect(page.all(".pile li")).toHaveLength(1);
  }, 30_000);
});
