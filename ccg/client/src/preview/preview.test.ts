import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { readSets } from "../../tools/card-sets";
import { type DeckFacts, HEIGHT, previewPicture, WIDTH } from "./preview";
import { drawable, fitted, lines, widthOf } from "./text";

const CARDS = Object.values(readSets().cards);
const BASE = CARDS.find((card) => card.name === "Galactica") ?? null;

const deck = (facts: Partial<DeckFacts> = {}): DeckFacts => ({
  name: "Viper Wing",
  format: "Standard 2006",
  size: 60,
  base: BASE,
  cards: CARDS.filter((card) => card.type !== "base").slice(0, 7),
  types: { personnel: 20, ship: 19, mission: 12, event: 9 },
  makes: [["security", 20]],
  ...facts,
});

describe("text", () => {
  test.each([
    ["Viper Wing", "Viper Wing"],
    ["🚀 Strike 🚀🏳️‍🌈 first 👩🏽‍🚀", "Strike first"],
    ["🚀🚀", ""],
    ["دفاع الأسطول", "دفاع الأسطول"],
    ["Флот Čajka 艦隊", "Флот Čajka"],
    ["a\u0000\u202e\ufffe\ud800b\n c", "ab c"],
  ])("%j is drawn as %j", (text, drawn) => expect(drawable(text)).toBe(drawn));

  test("words go to lines, and long words go on in the next", () => {
    expect(lines("one two three", 10, widthOf("one two", 10))).toEqual(["one two", "three"]);
    for (const line of lines(`${"W".repeat(80)} end`, 48, 1000)) expect(widthOf(line, 48)).toBeLessThanOrEqual(1000);
  });

  test("a name takes two lines at most, smaller ones first, and is cut off at the least size", () => {
    expect(fitted("Viper Wing", [84, 48], 1000)).toEqual({ size: 84, lines: ["Viper Wing"] });
    const long = fitted("WM".repeat(40), [84, 48], 1000);
    expect(long.size).toBe(48);
    expect(long.lines).toHaveLength(2);
    expect(long.lines[1]?.endsWith("…")).toBe(true);
    for (const line of long.lines) expect(widthOf(line, 48)).toBeLessThanOrEqual(1000);
  });
});

describe("the picture of a deck", () => {
  test.each([
    ["a usual deck", deck()],
    ["markup in its name", deck({ name: `<script>&"'</script>` })],
    ["no base and no cards", deck({ base: null, cards: [], types: {}, makes: [], size: 0 })],
    [
      "every type of card",
      deck({
        cards: ["event", "mission", "ship", "personnel"].flatMap((type) =>
          CARDS.filter((card) => card.type === type).slice(0, 1),
        ),
      }),
    ],
  ])("is a document that can be drawn: %s", (_, facts) => {
    const picture = new Resvg(previewPicture(facts)).render();
    expect([picture.width, picture.height]).toEqual([WIDTH, HEIGHT]);
  });

  test("has the name as text, never as markup", () => {
    const svg = previewPicture(deck({ name: "<b>Raptors & Vipers</b>" }));
    expect(svg).toContain("&#60;b&#62;Raptors &#38; Vipers&#60;/b&#62;");
    expect(svg).not.toContain("<b>");
  });

  test("of a deck whose name cannot be drawn has the name of its base, and shows five cards", () => {
    const svg = previewPicture(deck({ name: "🚀" }));
    expect(svg).toContain(">Galactica</text>");
    expect(svg.match(/<clipPath id="cut/g)).toHaveLength(5);
  });
});
