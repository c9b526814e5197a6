// @vitest-environment happy-dom
import { render, type VNode } from "preact";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { BoardTile, CardBack, GhostTile, HandTile, ResourceStack, type TileState } from ".";
import { testPiece, useTestCards } from "./testing";

function shown(tile: VNode): HTMLElement {
  const root = document.createElement("div");
  render(tile, root);
  return root.firstElementChild as HTMLElement;
}

beforeEach(useTestCards);

describe("a board tile", () => {
  test("is a button only where it can be clicked", () => {
    const click = vi.fn();
    const button = shown(<BoardTile piece={testPiece("T-1")} onClick={click} />);
    expect(button.tagName).toBe("BUTTON");
    button.click();
    expect(click).toHaveBeenCalledOnce();
    expect(shown(<BoardTile piece={testPiece("T-1")} />).getAttribute("role")).toBe("img");
  });

  test("is named by a sentence, or as it is told", () => {
    const tile = <BoardTile piece={testPiece("T-1")} place="alert" says={["can challenge"]} />;
    expect(shown(tile).getAttribute("aria-label")).toBe("Apollo, Pilot, power 2, alert, can challenge");
    expect(shown(<BoardTile piece={testPiece("T-1")} label="Only this" />).getAttribute("aria-label")).toBe(
      "Only this",
    );
  });

  test.each<keyof TileState>(["choosable", "chosen", "proposed", "challenging", "defending", "changed", "quiet"])(
    "shows that it is %s",
    (state) =>
      expect(shown(<BoardTile piece={testPiece("T-1")} state={{ [state]: true }} />).className).toContain(
        `is-${state}`,
      ),
  );

  test("says in words what it does in a challenge", () => {
    expect(shown(<BoardTile piece={testPiece("T-1")} state={{ challenging: true }} />).textContent).toContain(
      "Challenging",
    );
    expect(shown(<BoardTile piece={testPiece("T-1")} state={{ defending: true }} />).textContent).toContain(
      "Defending",
    );
  });

  test("marks a chosen tile for those who cannot see it", () => {
    const tile = shown(<BoardTile piece={testPiece("T-1")} state={{ chosen: true }} onClick={() => undefined} />);
    expect(tile.getAttribute("aria-pressed")).toBe("true");
    expect(tile.querySelector(".tile-check")).not.toBeNull();
  });

  test("colours a raised and a lowered power and says what is printed", () => {
    const power = (now: number): Element | null =>
      shown(<BoardTile piece={testPiece("T-1", { power: now })} />).querySelector(".power");
    expect(power(5)?.className).toContain("is-raised");
    expect(power(5)?.getAttribute("aria-label")).toBe("Power 5, raised from 2");
    expect(power(1)?.className).toContain("is-lowered");
    expect(power(2)?.className).not.toMatch(/is-/);
  });

  test("is a back with its name when exhausted", () => {
    const tile = shown(<BoardTile piece={testPiece("T-1", { exhausted: true })} />);
    expect(tile.querySelector("img")).toBeNull();
    expect(tile.textContent).toContain("Apollo");
    expect(tile.textContent).toContain("Exhausted");
  });

  test("shows the cards under it, three at most, and how many there are", () => {
    const tile = shown(<BoardTile piece={testPiece("T-1", { beneath: ["T-1", "T-1", "T-1", "T-1"] })} />);
    expect(tile.querySelectorAll(".tile-under")).toHaveLength(3);
    expect(tile.querySelector(".tile-count")?.textContent).toBe("×5");
  });

  test("has a tab for each linked mission, with a preview of its own", () => {
    const links = [
      { id: 8, card: "T-4", owner: 0, exhausted: false },
      { id: 9, card: "T-4", owner: 1, exhausted: false },
    ];
    const tabs = shown(<BoardTile piece={testPiece("T-1", { links })} />).querySelectorAll<HTMLElement>(".tile-link");
    expect([...tabs].map((tab) => tab.dataset.card)).toEqual(["T-4", "T-4"]);
  });

  test("shows the power of a Cylon threat in place of a shield", () => {
    const tile = shown(<BoardTile piece={testPiece("T-1", { role: "threat", power: 4 })} />);
    expect(tile.querySelector(".threat-power")?.textContent).toBe("4");
    expect(tile.querySelector(".power")).toBeNull();
  });

  test("says what a mission in play still asks for", () => {
    const mission = shown(<BoardTile piece={testPiece("T-4")} />);
    expect(mission.querySelector(".tile-needs")?.textContent).toBe("Needs 2 Officers and 1 Civilian unit");
    expect(mission.getAttribute("aria-label")).toContain("resolved with 2 Officers and 1 Civilian unit");
    expect(shown(<BoardTile piece={testPiece("T-1")} />).querySelector(".tile-needs")).toBeNull();
  });

  test("tells that an ability is not played yet", () => {
    expect(shown(<BoardTile piece={testPiece("T-2")} />).querySelector(".tile-pending")).not.toBeNull();
    expect(shown(<BoardTile piece={testPiece("T-1")} />).querySelector(".tile-pending")).toBeNull();
  });

  test("carries what the table finds it by", () => {
    const tile = shown(<BoardTile piece={testPiece("T-1")} id="p1" data={{ piece: 7 }} tabIndex={-1} />);
    expect([tile.id, tile.dataset.piece, tile.dataset.card, tile.tabIndex]).toEqual(["p1", "7", "T-1", -1]);
  });
});

describe("a card in hand", () => {
  test("shows its cost by resource, only what is paid", () => {
    const tabs = shown(<HandTile card="T-1" />).querySelectorAll(".cost-tab");
    expect([...tabs].map((tab) => tab.textContent)).toEqual(["1", "3"]);
    expect([...tabs].map((tab) => tab.className)).toEqual(["cost-tab makes-persuasion", "cost-tab makes-security"]);
  });

  test("that costs nothing has no tab", () =>
    expect(shown(<HandTile card="T-4" />).querySelector(".cost-tab")).toBeNull());
});

describe("a resource stack", () => {
  test("shows what it yields now, and a slab for each supply card", () => {
    const stack = shown(<ResourceStack piece={testPiece("T-5", { supplies: 2, yields: 3 })} />);
    expect(stack.querySelector(".stack-makes")?.textContent).toBe("3");
    expect(stack.querySelectorAll(".tile-supply")).toHaveLength(2);
  });

  test("says when it is spent", () => {
    expect(shown(<ResourceStack piece={testPiece("T-5", { exhausted: true })} />).textContent).toContain("Spent");
  });

  test("keeps its name and resource when it is spent", () => {
    const piece = testPiece("T-5", { role: "base", exhausted: true, makes: "security" });
    const spent = shown(<ResourceStack piece={piece} />);
    expect(spent.querySelector(".tile-name")?.textContent).toBe("Old Hull");
    expect(spent.querySelector(".stack-makes .icon-security, .stack-makes.icon-security")).not.toBeNull();
    expect(spent.querySelector(".stack-spent")?.textContent).toContain("Spent");
  });

  test("carries the words of a proposed payment", () => {
    const stack = shown(<ResourceStack piece={testPiece("T-5")} state={{ proposed: true }} tag="Pays 2 · 1 left" />);
    expect(stack.querySelector(".tile-tag")?.textContent).toBe("Pays 2 · 1 left");
  });
});

test("a card back says how many cards there are, and none of them", () => {
  expect(shown(<CardBack count={31} />).getAttribute("aria-label")).toBe("31 cards, face down");
});

test("a ghost says who is away, and why", () => {
  expect(shown(<GhostTile card="T-2" doing="challenge" />).getAttribute("aria-label")).toBe("Viper 1 is challenging");
});
