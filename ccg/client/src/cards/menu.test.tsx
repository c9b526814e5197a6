// @vitest-environment happy-dom
import { render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setCardActions } from "./card-actions";
import { type Catalog, currentCatalog, setCatalog } from "./catalog";
import { Marked } from "./marked";
import { startPreviews } from "./preview";
import { useTestCards } from "./testing";

let stop: () => void;
let chosen: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response("", { status: 503 })),
  );
  useTestCards();
  document.body.innerHTML =
    '<a id="name" class="card-name" data-card="T-1" href="#">Apollo</a><p id="other">Others</p>' +
    '<div data-row="T-1" id="row" tabindex="0"><button class="card-name" data-card="T-1">Apollo</button></div>';
  chosen = [];
  setCardActions(() => [{ words: "One more", act: () => chosen.push("more") }]);
  stop = startPreviews({ hold: 300, menu: true });
});
afterEach(() => {
  stop();
  setCardActions(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const at = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const menu = (): HTMLElement | null => document.querySelector(".card-preview .card-menu");
const lines = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".card-menu [role=menuitem]")];
const words = (): (string | null)[] => lines().map((line) => line.textContent);
const pass = (milliseconds = 10): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
const key = (name: string): void => {
  (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
};

/** Right click; whether the browser would open its own menu. */
async function rightClick(id: string, how: MouseEventInit = {}): Promise<boolean> {
  const button = { bubbles: true, pointerType: "mouse", button: 2 };
  at(id).dispatchEvent(new PointerEvent("pointerdown", button));
  const kept = at(id).dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...how }));
  at(id).dispatchEvent(new PointerEvent("pointerup", button));
  await pass();
  return kept;
}

test("a right click opens the menu with the card, and its first line has the focus", async () => {
  expect(await rightClick("name")).toBe(false);
  expect(words()).toEqual(["One more", "Open its page", "Copy its name", "Copy the link"]);
  expect(menu()?.getAttribute("aria-label")).toBe("Apollo, Test Pilot");
  expect(document.querySelector("[role=dialog] .card-menu")).not.toBeNull();
  expect(document.querySelector(".card-preview .card-full")).not.toBeNull();
  expect(document.activeElement).toBe(lines()[0]);
});

test("what is chosen is done once, and the focus goes back", async () => {
  at("row").focus();
  await rightClick("row");
  lines()[0]?.click();
  expect(chosen).toEqual(["more"]);
  expect(menu()).toBeNull();
  expect(document.activeElement).toBe(at("row"));
});

test("arrows go through the lines, Escape closes, and the page hears no other key", async () => {
  const heard: string[] = [];
  const hear = (event: KeyboardEvent): void => void heard.push(event.key);
  document.addEventListener("keydown", hear);
  at("row").focus();
  await rightClick("row");
  key("ArrowDown");
  expect(document.activeElement).toBe(lines()[1]);
  key("ArrowUp");
  key("ArrowUp");
  expect(document.activeElement).toBe(lines()[3]);
  key("p");
  expect(heard).toEqual([]);
  expect(menu()).not.toBeNull();
  key("Escape");
  expect(menu()).toBeNull();
  expect(document.activeElement).toBe(at("row"));
  document.removeEventListener("keydown", hear);
});

test("a finger that is held opens it, a touch on it does what it says, and one beside it closes it", async () => {
  const touch = (place: Element, kind: string): boolean =>
    place.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, pointerType: "touch" }));
  const hold = async (): Promise<void> => {
    touch(at("name"), "pointerdown");
    await pass(400);
    touch(at("name"), "pointerup");
  };
  await hold();
  const first = lines()[0] as HTMLElement;
  for (const kind of ["pointerdown", "pointerup", "click"]) touch(first, kind);
  expect(chosen).toEqual(["more"]);
  expect(menu()).toBeNull();
  await hold();
  expect(menu()).not.toBeNull();
  touch(at("other"), "pointerdown");
  expect(menu()).toBeNull();
});

test("after a touch no field has the focus again, which would open the keyboard of a phone", async () => {
  document.body.insertAdjacentHTML("beforeend", '<input id="search">');
  at("search").focus();
  const touch = (place: Element, kind: string): boolean =>
    place.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, pointerType: "touch" }));
  touch(at("name"), "pointerdown");
  await pass(400);
  touch(at("name"), "pointerup");
  expect(document.activeElement).toBe(lines()[0]);
  touch(at("other"), "pointerdown");
  expect(menu()).toBeNull();
  expect(document.activeElement).not.toBe(at("search"));
});

test("a key for menus is heard although a finger was used before", async () => {
  at("other").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
  at("row").focus();
  key("F10");
  expect(at("row").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }))).toBe(false);
  await pass();
  expect(menu()).not.toBeNull();
});

test("with Shift, and where nothing is named, the browser opens its own menu", async () => {
  expect(await rightClick("name", { shiftKey: true })).toBe(true);
  expect(await rightClick("other")).toBe(true);
  expect(menu()).toBeNull();
});

test("the key for menus opens it at the name that has the focus, whose card is shown already", async () => {
  const name = at("name");
  vi.spyOn(name, "matches").mockReturnValue(true); // happy-dom knows of no :focus-visible
  name.focus();
  await pass(300);
  expect(document.querySelector(".card-preview")).not.toBeNull();
  expect(name.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }))).toBe(false);
  await pass();
  expect(document.activeElement).toBe(lines()[0]);
});

test("the key for menus opens it at a link that holds a card, as in lists of pictures", async () => {
  document.body.insertAdjacentHTML(
    "beforeend",
    '<a id="picture" href="#"><article class="card-thumbnail" data-card="T-1"></article></a>',
  );
  at("picture").focus();
  expect(at("picture").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }))).toBe(false);
  await pass();
  expect(document.activeElement).toBe(lines()[0]);
  key("Escape");
  expect(document.activeElement).toBe(at("picture"));
});

test("a page without a menu leaves right clicks to the browser", async () => {
  startPreviews();
  expect(await rightClick("name")).toBe(true);
  expect(menu()).toBeNull();
});

test("what was copied is said, and so is what could not be", async () => {
  const copied: string[] = [];
  let fails = false;
  const writeText = async (text: string): Promise<void> => {
    if (fails) throw new Error("no");
    copied.push(text);
  };
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  await rightClick("name");
  lines()[2]?.click();
  await pass();
  expect(copied).toEqual(["Apollo, Test Pilot"]);
  expect(words()[2]).toBe("Copied");
  fails = true;
  lines()[3]?.click();
  await pass();
  expect(words().slice(2)).toEqual(["Copy its name", "That could not be copied"]);
  expect(menu()).not.toBeNull();
});

test("a card that could not be loaded has a page all the same", async () => {
  at("name").dataset.card = "T-99";
  setCardActions(null);
  await rightClick("name");
  expect(words()).toEqual(["Open its page", "Copy its name", "Copy the link"]);
  expect(lines()[0]?.getAttribute("href")).toBe("/cards/T-99/");
});

test("a card that is only in a draft has no page, so no line and no name in a text leads there", async () => {
  const { cards } = currentCatalog() as Catalog;
  setCatalog({ version: "draft", cards: Object.fromEntries(cards), unpublished: ["T-1"] });
  setCardActions(null);
  await rightClick("name");
  expect(words()).toEqual(["Copy its name"]);
  key("Escape");
  at("name").dataset.card = "T-2";
  await rightClick("name");
  expect(words()).toEqual(["Open its page", "Copy its name", "Copy the link"]);
  render(<Marked text="[[card:T-1|Apollo]] and [[card:T-2|Viper 1]]" />, at("other"));
  expect([...at("other").querySelectorAll("a")].map((link) => link.textContent)).toEqual(["Viper 1"]);
  expect(at("other").querySelector("span.card-name")?.textContent).toBe("Apollo");
});
