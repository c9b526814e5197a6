// @vitest-environment happy-dom
import { render } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { type CardFacts, unknownCard } from "./facts";

const asked: (() => void)[] = [];
vi.stubGlobal("requestIdleCallback", (draw: () => void) => asked.push(draw));
const { LatePicture } = await import("./LatePicture");

/** Let the page have nothing else to do, once. */
function idle(): void {
  for (const draw of asked.splice(0)) draw();
}

function shown(root: Element): boolean[] {
  return [...root.querySelectorAll("img")].map((picture) => picture.hasAttribute("src"));
}

function rows(root: Element, cards: readonly CardFacts[]): void {
  render(
    cards.map((card) => <LatePicture key={card.id} card={card} />),
    root,
  );
}

afterEach(() => asked.splice(0));

test("new pictures come one by one, known ones at once", () => {
  const root = document.createElement("div");
  const cards = ["A", "B", "C"].map(unknownCard);
  rows(root, cards);
  expect(shown(root)).toEqual([false, false, false]);
  idle();
  expect(shown(root)).toEqual([true, false, false]);
  idle();
  idle();
  expect(shown(root)).toEqual([true, true, true]);
  rows(root, []);
  rows(root, cards);
  expect(shown(root)).toEqual([true, true, true]);
  expect(asked).toEqual([]);
});

test("what is gone before its turn is not drawn", () => {
  const root = document.createElement("div");
  const gone = unknownCard("D");
  const stays = unknownCard("E");
  rows(root, [gone, stays]);
  rows(root, [stays]);
  idle();
  expect(shown(root)).toEqual([true]);
});
