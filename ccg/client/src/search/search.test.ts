import { describe, expect, it } from "vitest";
import type { CardFacts } from "../cards/facts";
import { unknownCard } from "../cards/facts";
import { completions, fold, type Known, nearest, QueryError, SearchableCards } from ".";

const card = (id: string, facts: Partial<CardFacts>): CardFacts => ({ ...unknownCard(id), set: "ONE", ...facts });

const cards = new SearchableCards([
  card("ONE-1", {
    type: "ship",
    name: "Raptor 7",
    subtitle: "Raptor 7",
    traits: ["Scout"],
    cost: { logistics: 2 },
    power: 1,
  }),
  card("ONE-2", {
    type: "mission",
    name: "Long Way Home",
    requires: ["Pilot", "ship"],
    text: ["Draw [[icon:hand|a card]]."],
  }),
  card("ONE-3", {
    type: "personnel",
    title: "D’Anna",
    name: "D’Anna, Reporter",
    subtitle: "Reporter",
    traits: ["Civilian", "Cylon"],
    power: 3,
    reprints: [{ set: "TWO", number: 9, rarity: "rare" }],
  }),
]);

const found = (query: string, deck?: string[]): string[] =>
  cards.search(query, deck ? { groups: { in: { deck: new Set(deck) } } } : {}).map(({ id }) => id);

function refused(query: string): QueryError {
  try {
    cards.search(query);
  } catch (error) {
    if (error instanceof QueryError) return error;
  }
  throw new Error(`${query} was read`);
}

describe("searching", () => {
  it.each([
    ["", ["ONE-1", "ONE-2", "ONE-3"]],
    ["danna", ["ONE-3"]],
    ["t:unit -tr:scout", ["ONE-3"]],
    ["cost>=1 or resolve:pilot", ["ONE-1", "ONE-2"]],
    ["-cost<3", ["ONE-2"]],
    ["cost:0", ["ONE-3"]],
    ['text:"draw a card"', ["ONE-2"]],
    ["set:two num:9", ["ONE-3"]],
    ["set=one", ["ONE-1", "ONE-2"]],
    ["tr=cylon&civilian", ["ONE-3"]],
    ["is:singular", ["ONE-3"]],
    ["has:power has:produces", []],
    ["has:power", ["ONE-1", "ONE-3"]],
    ["order:pow", ["ONE-3", "ONE-1", "ONE-2"]],
    ["order:pow dir:asc", ["ONE-1", "ONE-3", "ONE-2"]],
    ["order:pow raptor or t:personnel", ["ONE-3", "ONE-1"]],
    ["t:ship dir:asc or t:personnel order:pow", ["ONE-1", "ONE-3"]],
  ])("finds by %s", (query, expected) => expect(found(query)).toEqual(expected));

  it("asks for the deck that is open, and says where there is none", () => {
    expect(found("in:deck", ["ONE-2"])).toEqual(["ONE-2"]);
    expect(found("-in:deck t:unit", ["ONE-1"])).toEqual(["ONE-3"]);
    expect(refused("in:deck").code).toBe("no deck");
  });
});

describe("what is known beside the cards", () => {
  const known: Known = {
    groups: {
      legal: { now: new Set(["ONE-1"]), "standard-2006": new Set() },
      with: { "ONE-3": new Set(["ONE-2", "ONE-3"]) },
    },
    counts: { owned: { "ONE-2": 3 } },
  };
  const beside = (query: string): string[] => cards.search(query, known).map(({ id }) => id);

  it.each([
    ["legal:now", ["ONE-1"]],
    ["legal:standard-2006", []],
    ["-legal:now t:unit", ["ONE-3"]],
    ['with:"d\'anna" t:mission', ["ONE-2"]],
    ["owned>=2", ["ONE-2"]],
    ["owned:0", ["ONE-1", "ONE-3"]],
    ["-owned>=1", ["ONE-1", "ONE-3"]],
  ])("finds by %s", (query, expected) => expect(beside(query)).toEqual(expected));

  it.each([
    ["owned>1", "no collection"],
    ["with:raptor", "no decks"],
    ["fits:deck", "no deck"],
  ])("%s is refused where nobody has said it", (query, code) => expect(refused(query).code).toBe(code));
});

it("takes initials together, with or without stops", () => {
  expect(fold("I.H.T. Colonial One")).toBe("iht colonial one");
  expect(fold("IHT")).toBe("iht");
  expect(fold("You’re A Normal Human")).toBe("youre a normal human");
  expect(fold("D´Anna")).toBe("danna");
  expect(fold("D`Anna")).toBe("danna");
  expect(fold("Straße")).toBe(fold("STRASSE"));
  expect(fold("BS\u201375 Human\u2011Lover")).toBe("bs 75 human lover");
});

describe("what only shows", () => {
  it("leaves out what is switched off, and reads no further in it", () => {
    expect(found("~t:ship power:3")).toEqual(["ONE-3"]);
    expect(found("~-(t:ship or nothing:real)")).toEqual(["ONE-1", "ONE-2", "ONE-3"]);
    expect(refused("raptor or ~t:ship").code).toBe("not inside");
  });

  it("has to stand beside something on each side of an or", () => {
    expect(refused("raptor or order:pow").code).toBe("not inside");
    expect(refused("raptor or (t:ship order:pow)").code).toBe("not inside");
  });

  it("shows one card of each title", () => {
    const two = new SearchableCards([
      card("ONE-1", { name: "Six", title: "Six", power: 1 }),
      card("ONE-2", { name: "Six, Spy", title: "Six", power: 2 }),
      card("ONE-3", { name: "Raptor 7", power: 1 }),
      card("ONE-4", { name: "Raptor 9", power: 1 }),
    ]);
    const ids = two.search("order:pow unique:title").map(({ id }) => id);
    expect(ids).toEqual(["ONE-2", "ONE-3", "ONE-4"]);
  });
});

describe("what cannot be read", () => {
  it("is told with its place and what may have been meant", () => {
    const { message, start, end, suggestion } = refused("raptor pwr:3");
    expect([message, start, end, suggestion]).toEqual(["There is no field “pwr”.", 7, 10, "pow"]);
    expect(refused("tr:scuot").suggestion).toBe("scout");
    expect(refused("(a").message).toBe("This parenthesis is not closed.");
  });

  it("is bounded, in signs as people count them", () => {
    expect(refused("🚀".repeat(257)).code).toBe("too long");
    expect(refused("🚀".repeat(256)).code).toBe("nothing to find");
    expect(refused("x ".repeat(21)).code).toBe("too many terms");
    expect(refused("((((((x))))))").code).toBe("too deep");
  });

  it("is not guessed from one sign", () => expect(nearest("x", ["s", "t"])).toBe(""));
});

describe("what could come next", () => {
  const words = (query: string): string[] =>
    completions(query, query.length, cards.vocabulary).words.map(({ word }) => word);

  it.each([
    ["tr", ["trait:"]],
    ["-(mys", ["mystic:"]],
    ["trait:c", ["civilian", "cylon"]],
    ["trait:civilian|", ["civilian", "cylon", "scout"]],
    ["t:ship|mi", ["mission"]],
    ["has:tr", ["trait"]],
    ["is:", ["singular", "unscripted", "unit", "scripted", "dual", "promo", "starter"]],
    ["t:ship ", []],
    ['"tr', []],
  ])("behind %s", (query, expected) => expect(words(query)).toEqual(expected));

  it("says what it replaces", () => {
    expect(completions("t:shi raptor", 5, cards.vocabulary)).toMatchObject({ start: 2, end: 5 });
  });
});
