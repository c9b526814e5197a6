// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CardFacts, unknownCard } from "./facts";
import { LatePicture } from "./LatePicture";

const asked = new Map<number, () => void>();
let next = 1;

beforeEach(() => {
  vi.stubGlobal("requestIdleCallback", (draw: () => void) => {
    asked.set(next, draw);
    return next++;
  });
  vi.stubGlobal("cancelIdleCallback", (idle: number) => asked.delete(idle));
});

/** Let the page have nothing else to do for as long as one picture takes. */
async function idle(): Promise<void> {
  await act(() => {
    const [first] = asked;
    if (!first) return;
    asked.delete(first[0]);
    first[1]();
  });
}

function shown(root: Element): boolean[] {
  return [...root.querySelectorAll("img")].map((picture) => picture.hasAttribute("src"));
}

async function rows(root: Element, cards: readonly CardFacts[]): Promise<void> {
  await act(() => {
    render(
      cards.map((card) => <LatePicture key={card.id} card={card} />),
      root,
    );
  });
}

afterEach(() => {
  asked.clear();
  vi.unstubAllGlobals();
});

test("new pictures come one by one, known ones at once", async () => {
  const root = document.createElement("div");
  const cards = ["A", "B", "C"].map(unknownCard);
  await rows(root, cards);
  expect(shown(root)).toEqual([false, false, false]);
  await idle();
  expect(shown(root)).toEqual([true, false, false]);
  await idle();
  await idle();
  expect(shown(root)).toEqual([true, true, true]);
  await rows(root, []);
  await rows(root, cards);
  expect(shown(root)).toEqual([true, true, true]);
  expect(asked.size).toBe(0);
});

test("what is gone before its turn is not drawn", async () => {
  const root = document.createElement("div");
  const gone = unknownCard("D");
  const stays = unknownCard("E");
  await rows(root, [gone, stays]);
  await rows(root, [stays]);
  expect(asked.size).toBe(1);
  await idle();
  expect(shown(root)).toEqual([true]);
});
