// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { markMore, scrollSideways, showChoosable } from "./in-sight";

/** A line 300 pixels wide with tiles of 90, of which those at `choosable` can be chosen. */
function lineOf(tiles: number, choosable: number[]): HTMLElement {
  const line = document.createElement("div");
  place(line, 0, 300);
  for (let number = 0; number < tiles; number++) {
    const tile = document.createElement("button");
    if (choosable.includes(number)) tile.className = "is-choosable";
    place(tile, number * 100, 90);
    line.append(tile);
  }
  return line;
}

function place(element: HTMLElement, left: number, width: number): void {
  element.getBoundingClientRect = () => new DOMRect(left, 0, width, 100);
}

test("what can be chosen and lies out of sight is scrolled to", () => {
  const line = lineOf(6, [4]);
  showChoosable(line);
  expect(line.scrollLeft).toBe(392);
});

test("a line stays as it is while something in sight can be chosen, or nothing at all", () => {
  for (const choosable of [[1, 4], []]) {
    const line = lineOf(6, choosable);
    showChoosable(line);
    expect(line.scrollLeft).toBe(0);
  }
});

test("a wheel that turns down scrolls a line sideways", () => {
  const line = lineOf(6, []);
  scrollSideways({ deltaX: 0, deltaY: 40, currentTarget: line } as unknown as Parameters<typeof scrollSideways>[0]);
  expect(line.scrollLeft).toBe(40);
});

test("a line is marked at the ends at which more of it lies out of sight", () => {
  const line = document.createElement("div");
  const size = { scrollWidth: 500, clientWidth: 300, scrollHeight: 40, clientHeight: 40 };
  for (const [name, value] of Object.entries(size)) Object.defineProperty(line, name, { value, writable: true });
  const marked = (scrollLeft: number): string | undefined => {
    line.scrollLeft = scrollLeft;
    markMore(line);
    return line.dataset.more;
  };
  expect([0, 100, 200].map(marked)).toEqual(["after", "before after", "before"]);
  Object.assign(line, { scrollWidth: 300 });
  expect(marked(0)).toBe("");
});
