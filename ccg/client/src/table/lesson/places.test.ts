// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { aPiece, aPlayer, aView } from "../fixtures/small";
import { found } from "./places";

const TABLE = `<ul class="hand"><li id="held" data-card="BSG1-027"></li></ul>
  <div class="fleet"><b id="theirs" data-card="BSG1-027"></b><b id="lying" data-card="BSG1-002"></b></div>
  <div class="log" data-card="BSG1-002"></div>`;

test("of a card that one holds and an opponent has in play, that in the hand is marked", () => {
  const root = document.createElement("div");
  root.innerHTML = TABLE;
  const mine = aPlayer(0, { hand: 1, hand_cards: ["BSG1-027"] });
  const players = [mine, aPlayer(1, { alert: [aPiece(12, { card: "BSG1-027" })] })];
  const marked = (place: string, view = aView(null, { players })) => found(root, [place], view).map(({ id }) => id);
  expect(marked("card BSG1-027")).toEqual(["held"]);
  expect(marked("card BSG1-002")).toEqual(["lying"]);
  expect(marked("hand")).toEqual([""]);
});
