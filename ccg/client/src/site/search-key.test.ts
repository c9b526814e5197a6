// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startSearchKey } from "./search-key";

const go = vi.fn();
const press = (on: Element = document.body, more: KeyboardEventInit = {}): boolean =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true, ...more }));

beforeAll(() => startSearchKey(document, go));
beforeEach(() => {
  go.mockClear();
  document.body.innerHTML = "";
});

test("the key puts the cursor into the search of the page", () => {
  document.body.innerHTML = '<main><input type="search" id="q" value="viper"></main>';
  expect(press()).toBe(false);
  expect(document.activeElement?.id).toBe("q");
  expect(go).not.toHaveBeenCalled();
});

test("a page without a search has that of the header", () => {
  document.body.innerHTML = '<header><input type="search" id="site-search"></header><main></main>';
  expect(press()).toBe(false);
  expect(document.activeElement?.id).toBe("site-search");
  document.body.innerHTML =
    '<header><input type="search" id="site-search"></header><main><input type="search" id="q"></main>';
  press();
  expect(document.activeElement?.id).toBe("q");
});

test("where the header has no room for a search, the key goes to the page of it", () => {
  press();
  expect(go).toHaveBeenCalledWith("/search/#search");
});

test("whoever writes a slash writes a slash", () => {
  document.body.innerHTML = '<main><textarea></textarea><input type="search"></main>';
  const area = document.querySelector("textarea") as HTMLTextAreaElement;
  expect(press(area)).toBe(true);
  expect(press(document.body, { ctrlKey: true })).toBe(true);
});

test("a table is not left by a key", () => {
  document.body.innerHTML = '<div id="table"></div>';
  expect(press()).toBe(true);
  expect(go).not.toHaveBeenCalled();
});

test("whoever has switched such keys off has none", () => {
  document.documentElement.dataset.keys = "off";
  expect(press()).toBe(true);
  expect(go).not.toHaveBeenCalled();
  delete document.documentElement.dataset.keys;
});
