// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setTheme, startTheme, storedTheme } from "./theme";

beforeEach(() => {
  localStorage.clear();
  document.body.innerHTML =
    '<button data-theme-switch><svg><use href="/static/icons.svg#computer"></use></svg></button>';
});

test("the theme is the system's until one is chosen", () => {
  expect(storedTheme()).toBe("system");
  setTheme("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

afterEach(() => vi.restoreAllMocks());

test("a chosen theme is shown and remembered", () => {
  setTheme("light");
  expect(document.documentElement.dataset.theme).toBe("light");
  expect(storedTheme()).toBe("light");
});

test("the switch steps through the three, and says and shows which it is", () => {
  startTheme();
  const button = document.querySelector("button");
  const step = (): [string | null | undefined, string | null | undefined] => {
    button?.click();
    return [button?.getAttribute("aria-label"), button?.querySelector("use")?.getAttribute("href")];
  };
  expect(step()).toEqual(["Theme: dark. Change", "/static/icons.svg#moon"]);
  expect(step()).toEqual(["Theme: light. Change", "/static/icons.svg#sun"]);
  expect(step()).toEqual(["Theme: as your system. Change", "/static/icons.svg#computer"]);
  expect(storedTheme()).toBe("system");
});

test("it does so in a browser that keeps nothing as well, as long as the page is there", () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("It keeps nothing.");
  });
  setTheme("system");
  const steps = [1, 2, 3].map(() => {
    document.querySelector("button")?.click();
    return document.documentElement.dataset.theme ?? "system";
  });
  expect(steps).toEqual(["dark", "light", "system"]);
});
