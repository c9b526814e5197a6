import { describe, expect, test } from "vitest";
import { ownerWords, powerShown, stakeWords, stepsOf } from "./board";
import { aDecision, anEvent, anOption, aPiece, aPlayer, aView } from "./fixtures/small";
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

test("in a challenge by a card with Manipulate it is told who may gain what is at stake", () => {
  const stake = (viewer: number, keywords: ("manipulate" | "sniper")[]): string => {
    const players = [aPlayer(0, { alert: [aPiece(1, { keywords })] }), aPlayer(1)];
    const challenge = { ...view.challenge, stake: 2 } as unknown as View["challenge"];
    return stakeWords({ ...aView(null, { players }), viewer, challenge });
  };
  expect(stake(1, ["sniper"])).toBe("No defender: you lose 2 influence");
  expect(stake(1, ["manipulate"])).toBe("No defender: you lose 2 influence, or the challenger gains it");
  expect(stake(0, ["manipulate"])).toMatch(/loses 2 influence, or you gain it$/);
});

test("a resource that is spent has the power of its card, not none", () => {
  const spent = { exhausted: true, power: 0 };
  expect(powerShown(aPiece(3, { ...spent, card: "BSG1-002", role: "base" }), "BSG1-002")).toBeUndefined();
  expect(powerShown(aPiece(4, { ...spent, card: "BSG1-099" }), "BSG1-099")).toBe(0);
});

test("whoever chooses among players is told which of them they are", () => {
  const players = [0, 1].map((seat) => anOption(`choose p${seat}`, { player: seat }));
  const view = { ...aView(aDecision(players), { players: [aPlayer(0), aPlayer(1)] }), viewer: 0 };
  expect(players.map((option) => ownerWords(view, option))).toEqual(["you", ""]);
  const looking = { ...view, viewer: null };
  expect(players.map((option) => ownerWords(looking, option))).toEqual(["", ""]);
  expect(ownerWords(looking, anOption("pass"))).toBe("");
});

test("a choice names the owner where several players have what can be chosen", () => {
  const raptors = [anOption("choose 4", { piece: 4 }), anOption("choose 5", { piece: 5 })];
  const players = [
    aPlayer(0, { alert: [aPiece(4)] }),
    aPlayer(1, { name: "Ben", alert: [aPiece(5, { controller: 1 })] }),
  ];
  const both = { ...aView(aDecision(raptors), { players }), viewer: 0 };
  expect(raptors.map((option) => ownerWords(both, option))).toEqual(["yours", "Ben"]);
  const own = { ...aView(aDecision(raptors.slice(0, 1)), { players }), viewer: 0 };
  expect(ownerWords(own, raptors[0] as (typeof raptors)[0])).toBe("");
});
