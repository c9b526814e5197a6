import { expect, it } from "vitest";
import { unknownCard } from "../cards/facts";
import { chosen, offered, search, toggled } from "./search";

const cards = [
  { ...unknownCard("A-1"), type: "ship" as const, name: "Viper 7", subtitle: "Viper 7", cost: { logistics: 3 } },
  { ...unknownCard("A-2"), type: "personnel" as const, name: "Apollo", title: "Apollo", subtitle: "" },
];
const found = (query: string, deck: string[] = []) =>
  search(query, cards, { groups: { in: { deck: new Set(deck) } } }).cards.map(({ id }) => id);

it("asks in the language of the site, the open deck included", () => {
  expect(found("")).toEqual(["A-1", "A-2"]);
  expect(found("viper")).toEqual(["A-1"]);
  expect(found("t:ship cost<=3")).toEqual(["A-1"]);
  expect(found("in:deck", ["A-2"])).toEqual(["A-2"]);
});

it("says what cannot be read, and what may have been meant", () => {
  const { wrong } = search("apollo cst<=3", cards, {});
  expect(wrong?.message).toContain("cst");
  expect([wrong?.before, wrong?.part, wrong?.after]).toEqual(["apollo ", "cst", "<=3"]);
  expect(wrong?.meant).toBe("apollo cost<=3");
});

it("offers the nearest name where a word is misspelt and nothing is found", () => {
  const meant = (query: string) => search(query, cards, {}).meant;
  expect(meant("vipr")).toBe("viper");
  expect(meant("t:ship vipr cost<=3")).toBe("t:ship viper cost<=3");
  expect(meant("apolo")).toBe("apollo");
  expect(meant("vipr t:event")).toBe("");
  expect(meant("zzzzzz")).toBe("");
  expect(meant("viper")).toBe("");
  expect(meant("-apolo t:event")).toBe("");
});

it("offers what could be written next, where the cursor is", () => {
  const known = {
    groups: { in: { deck: new Set<string>() }, legal: { now: new Set<string>(), "standard-2006": new Set<string>() } },
  };
  const words = (query: string, cursor = query.length): string[] =>
    offered(query, cursor, cards, known).map(({ word }) => word);
  expect(words("t:")).toEqual(["base", "personnel", "ship", "event", "mission", "unit"]);
  expect(words("apollo t:shi")).toEqual(["ship"]);
  expect(words("t:ship")).toEqual([]);
  expect(words("tr")).toEqual(["trait:"]);
  expect(words("t")).toEqual([]);
  expect(words("in:")).toEqual(["deck"]);
  expect(words("legal:")).toEqual(["now", '"standard 2006"']);
  expect(words("viper 7")).toEqual([]);
  expect(offered("t:sh cost<=3", 4, cards, known)).toEqual([
    { word: "ship", meaning: "", query: "t:ship cost<=3", cursor: 6 },
  ]);
});

it("has chips that are terms of the query", () => {
  expect(toggled("viper", "t", "ship")).toBe("viper t:ship");
  expect(toggled("viper t:ship", "t", "event")).toBe("viper t:ship|event");
  expect(toggled("viper t:ship|event", "t", "ship")).toBe("viper t:event");
  expect(toggled("t:event viper", "t", "event")).toBe("viper");
  expect(chosen("tr:pilot t:ship", "t")).toEqual(["ship"]);
});

it("keeps the meaning of a query to which a chip is added", () => {
  expect(toggled("viper or apollo", "t", "ship")).toBe("(viper or apollo) t:ship");
  expect(toggled("(viper or apollo) t:ship", "t", "ship")).toBe("(viper or apollo)");
  expect(toggled("t:ship or apollo", "t", "ship")).toBe("(t:ship or apollo) t:ship");
  expect(toggled("viper or apollo order:pow", "t", "ship")).toBe("(viper or apollo) order:pow t:ship");
  expect(toggled('"t:ship"', "t", "ship")).toBe('"t:ship" t:ship');
});

it("knows a chip by any name of its field, and only where it stands by itself", () => {
  expect(chosen("type:ship|event", "t")).toEqual(["ship", "event"]);
  expect(toggled("Type:SHIP viper", "t", "ship")).toBe("viper");
  expect(chosen("-t:ship", "t")).toEqual([]);
  expect(chosen("t:ship or viper", "t")).toEqual([]);
});

it("leaves a query that cannot be read as it is", () => {
  expect(toggled("(viper", "t", "ship")).toBe("(viper t:ship");
  expect(chosen("(viper t:ship", "t")).toEqual([]);
});
