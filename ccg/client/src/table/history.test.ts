import { describe, expect, test } from "vitest";
import { anEvent } from "./fixtures/small";
import { toldLines } from "./history";
import type { LogLine } from "./store";
import type { EventView } from "./types";

const card = (name: string) => `[[card:${name}|${name}]]`;

function lines(...events: EventView[]): LogLine[] {
  return events.map((event, at) => ({ id: `7.${at}`, event }));
}

const texts = (...events: EventView[]): string[] => toldLines(lines(...events)).map((line) => line.event.text);

describe("the log", () => {
  test("says once what was spent", () => {
    const spend = anEvent("Ana spends Galactica for 3.", { kind: "spend", piece: 3 });
    const exhaust = anEvent("Galactica is exhausted.", { kind: "exhaust", piece: 3 });
    const other = anEvent("Raptor is exhausted.", { kind: "exhaust", piece: 4 });
    expect(texts(spend, exhaust, other)).toEqual([spend.text, other.text]);
  });

  test("puts what is readied at once into one line", () => {
    const ready = ["A", "B", "C"].map((name) => anEvent(`${card(name)} is readied.`, { kind: "ready" }));
    expect(texts(...ready)).toEqual([`Readied: ${card("A")}, ${card("B")}, ${card("C")}.`]);
  });

  test("counts cards that another player draws, and names one's own", () => {
    const theirs = Array.from({ length: 3 }, () =>
      anEvent("[[seat:1|Bob]] draws a card.", { kind: "draw", player: 1 }),
    );
    expect(texts(...theirs)).toEqual(["[[seat:1|Bob]] draws 3 cards."]);
    const own = ["A", "B"].map((name) =>
      anEvent(`[[seat:0|Ana]] draws ${card(name)}.`, { kind: "draw", player: 0, card: name }),
    );
    expect(texts(...own)).toEqual([`[[seat:0|Ana]] draws ${card("A")}, ${card("B")}.`]);
  });

  test("says in one line who passed one after another", () => {
    const passes = ["Ana", "Bob", "Cat"].map((name, at) => ({
      id: `${7 + at}.0`,
      event: anEvent(`[[seat:${at}|${name}]] passes.`, { kind: "pass", player: at }),
    }));
    expect(toldLines(passes).map((line) => line.event.text)).toEqual([
      "[[seat:0|Ana]], [[seat:1|Bob]], [[seat:2|Cat]] pass.",
    ]);
  });

  test("does not join what happened in different moves", () => {
    const one = { id: "7.0", event: anEvent(`${card("A")} is readied.`, { kind: "ready" }) };
    const two = { id: "8.0", event: anEvent(`${card("B")} is readied.`, { kind: "ready" }) };
    expect(toldLines([one, two])).toEqual([one, two]);
  });
});
