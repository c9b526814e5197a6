import { describe, expect, test } from "vitest";
import { aDecision, anOption, aPiece, aPlayer, aView } from "./fixtures/small";
import { choicesOf, clickOn, dropOn, dropOnFleet, dropsOf, numbered, onlyPassLeft, usualChoice } from "./options";

const pass = anOption("pass");
const viper = aPiece(12, { role: "ship" });
const starbuck = aPiece(14);
const players = [
  aPlayer(0, { alert: [viper, starbuck], hand_cards: ["BSG1-027", "BSG1-099"] }),
  aPlayer(1),
  aPlayer(2),
];

const challenges = [
  anOption("challenge 12 p1", { piece: 12, player: 1 }),
  anOption("challenge 12 p2", { piece: 12, player: 2 }),
];
const play = anOption("play BSG1-027", { card: "BSG1-027" });

const view = (...options: ReturnType<typeof anOption>[]) => aView(aDecision(options), { players });

describe("what glows", () => {
  test("first the thing that one would take into the hand", () => {
    const choices = choicesOf(view(...challenges, play, pass), []);
    expect([...choices.glowing]).toEqual(["piece:12", "card:BSG1-027"]);
    expect(choices.pass).toBe(pass);
  });

  test("then whom or what it may be used on", () => {
    const choices = choicesOf(view(...challenges, play, pass), ["piece:12"]);
    expect([...choices.glowing]).toEqual(["seat:1", "seat:2"]);
    expect(choices.matching).toEqual(challenges);
  });

  test("nothing, when somebody else decides", () => {
    const others = aView(aDecision([], { seat: 1 }), { players });
    expect(choicesOf(others, []).glowing.size).toBe(0);
    expect(choicesOf(null, []).matching).toEqual([]);
  });

  test("cards that lie nowhere on the table become buttons", () => {
    const fromDiscard = anOption("choose BSG1-050", { card: "BSG1-050" });
    const choices = choicesOf(view(fromDiscard, play), []);
    expect(choices.plain).toEqual([fromDiscard]);
    expect(numbered(choices)).toEqual([fromDiscard, play]);
  });
});

describe("a click", () => {
  test("chooses when only one option uses the thing", () => {
    expect(clickOn(view(play, pass), [], "card:BSG1-027")).toEqual({ does: "choose", option: play });
  });

  test("waits for the second thing when that is what tells the options apart", () => {
    expect(clickOn(view(...challenges), [], "piece:12")).toEqual({ does: "pick", picked: ["piece:12"], menu: false });
    expect(clickOn(view(...challenges), ["piece:12"], "seat:2")).toEqual({ does: "choose", option: challenges[1] });
  });

  test("opens a menu when the thing alone could be meant", () => {
    const asset = anOption("asset BSG1-099", { card: "BSG1-099" });
    const supply = anOption("supply BSG1-099 under 100", { card: "BSG1-099", target: 100 });
    expect(clickOn(view(asset, supply), [], "card:BSG1-099")).toMatchObject({ does: "pick", menu: true });
    expect(clickOn(view(asset, supply), ["card:BSG1-099"], "piece:100")).toEqual({ does: "choose", option: supply });
  });

  test("on the same thing again lets go of it", () => {
    expect(clickOn(view(...challenges), ["piece:12"], "piece:12")).toEqual({ does: "unpick" });
  });

  test("on another usable thing starts over with that one", () => {
    const boosts = [anOption("boost a 14", { piece: 14 }), anOption("boost b 14", { piece: 14 })];
    const click = clickOn(view(...challenges, ...boosts), ["piece:12"], "piece:14");
    expect(click).toEqual({ does: "pick", picked: ["piece:14"], menu: true });
  });

  test("on a thing that no option names does nothing", () => {
    expect(clickOn(view(play), [], "piece:14")).toEqual({ does: "nothing" });
  });

  test("on a unit means the mission linked to it, where that is what an option names", () => {
    const linked = aPiece(14, { links: [{ id: 77, card: "BSG1-080", owner: 0, exhausted: false }] });
    const use = anOption("use BSG1-080 77", { piece: 77, card: "BSG1-080" });
    const table = aView(aDecision([use, pass]), { players: [aPlayer(0, { alert: [linked] }), aPlayer(1)] });
    expect([...choicesOf(table, []).glowing]).toEqual(["piece:14"]);
    expect(clickOn(table, [], "piece:14")).toEqual({ does: "choose", option: use });
  });

  test("never passes", () => {
    const odd = anOption("pass", { player: 0 });
    expect(clickOn(view(odd), [], "seat:0")).toEqual({ does: "nothing" });
  });
});

describe("dropping", () => {
  const asset = anOption("asset BSG1-099", { card: "BSG1-099" });
  const supply = anOption("supply BSG1-099 under 100", { card: "BSG1-099", target: 100 });

  test("on a thing takes the option that names both", () => {
    expect(dropOn(view(asset, supply), "card:BSG1-099", "piece:100")).toBe(supply);
    expect(dropOn(view(asset, supply), "card:BSG1-099", "piece:14")).toBeNull();
  });

  test("on the fleet takes the option that needs nothing else", () => {
    expect(dropOnFleet(view(asset, supply), "card:BSG1-099")).toBe(asset);
  });
});

describe("where a dragged card may be dropped", () => {
  const asset = anOption("asset BSG1-099", { card: "BSG1-099" });
  const supply = anOption("supply BSG1-099 under 100", { card: "BSG1-099", target: 100 });
  const play = anOption("play BSG1-027", { card: "BSG1-027" });

  test("the fleet and the stacks that its options name", () => {
    const drops = dropsOf(view(asset, supply, play), "card:BSG1-099");
    expect([...drops.things]).toEqual(["piece:100"]);
    expect(drops.fleet).toBe(true);
  });

  test("nowhere while it means nothing, or somebody else decides", () => {
    expect(dropsOf(view(play), "card:BSG1-099")).toEqual({ things: new Set(), fleet: false });
    const theirs = { ...view(asset), viewer: 1 };
    expect(dropsOf(theirs, "card:BSG1-099")).toEqual({ things: new Set(), fleet: false });
  });
});

describe("the usual choice", () => {
  test("pays as proposed, unless other stacks are wanted", () => {
    const paying = aView(aDecision([anOption("pay 100", { piece: 100 })], { kind: "payment", proposal: ["pay 100"] }));
    expect(usualChoice(paying, [], false)).toEqual({ does: "pay" });
    expect(usualChoice(paying, [], true)).toBeNull();
  });

  test("is the first button where there are only buttons", () => {
    const keep = anOption("keep");
    expect(usualChoice(aView(aDecision([keep, anOption("redraw")])), [], false)).toEqual({
      does: "choose",
      option: keep,
    });
  });

  test("is passing only when nothing else is left", () => {
    expect(usualChoice(view(pass), [], false)).toEqual({ does: "choose", option: pass });
    expect(usualChoice(view(play, pass), [], false)).toBeNull();
    expect(onlyPassLeft(view(pass))).toBe(true);
    expect(onlyPassLeft(view(play, pass))).toBe(false);
  });
});
