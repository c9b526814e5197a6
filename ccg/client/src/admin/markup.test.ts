// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { tellScreenReaders } from "./markup";

afterEach(() => document.body.replaceChildren());

test("what has no words on Django's pages gets some, or none are awaited", () => {
  document.body.innerHTML =
    '<span class="help-tooltip" aria-label="Type here"></span><input id="searchbar">' +
    '<table><tr><th></th><th>Name</th><th><input type="checkbox" aria-label="All"></th></tr></table>';
  tellScreenReaders();
  expect(document.querySelector("span")?.getAttribute("role")).toBe("img");
  expect(document.querySelector("#searchbar")?.getAttribute("aria-label")).toBe("Search");
  expect([...document.querySelectorAll("th")].map((head) => head.getAttribute("role"))).toEqual([
    "presentation",
    null,
    null,
  ]);
});
