import { describe, expect, test } from "vitest";
import { aDecision, anEvent, anOption, aTable, aView } from "./fixtures/small";
import { foremost, SOUNDS, soundOf, startSounds } from "./sounds";
import { SETTINGS } from "./store";
import { createTable } from "./table";

const event = (kind: string, player: number | null = 1) => anEvent("Something.", { kind, player });

describe("which sound", () => {
  test("influence sounds by whose it is", () => {
    expect(soundOf(event("gain", 0), 0)).toBe("gain");
    expect(soundOf(event("gain", 1), 0)).toBe("loss");
    expect(soundOf(event("lose influence", 1), 0)).toBe("gain");
    expect(soundOf(event("win", 1), 0)).toBe("lost");
    expect(soundOf(event("win", 1), null)).toBe("won");
  });

  test("of much at once the most important is heard", () => {
    expect(foremost(["card", null, "threat", "mystic"])).toBe("threat");
    expect(foremost([null])).toBe(null);
    expect(foremost([])).toBe(null);
  });

  test("each is short and quiet", () => {
    for (const tones of Object.values(SOUNDS)) {
      for (const { at, length, loud } of tones) {
        expect(at + length).toBeLessThan(1);
        expect(loud).toBeLessThanOrEqual(0.6);
      }
    }
  });
});

describe("at a table", () => {
  function begin() {
    const table = createTable({ send: () => undefined, settings: { ...SETTINGS, autoPass: "never" } });
    const heard: string[] = [];
    const stop = startSounds(table.store, (sound) => heard.push(sound));
    table.lineOpened();
    return { table, heard, stop };
  }
  const theirs = aView(aDecision([], { seat: 1 }));
  const mine = aView(aDecision([anOption("pass"), anOption("play BSG1-027", { card: "BSG1-027" })]));

  test("what was there before one came is not heard", () => {
    const { table, heard } = begin();
    table.received(aTable(5, theirs, { since: 0, events: [{ version: 5, events: [event("attack")] }] }));
    expect(heard).toEqual([]);
  });

  test("an event is heard once, as it is staged or as the table shows it", () => {
    const { table, heard } = begin();
    table.received(aTable(5, theirs));
    table.received(aTable(6, theirs, { events: [{ version: 6, events: [event("mystic"), event("defeat")] }] }));
    const staged = table.store.get().queue[0]?.events[0];
    if (staged) table.stage(staged);
    expect(heard).toEqual(["mystic"]);
    table.showFrame();
    expect(heard).toEqual(["mystic", "defeat"]);
  });

  test("one's own decision is told, but not each of a row", () => {
    const { table, heard, stop } = begin();
    table.received(aTable(5, theirs));
    table.received(aTable(6, mine, { events: [{ version: 6, events: [] }] }));
    table.showFrame();
    expect(heard).toEqual(["turn"]);
    table.received(aTable(7, mine, { events: [{ version: 7, events: [] }] }));
    table.showFrame();
    expect(heard).toEqual(["turn"]);
    stop();
    table.received(aTable(8, mine, { events: [{ version: 8, events: [event("attack")] }] }));
    table.showFrame();
    expect(heard).toEqual(["turn"]);
  });
});
