/** Playing without a mouse: which key does what, and where an arrow goes. */

import { isSwitchedOff } from "../site/appearance";
import { choicesOf, clickOn, isPass, numbered, type Thing, usualChoice } from "./options";
import { type Dialog, mayChoose } from "./store";
import type { Table } from "./table";

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Keys that have the table pass for a while; the same key again ends it. */
const PASS_KEYS: Record<string, "event" | "phase"> = { u: "event", e: "phase" };

/** Keys that open a window. */
const WINDOWS: Record<string, Dialog> = {
  "?": { kind: "shortcuts" },
  r: { kind: "rules", clause: null },
  o: { kind: "orders" },
};

/** Listen for keys on the whole page until the returned function is called. */
export function listenForKeys(table: Table, root: HTMLElement): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (handleKey(table, root, event)) event.preventDefault();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

/** Do what the key means; whether it meant anything. */
export function handleKey(table: Table, root: HTMLElement, event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (target?.closest("input, textarea, select, dialog")) return false;
  if (event.key === "Escape") {
    // There are many links in the log, and Tab goes through them all.
    if (target?.closest(".log-lines")) root.querySelector<HTMLElement>(".prompt")?.focus();
    else table.escape();
    return true;
  }
  const step = STEPS[event.key];
  // They scroll what has been gone to in order to be read.
  if ((step || event.key === " ") && target?.closest(".log-lines")) return false;
  if (step) return moveFocus(root, target, step);
  if (event.repeat || isSwitchedOff(event)) return false;
  // Meant for what was asked before; what has the focus is pressed on its own (prompt.tsx).
  const early = table.store.get().fresh;
  const onControl = target?.closest("button, a, summary, [role=button]") ?? null;
  if (event.key === "Enter" && (!onControl || isIdle(table, onControl))) {
    if (!early) table.usual();
    return true;
  }
  if (event.key === " " && !target?.closest("button:not(.tile), summary, [role=button]")) {
    if (!early) table.pass(target?.closest(".tile.is-choosable") === null);
    return true;
  }
  if (/^[1-9]$/.test(event.key)) return early || chooseNumber(table, Number(event.key));
  const letter = event.key.toLowerCase();
  const dialog = WINDOWS[letter];
  if (dialog) {
    table.open(dialog);
    return true;
  }
  const until = PASS_KEYS[letter];
  if (until) {
    const { passOrder } = table.store.get();
    table.passUntil(passOrder?.until === until ? null : until);
    return true;
  }
  if (letter === "c") return press(root, ".prompt-list-button");
  if (letter === "l") return toLog(table, root);
  return false;
}

/**
 * Whether this card has no part in what is asked, for which there is a filled button: the card that was just played keeps
 * the focus, and arrows lead to any. A card that cannot be used is no wish to pass, though.
 */
function isIdle(table: Table, control: Element): boolean {
  const { view, picked, otherStacks } = table.store.get();
  const thing = control.getAttribute("data-thing") as Thing | null;
  const usual = usualChoice(view, picked, otherStacks);
  if (!view || thing === null || usual === null || (usual.does === "choose" && isPass(usual.option))) return false;
  return clickOn(view, picked, thing).does === "nothing";
}

function chooseNumber(table: Table, number: number): boolean {
  const state = table.store.get();
  if (!mayChoose(state)) return false;
  const choices = choicesOf(state.view, state.picked);
  const option = numbered(choices)[number - 1];
  if (option) table.choose(option.key);
  return option !== undefined;
}

function press(root: HTMLElement, selector: string): boolean {
  const button = root.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null;
}

/** Go to the log, or to the chat in its place; on a small screen it has a window. */
function toLog(table: Table, root: HTMLElement): boolean {
  const lines = root.querySelector<HTMLElement>(".log-lines");
  lines?.focus();
  if (!lines) table.open({ kind: "log" });
  return true;
}

const PLACES = ".tile, .mission-plate, .player-choose, .option-line, .prompt-buttons button:not(:disabled)";

/** Move the focus to the nearest place in the direction of the arrow. */
function moveFocus(root: HTMLElement, from: Element | null, [dx, dy]: [number, number]): boolean {
  const menu = root.querySelector<HTMLElement>(".thing-menu, .option-list");
  const places = [...(menu ?? root).querySelectorAll<HTMLElement>(PLACES)].filter((place) => place.tabIndex >= 0);
  const here = from?.closest<HTMLElement>(PLACES);
  if (!here || !places.includes(here)) {
    const first = places.find((place) => place.closest(".is-choosable") !== null) ?? places[0];
    first?.focus();
    return first !== undefined;
  }
  const next = nearest(
    centre(here),
    places.filter((place) => place !== here),
    [dx, dy],
  );
  next?.focus();
  return true;
}

interface Point {
  x: number;
  y: number;
}

const centre = (element: Element): Point => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/** The place that lies most nearly in that direction: going sideways counts three times as far. */
function nearest(from: Point, places: HTMLElement[], [dx, dy]: [number, number]): HTMLElement | null {
  let best: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const to = centre(place);
    const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    const far = ahead + 3 * aside;
    if (ahead > 4 && far < least) [best, least] = [place, far];
  }
  return best;
}
