// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CardFacts, unknownCard } from "./facts";
import { LatePicture } from "./LatePicture";

const asked: (() => void)[] = [];

beforeEach(() => {
  vi.stubGlobal("requestIdleCallback", (draw: () => void) => asked.push(draw));
});

/** Let the page have nothing else to do for as long as one picture takes. */
async function idle(): Promise<void> {
  await act(async () => {
    asked.shift()?.();
    // Drawing takes some turns of the browser's queue, and the page is drawn anew after it.
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done));
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

afterEach(async () => {
  while (asked.length > 0) await idle();
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
  expect(asked).toEqual([]);
});

test("what is gone before its turn is not drawn", async () => {
  const root = document.createElement("div");
  const gone = unknownCard("D");
  const stays = unknownCard("E");
  await rows(root, [gone, stays]);
  await rows(root, [stays]);
  await idle();
  expect(shown(root)).toEqual([true]);
  expect(asked).toEqual([]);
  await rows(root, [gone]);
  expect(shown(root)).toEqual([false]);
});

test("a row that is given another card shows the picture of that one", async () => {
  const root = document.createElement("div");
  const address = (): string => root.querySelector("img")?.getAttribute("src") ?? "";
  for (const card of ["F", "G", "H"].map(unknownCard)) {
    await act(() => render(<LatePicture card={card} />, root));
    expect(address()).toBe("");
    await idle();
    expect(address()).not.toBe("");
  }
});

test("a card that cannot be drawn keeps no other from its picture", async () => {
  const root = document.createElement("div");
  const odd = { ...unknownCard("I"), traits: null } as unknown as CardFacts;
  await rows(root, [odd, unknownCard("J")]);
  await idle();
  await idle();
  expect(shown(root)).toEqual([false, true]);
});
