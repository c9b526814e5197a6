// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepFocus } from "./kept-focus";

let end = (): void => undefined;
let root: HTMLElement;
const button = (id: string): HTMLButtonElement => root.querySelector(`#${id}`) as HTMLButtonElement;
const focused = (): string | undefined => document.activeElement?.id;

beforeEach(() => {
  document.body.innerHTML =
    '<div id="root"><p id="place" tabindex="-1"></p><button id="one"></button><button id="two"></button></div>';
  root = document.getElementById("root") as HTMLElement;
  end = keepFocus(root, "#place");
});
afterEach(() => end());

test("where the button that was pressed is gone, one goes on at the place", async () => {
  button("one").focus();
  button("one").remove();
  await vi.waitFor(() => expect(focused()).toBe("place"));
});

test("a button that can be pressed no longer counts as gone", async () => {
  button("one").focus();
  button("one").disabled = true;
  await vi.waitFor(() => expect(focused()).toBe("place"));
});

test("what has taken the focus meanwhile keeps it", async () => {
  button("one").focus();
  button("one").remove();
  button("two").focus();
  button("two").append("changes");
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 5)));
  expect(focused()).toBe("two");
});

test("nothing happens once it has ended", async () => {
  end();
  button("one").focus();
  button("one").remove();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 5)));
  expect(focused()).not.toBe("place");
});
