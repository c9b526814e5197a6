// @vitest-environment happy-dom
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startPreviews } from "../cards";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, anEvent, anOption, aPiece, aPlayer, aStack, aTable, aView } from "./fixtures/small";
import type { CauseView, UseView, View } from "./types";
import { causeWords } from "./why";
import { ruleWords } from "./why-notes";

const pass = anOption("pass", { text: "Pass" });
const cause = (more: Partial<CauseView> = {}): CauseView => ({
  kind: "power",
  card: "BSG1-099",
  until: "in play",
  amount: 1,
  word: "",
  piece: 12,
  ...more,
});
const use = (more: Partial<UseView>): UseView => ({
  verb: "play",
  card: null,
  piece: null,
  number: null,
  reason: null,
  text: "",
  missing: {},
  unmet: [],
  ...more,
});
const cannotPay = use({
  card: "BSG1-027",
  reason: "cost",
  text: "It needs 1 [[icon:security|security]] more.",
  missing: { security: 1 },
});

const me = aPlayer(0, {
  alert: [aPiece(12, { power: 4, why: [cause(), cause({ card: "BSG1-027", until: "end of turn", piece: null })] })],
  stacks: [aStack(1, { supplies: 2, yields: 3 })],
  hand_cards: ["BSG1-027"],
  hand: 1,
});
const view = (more: Partial<View> = {}): View =>
  aView(aDecision([pass]), { players: [me, aPlayer(1, { alert: [aPiece(20, { controller: 1 })] })], ...more });

let page: Page;
let stop: () => void;
const rest = async (element: Element): Promise<void> => {
  act(() => void element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" })));
  await act(async () => {
    await vi.advanceTimersByTimeAsync(300);
  });
};
const preview = (): string => document.querySelector(".card-preview .preview-notes")?.textContent ?? "";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response("", { status: 503 })),
  );
  stop = startPreviews({ delay: 100 });
});
afterEach(() => {
  stop();
  page.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("why a number is what it is", () => {
  test("pointing at a piece shows its causes: how much, from which card, until when", async () => {
    page = openPage(view());
    await rest(page.find('[data-thing="piece:12"]'));
    expect(preview()).toContain("+1 power · Apollo, Commander Air Group while it is in play");
    expect(preview()).toContain("+1 power · Fire Support until the turn ends");
    expect(
      [...document.querySelectorAll(".preview-notes .card-name")].map((name) => name.getAttribute("data-card")),
    ).toEqual(["BSG1-099", "BSG1-027"]);
  });

  test("a piece as it is printed has nothing to say", async () => {
    page = openPage(view());
    await rest(page.find('[data-thing="piece:20"]'));
    expect(document.querySelector(".card-preview .card-full")).not.toBeNull();
    expect(preview()).toBe("");
  });

  test("its name says by what it was raised, and an arrow marks it", () => {
    page = openPage(view());
    const tile = page.find('[data-thing="piece:12"]');
    expect(tile.getAttribute("aria-label")).toContain("power 4, raised from 2 by Apollo and Fire Support");
    expect(tile.querySelector(".power.is-raised .power-arrow")).not.toBeNull();
  });

  test("a stack tells of its supply cards, an exhausted unit that it lies face down", async () => {
    page = openPage(view({ players: [me, aPlayer(1, { alert: [aPiece(20, { exhausted: true, power: 0 })] })] }));
    await rest(page.find('[data-thing="piece:1"]'));
    expect(preview()).toBe("Makes 3: 1, and 1 for each of 2 supply cards.");
    expect(ruleWords(aStack(2, { supplies: 1, yields: 2 }))[0]?.text).toBe("Makes 2: 1, and 1 for its supply card.");
    await rest(page.find('[data-thing="piece:20"]'));
    expect(preview()).toContain("it lies face down");
  });

  test("a card that is cheaper now is marked and says why", async () => {
    const cheaper = cause({ kind: "cheaper", amount: -1, until: "next action", card: "BSG1-099" });
    page = openPage(view({ players: [{ ...me, why: [cheaper] }, aPlayer(1)] }));
    const tile = page.find('[data-thing="card:BSG1-027"]');
    expect(tile.querySelector(".cost-cheaper")?.textContent).toBe("−1");
    expect(tile.getAttribute("aria-label")).toContain("costs 1 of one resource less now");
    await rest(tile);
    expect(preview()).toContain("the next card costs 1 of one resource less · Apollo");
    expect(page.find(".why-chip").textContent).toContain("1");
  });

  test("the levels say what they are made of", async () => {
    const fleet = cause({ kind: "fleet", amount: 2, card: "BSG1-099" });
    page = openPage(view({ fleet_defense: 12, threat_level: 2, why: [fleet] }));
    expect(page.find(".gauge-flag").classList).toContain("is-raised");
    expect(page.text(".gauge-words")).toContain("+2 fleet defense from Apollo");
    await rest(page.find(".gauge-level"));
    expect(preview()).toContain("Fleet defense 12, from the power of bases");
    expect(preview()).toContain("+2 fleet defense · Apollo");
  });

  test("a revealed mystic value says what was added", async () => {
    const revealed = anEvent("", {
      kind: "mystic",
      player: 0,
      card: "BSG1-099",
      number: 3,
      text: "Ana reveals Apollo: 3.",
    });
    const challenge = {
      challenging: 0,
      challenged: 1,
      challenger: 12,
      defender: 20,
      threat: null,
      cylon_player: null,
      as_type: "personnel",
      step: "result" as const,
      mystic: [[0, 3]] as [number, number][],
      passed: [],
      stake: 0,
    };
    const events = [
      anEvent("", { kind: "challenge", player: 0 }),
      { ...revealed, why: [cause({ kind: "revealed", word: "card" })] },
    ];
    page = openPage(view({ challenge }), { events: [{ version: 5, events }] });
    await rest(page.find('[data-why="mystic:0"]'));
    expect(preview()).toContain("Ana reveals Apollo: 3.");
    expect(preview()).toContain("+1 to revealed mystic values · Apollo");
  });

  test("words for every kind of change", () => {
    page = openPage(view());
    expect(causeWords(cause({ kind: "trait", word: "-Pilot", amount: 0 }))).toBe(
      "no Pilot from Apollo, while it is in play",
    );
    expect(causeWords(cause({ kind: "keyword", word: "sniper", until: "linked" }))).toContain("has Sniper from Apollo");
    expect(causeWords(cause({ kind: "cannot", word: "challenge" }))).toContain("cannot challenge");
    expect(causeWords(cause({ kind: "cannot", word: "be targeted by power" }))).toContain(
      "cannot be targeted by effects that change its power",
    );
    expect(causeWords(cause({ kind: "threat", amount: -2 }))).toContain("−2 Cylon threat");
    expect(causeWords(cause({ kind: "reveal", word: "sum" }))).toContain("sum of two");
    expect(causeWords(cause({ kind: "revealed", word: "Cylon card" }))).toContain("(Cylon card)");
  });
});

describe("why not", () => {
  const asked = () => page.sent.filter((message) => message.type === "why");

  test("is asked once for a version, when somebody looks at a card of their own", async () => {
    page = openPage(view());
    await rest(page.find('[data-thing="piece:20"]'));
    expect(asked()).toEqual([]);
    await rest(page.find('[data-thing="card:BSG1-027"]'));
    await rest(page.find('[data-thing="piece:12"]'));
    expect(asked()).toEqual([{ type: "why", version: 5 }]);
  });

  test("the answer shows at the card, and in its name", async () => {
    page = openPage(view());
    await rest(page.find('[data-thing="card:BSG1-027"]'));
    expect(preview()).toBe("");
    page.hear({ type: "why", version: 5, uses: [cannotPay] });
    expect(preview()).toContain("Play: It needs 1");
    expect(page.find('[data-thing="card:BSG1-027"]').getAttribute("aria-label")).toContain(
      "Play: It needs 1 security more.",
    );
  });

  test("equal reasons are said once, what can be done not at all", async () => {
    page = openPage(view());
    const text = "[[card:BSG1-099|Apollo]] is exhausted.";
    const uses = ["use", "challenge"].map((verb) => use({ verb, piece: 12, reason: "exhausted", text }));
    page.hear({ type: "why", version: 5, uses: [...uses, use({ verb: "boost", piece: 12 })] });
    await rest(page.find('[data-thing="piece:12"]'));
    expect([...document.querySelectorAll(".preview-notes .why-not")].map((line) => line.textContent)).toEqual([
      "Use, Challenge: Apollo is exhausted.",
    ]);
  });

  test("what can answer the question is not told that something else is asked", async () => {
    const asked = { card: "BSG1-027", reason: "other_decision", text: "Something else is asked first." } as const;
    const decision = aDecision([anOption("lay", { card: "BSG1-027", text: "As an asset" }), pass]);
    page = openPage(view({ decision }));
    await rest(page.find('[data-thing="card:BSG1-027"]'));
    page.hear({ type: "why", version: 5, uses: [use(asked), cannotPay] });
    expect(preview()).toContain("It needs 1");
    expect(preview()).not.toContain("Something else is asked first.");
    page.hear(aTable(6, view(), { since: 5, you: 0, events: [] }));
    page.hear({ type: "why", version: 6, uses: [use(asked), cannotPay] });
    expect(preview()).toContain("Something else is asked first.");
  });

  test("in a pause nothing is told to be asked before what is asked", async () => {
    const asked = { card: "BSG1-027", reason: "other_decision", text: "Something else is asked first." } as const;
    const decision = aDecision([anOption("lay", { card: "BSG1-027", text: "As an asset" }), pass]);
    const clocks = { tempo: "live 600+10", low: 0, paused: true, resuming: [], pause_left: 60_000, seats: [] };
    page = openPage(view({ decision }), { clocks });
    await rest(page.find('[data-thing="card:BSG1-027"]'));
    page.hear({ type: "why", version: 5, uses: [use(asked), cannotPay] });
    expect(preview()).toContain("It needs 1");
    expect(preview()).not.toContain("Something else is asked first.");
  });

  test("what has the focus is said to those who listen", () => {
    page = openPage(view());
    act(() => page.find('[data-thing="card:BSG1-027"]').focus());
    expect(asked()).toHaveLength(1);
    page.hear({ type: "why", version: 5, uses: [cannotPay] });
    expect(page.text(".why-spoken")).toBe("Play: It needs 1 security more.");
  });

  test("an answer about an earlier table is not shown, and a refused question says nothing", () => {
    page = openPage(view());
    page.hear({ type: "why", version: 4, uses: [cannotPay] });
    expect(page.find('[data-thing="card:BSG1-027"]').getAttribute("aria-label")).not.toContain("needs");
    page.hear({ type: "refused", id: null, code: "late", message: "The table is at another version.", version: 5 });
    expect(page.table.store.get().notice).toBeNull();
  });

  test("who looks on asks nothing", async () => {
    page = openPage(view({ viewer: null }));
    await rest(page.find('[data-thing="piece:12"]'));
    expect(asked()).toEqual([]);
  });
});
