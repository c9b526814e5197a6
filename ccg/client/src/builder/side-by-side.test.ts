import { describe, expect, it } from "vitest";
import { unknownCard } from "../cards/facts";
import { EMPTY } from "./content";
import { contentOf, isAddress, meantBy } from "./other-decks";
import { textOfFile } from "./reading";
import { distance, pairs, taken, totals } from "./side-by-side";

const cards = new Map(
  [
    { ...unknownCard("P-1"), type: "personnel" as const, cost: { security: 3 }, produces: "security" as const },
    { ...unknownCard("P-2"), type: "personnel" as const, cost: { security: 1 }, produces: "logistics" as const },
    { ...unknownCard("M-1"), type: "mission" as const, mystic: 4 },
  ].map((card) => [card.id, card]),
);
const facts = (id: string) => cards.get(id) ?? unknownCard(id);
const here = { ...EMPTY, name: "Here", counts: { "P-1": 4, "M-1": 2 } };
const there = { ...EMPTY, name: "There", counts: { "P-2": 3, "P-1": 1, "M-1": 2 } };

describe("two decks", () => {
  const groups = pairs(here, there, facts);

  it("have each card in one row, by type and cost", () => {
    expect(groups.map(({ words, here, there }) => [words, here, there])).toEqual([
      ["Personnel", 4, 4],
      ["Missions", 2, 2],
    ]);
    expect(groups[0]?.pairs.map(({ card, here, there }) => [card.id, here, there])).toEqual([
      ["P-2", 0, 3],
      ["P-1", 4, 1],
    ]);
    expect(distance(groups)).toEqual({ more: 3, fewer: 3 });
  });

  it("become one card by card", () => {
    const all = groups.flatMap((group) => group.pairs);
    const same = all.reduce(taken, here);
    expect(same.counts).toEqual(there.counts);
    expect(
      pairs(there, here, facts)
        .flatMap((group) => group.pairs)
        .reduce(taken, there).counts,
    ).toEqual(here.counts);
  });

  it("come to totals", () => {
    expect(Object.fromEntries(totals(there, cards))).toMatchObject({
      Cards: "6",
      "Cost in all": "6",
      "Mean cost": "1.5",
      "Makes logistics": "3",
      "Mean mystic value": "4.0",
    });
    expect(Object.fromEntries(totals(EMPTY, cards))).toMatchObject({ Cards: "0", "Mean cost": "none" });
  });
});

describe("addresses", () => {
  const [site, uid] = ["https://fleet.example", "dhbwdVYOE8JP5IjY9z9qMA"];
  it.each([
    [`/decks/${uid}/`, { uid, version: "" }],
    [` ${site}/decks/${uid}/v3/ `, { uid, version: "3" }],
    [`${site}/decks/~${uid}/?x=1#list`, { uid: `~${uid}`, version: "" }],
    [`${site}/decks/${uid}/edit/`, { uid, version: "" }],
    [`${site}/decks/new/?code=BSG1-abc`, { code: "BSG1-abc" }],
    [`https://elsewhere.example/decks/${uid}/`, null],
    [`${site}/cards/BSG1-001/`, null],
    [`${site}/decks/${uid}/../../admin/`, null],
    ["https://", null],
  ])("%s", (pasted, meant) => {
    expect(isAddress(pasted) || pasted === "https://").toBe(true);
    expect(meantBy(pasted, site)).toEqual(meant);
  });

  it("are told from lists", () => {
    expect(isAddress("4 Raptor 227")).toBe(false);
    expect(isAddress(`${site}/decks/${uid}/\n4 Raptor 227`)).toBe(false);
  });
});

it("reads a deck as the API tells it", () => {
  const list = { id: "P-1", qty: 2, tags: ["core"] };
  expect(contentOf({ name: "A", format: "f", base: null, cards: [list], considering: [] })).toEqual({
    ...EMPTY,
    name: "A",
    format: "f",
    counts: { "P-1": 2 },
    tags: { "P-1": ["core"] },
  });
});

describe("files", () => {
  const file = (...bytes: number[]): Blob => new Blob([new Uint8Array(bytes)]);
  it("are text with or without a mark", async () => {
    expect(await textOfFile(file(0xef, 0xbb, 0xbf, 0x34))).toBe("4");
    expect(await textOfFile(file(0xff, 0xfe, 0x34, 0))).toBe("4");
    expect(await textOfFile(file(0xfe, 0xff, 0, 0x34))).toBe("4");
  });

  it("that are none are refused with a sentence", async () => {
    await expect(textOfFile(file(0x89, 0x50))).rejects.toThrow("not text in UTF-8");
    await expect(textOfFile(file(0x34, 0))).rejects.toThrow("not text");
    await expect(textOfFile(new Blob([new Uint8Array(192 * 1024 + 1)]))).rejects.toThrow("192 KiB");
  });
});
