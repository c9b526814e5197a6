import { describe, expect, test } from "vitest";
import { stepsOf } from "./board";
import { anEvent, aView } from "./fixtures/small";
import type { EventView, View } from "./types";

const view: View = {
  ...aView(null),
  challenge: {
    challenging: 0,
    challenger: 1,
    challenged: 1,
    threat: null,
    defender: null,
    role: "ship",
    step: "effects",
    mystic: [],
    passed: [],
  } as unknown as View["challenge"],
};

const now = (...kinds: string[]): string | undefined => {
  const staged = kinds.map((kind): EventView => anEvent("Something happens.", { kind }));
  return stepsOf(view, "", staged).find((step) => step.state === "now")?.name;
};

describe("the steps of a challenge while it is shown what happened", () => {
  test("mystic values and totals come before the result", () => {
    expect(now()).toBe("Events and abilities");
    expect(now("mystic")).toBe("Mystic values");
    expect(now("mystic", "mystic", "totals")).toBe("Mystic values");
  });

  test("what comes of the totals is the result, whether or not it has been said who wins", () => {
    expect(now("mystic", "mystic", "totals", "trigger")).toBe("Result");
    expect(now("mystic", "mystic", "totals", "wins")).toBe("Result");
  });
});
