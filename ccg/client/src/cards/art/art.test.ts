import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { readSets } from "../../../tools/card-sets";
import { type CardFacts, unknownCard } from "../facts";
import type { CardType } from "../view-types";
import { cardPicture, heroPicture } from ".";
import { faceOf } from "./characters";

const cards = Object.values(readSets().cards);
const pictures = new Map(cards.map((card) => [card.id, cardPicture(card)]));

const TYPES: CardType[] = ["base", "personnel", "ship", "event", "mission"];
const picture = (card: CardFacts): string => pictures.get(card.id) ?? "";
const ids = (svg: string): string[] => [...svg.matchAll(/ id="([^"]+)"/g)].map((found) => found[1] ?? "");

describe("a picture", () => {
  test("is the same whenever it is drawn", () => {
    for (const card of cards) expect(cardPicture(card)).toBe(picture(card));
  });

  test("changes with the name, with the traits and with a salt", () => {
    const card: CardFacts = {
      ...unknownCard("X-1"),
      type: "ship",
      traits: ["Fighter"],
      name: "Viper 1",
      subtitle: "Viper 1",
    };
    const drawn = cardPicture(card);
    expect(cardPicture({ ...card, name: "Viper 2", subtitle: "Viper 2" })).not.toBe(drawn);
    expect(cardPicture({ ...card, traits: ["Scout"] })).not.toBe(drawn);
    expect(cardPicture({ ...card, salt: "2" })).not.toBe(drawn);
  });

  test("can be drawn for every type without traits, and for names that nobody has thought of", () => {
    for (const type of TYPES) {
      for (const name of ["", 'Ünknown <&> "Name"', "衛星", "x".repeat(200)]) {
        const svg = cardPicture({ ...unknownCard("X-1"), type, name, title: name, subtitle: name });
        expect(new Resvg(svg).render().width).toBeGreaterThan(0);
        expect(svg).not.toContain("Name");
      }
    }
  });

  test("holds nothing but shapes: no text, scripts, links or pictures from elsewhere", () => {
    for (const card of cards)
      expect(picture(card)).not.toMatch(/<(text|script|image|a|foreignObject|style)\b|href|\son\w+=/);
  });

  test("has no number that is not one", () => {
    for (const card of cards) expect(picture(card), card.name).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

describe("the ids in a picture", () => {
  test("are unique, also in a page that holds all of them", () => {
    const all = cards.flatMap((card) => ids(picture(card)));
    expect(new Set(all).size).toBe(all.length);
  });

  test("are those that it uses", () => {
    for (const card of cards) {
      const known = new Set(ids(picture(card)));
      for (const used of picture(card).matchAll(/url\(#([^)]+)\)/g)) expect(known).toContain(used[1]);
    }
  });
});

describe("the size of pictures", () => {
  const MEDIANS: Record<CardType, number> = {
    event: 5_500,
    mission: 5_500,
    personnel: 14_000,
    ship: 14_000,
    base: 20_000,
  };

  test.each(TYPES)("of type %s stays small", (type) => {
    const sizes = cards.filter((card) => card.type === type).map((card) => picture(card).length);
    sizes.sort((a, b) => a - b);
    expect(sizes[sizes.length >> 1]).toBeLessThan(MEDIANS[type]);
    expect(sizes.at(-1)).toBeLessThan(30_000);
  });

  test("of the home page is less than a photograph's", () => expect(heroPicture().length).toBeLessThan(90_000));
});

describe("faces", () => {
  test("follow the character, whatever the subtitle", () => {
    expect(faceOf("Starbuck")).toEqual(faceOf("STARBUCK"));
    expect(faceOf("Starbuck")).not.toEqual(faceOf("Apollo"));
  });

  test("of people nobody has described come by lot, the same each time", () => {
    expect(faceOf("Somebody New")).toEqual(faceOf("Somebody New"));
    const drawn = ["Ana", "Bo", "Chen", "Dara", "Eli", "Fay"].map((name) => JSON.stringify(faceOf(name)));
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe("cards of a set", () => {
  const SIDE = 48;
  const LEAST = 7; // Mean difference of a channel, out of 255, between two pictures seen as thumbnails.

  /** The square in the middle of the picture, as a 48 × 48 list of channels. */
  function thumbnail(card: CardFacts): Float32Array {
    const { pixels, width, height } = new Resvg(picture(card), { fitTo: { mode: "height", value: SIDE } }).render();
    const left = Math.floor((width - SIDE) / 2);
    const channels = new Float32Array(SIDE * SIDE * 3);
    let at = 0;
    for (let y = 0; y < Math.min(SIDE, height); y++) {
      for (let x = left; x < left + SIDE; x++) {
        for (let channel = 0; channel < 3; channel++) channels[at++] = pixels[(y * width + x) * 4 + channel] ?? 0;
      }
    }
    return channels;
  }

  function distance(one: Float32Array, other: Float32Array): number {
    let sum = 0;
    for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    return sum / one.length;
  }

  test("can be told apart at 48 × 48", { timeout: 120_000 }, () => {
    const seen = cards.map((card) => ({ card, pixels: thumbnail(card) }));
    const alike: string[] = [];
    seen.forEach((one, at) => {
      for (const other of seen.slice(at + 1)) {
        if (one.card.set !== other.card.set || one.card.type !== other.card.type) continue;
        const far = distance(one.pixels, other.pixels);
        if (far < LEAST)
          alike.push(`${one.card.id} ${one.card.name} ~ ${other.card.id} ${other.card.name}: ${far.toFixed(1)}`);
      }
    });
    expect(alike).toEqual([]);
  });
});
