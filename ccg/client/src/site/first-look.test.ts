// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { previewsWhenNeeded } from "./first-look";

const heard: string[] = [];
let finish: () => void = () => undefined;
let running = false;
let offered = false;
let ending = new AbortController();

function begin(): void {
  previewsWhenNeeded(
    () =>
      new Promise((done) => {
        finish = () =>
          done({
            previewsRunning: () => running,
            startPreviews: ({ menu } = {}) => {
              offered = menu === true;
              document.addEventListener("pointerover", ({ target }) => heard.push((target as Element).id), {
                signal: ending.signal,
              });
              return () => undefined;
            },
          });
      }),
  );
}

const over = (id: string): boolean =>
  (document.getElementById(id) as Element).dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));

beforeEach(() => {
  document.body.innerHTML = '<a id="one" data-card="A">One</a> <a id="two" data-card="B">Two</a> <p id="none">None</p>';
  heard.length = 0;
  running = false;
  ending = new AbortController();
});
afterEach(() => ending.abort());

test("the card that was pointed at while previews were loaded is shown", async () => {
  begin();
  over("none");
  over("one");
  finish();
  await vi.waitFor(() => expect(heard).toEqual(["one"]));
});

test("they are there for the key for menus at a row or a link that holds a card", async () => {
  document.body.innerHTML = '<a id="picture" href="#"><article data-card="A"></article></a> <p id="none">None</p>';
  let loaded = 0;
  previewsWhenNeeded(async () => {
    loaded += 1;
    return { previewsRunning: () => true, startPreviews: () => () => undefined };
  });
  const comes = (kind: string, id: string) =>
    document.getElementById(id)?.dispatchEvent(new Event(kind, { bubbles: true }));
  comes("focusin", "none");
  comes("pointerover", "picture");
  expect(loaded).toBe(0);
  comes("focusin", "picture");
  expect(loaded).toBe(1);
});

test("it is the last one that counts", async () => {
  begin();
  over("one");
  over("two");
  finish();
  await vi.waitFor(() => expect(heard).toEqual(["two"]));
});

test("it is the last one that has the keyboard's focus, too", async () => {
  begin();
  const focused: string[] = [];
  const comes = (kind: string, id: string) =>
    document.getElementById(id)?.dispatchEvent(new FocusEvent(kind, { bubbles: true }));
  for (const [kind, id] of [
    ["focusin", "one"],
    ["focusout", "one"],
    ["focusin", "two"],
  ] as const)
    comes(kind, id);
  document.addEventListener("focusin", ({ target }) => focused.push((target as Element).id), { signal: ending.signal });
  finish();
  await vi.waitFor(() => expect(focused).toEqual(["two"]));
});

test("a page that has previews already is left alone", async () => {
  running = true;
  begin();
  over("one");
  finish();
  await Promise.resolve();
  expect(heard).toEqual([]);
});

test("a word that was tapped while previews were loaded is explained, a link is not followed again", async () => {
  document.body.innerHTML = '<i id="word" data-term="alert">alert</i> <a id="link" href="#"><i id="in">alert</i></a>';
  document.querySelector("#in")?.setAttribute("data-term", "alert");
  for (const [id, clicks] of [
    ["word", 2],
    ["in", 1],
  ] as const) {
    let seen = 0;
    const element = document.getElementById(id) as Element;
    element.addEventListener("click", () => seen++);
    begin();
    for (const kind of ["pointerdown", "pointerup", "click"])
      element.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: "touch" }));
    finish();
    await new Promise((done) => setTimeout(done, 5));
    expect(seen).toBe(clicks);
  }
});

test("cards have a menu but for those of a table, which are looked at only", async () => {
  for (const [place, has] of [
    ["", true],
    ['<div id="table"></div>', false],
  ] as const) {
    document.body.insertAdjacentHTML("beforeend", place);
    begin();
    over("one");
    finish();
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0));
    expect(offered, place).toBe(has);
    heard.length = 0;
    ending.abort();
    ending = new AbortController();
  }
});

/** Right click, or the key for menus, as a browser tells of it; whether it would open its own menu. */
function asksForMenu(id: string, how: MouseEventInit = {}): boolean {
  const element = document.getElementById(id) as Element;
  const mouse = { bubbles: true, button: 2, pointerType: "mouse" };
  element.dispatchEvent(new PointerEvent("pointerdown", mouse));
  const own = element.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...how }));
  element.dispatchEvent(new PointerEvent("pointerup", mouse));
  return own;
}

test("a right click on a card while previews are loaded opens its menu, not the browser's, once they are there", async () => {
  const asked: string[] = [];
  document.body.innerHTML += '<div id="row" data-row="A"><b id="beside">1</b><i data-card="A">One</i></div>';
  for (const id of ["one", "row", "beside"]) {
    begin();
    over("two");
    expect(asksForMenu("none")).toBe(true);
    expect(asksForMenu("one", { shiftKey: true })).toBe(true);
    expect(asksForMenu(id)).toBe(false);
    const hear = ({ target }: Event): void => void asked.push((target as Element).id);
    document.addEventListener("contextmenu", hear, { signal: ending.signal });
    finish();
    await vi.waitFor(() => expect(asked).toEqual([id]));
    asked.length = 0;
    ending.abort();
    ending = new AbortController();
  }
});

test("who asks once more before previews are there gets the browser's menu, and so does everybody at a table", async () => {
  begin();
  over("one");
  expect([asksForMenu("one"), asksForMenu("one")]).toEqual([false, true]);
  finish();
  await vi.waitFor(() => expect(offered).toBe(true));
  document.body.insertAdjacentHTML("beforeend", '<div id="table"></div>');
  begin();
  over("one");
  expect(asksForMenu("one")).toBe(true);
  finish();
});

test("previews that cannot be loaded while the line is down are there when it is back", async () => {
  vi.useFakeTimers();
  let tries = 0;
  previewsWhenNeeded(async () => {
    tries += 1;
    if (tries < 3) throw new TypeError("The line is down.");
    return {
      previewsRunning: () => running,
      startPreviews: () => {
        running = true;
        return () => undefined;
      },
    };
  });
  over("one");
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect([running, tries]).toEqual([true, 3]);
});
