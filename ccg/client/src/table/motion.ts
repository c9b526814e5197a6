/**
 * Movement: where everything was before a change, and how it comes to where it is after.
 *
 * Pieces and hand cards carry `data-fly`, places that cards come from and go to carry `data-anchor`
 * (`deck:0`, `hand:1`, `discard:0`), numbers that count carry `data-count`. All of it is decoration: the
 * page is already right when the movement begins, and stays right if it never runs.
 */

import type { Speed } from "./store";
import type { EventView } from "./types";

const EASE = "cubic-bezier(.2,.8,.2,1)";
const PACE: Record<Speed, number> = { half: 2, normal: 1, double: 0.5, off: 0 };

/** How much longer than usual things take at this speed; 0 for not at all. */
export const paceOf = (speed: Speed): number => PACE[speed];

interface Was {
  node: HTMLElement;
  rect: DOMRect;
  exhausted: boolean;
}

export interface Before {
  pieces: Map<string, Was>;
  anchors: Map<string, DOMRect>;
  counts: Map<string, string>;
}

/** Remember where everything is, just before the page changes. */
export function remember(root: HTMLElement): Before {
  const pieces = new Map<string, Was>();
  for (const node of flying(root)) {
    const exhausted = node.classList.contains("is-exhausted");
    pieces.set(node.dataset.fly ?? "", { node, rect: node.getBoundingClientRect(), exhausted });
  }
  return { pieces, anchors: anchorsOf(root), counts: countsOf(root) };
}

const flying = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll<HTMLElement>("[data-fly]")];

function anchorsOf(root: HTMLElement): Map<string, DOMRect> {
  const anchors = new Map<string, DOMRect>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-anchor]")) {
    anchors.set(node.dataset.anchor ?? "", node.getBoundingClientRect());
  }
  return anchors;
}

function countsOf(root: HTMLElement): Map<string, string> {
  const counts = new Map<string, string>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-count]")) {
    counts.set(node.dataset.count ?? "", node.textContent ?? "");
  }
  return counts;
}

/** Move everything from where it was; `events` say where new things come from and old ones go. */
export function playMotion(root: HTMLElement, before: Before, events: EventView[], pace: number): void {
  if (pace === 0 || typeof root.animate !== "function") {
    markChanges(root, before);
    return;
  }
  const anchors = anchorsOf(root);
  const seen = new Set<string>();
  let arrivals = 0;
  for (const node of flying(root)) {
    const key = node.dataset.fly ?? "";
    seen.add(key);
    const was = before.pieces.get(key);
    if (was) moveFrom(node, was, pace);
    else arrive(node, originOf(key, events, anchors), arrivals++, pace);
  }
  for (const [key, was] of before.pieces) {
    if (!seen.has(key)) leave(was, destinationOf(key, events, anchors), wasDefeated(key, events), pace);
  }
  for (const node of root.querySelectorAll<HTMLElement>("[data-count]")) {
    const old = before.counts.get(node.dataset.count ?? "");
    if (old !== undefined && old !== node.textContent) bump(node, pace);
  }
}

/** Without movement: outline for a moment what has changed. */
function markChanges(root: HTMLElement, before: Before): void {
  for (const node of flying(root)) {
    const was = before.pieces.get(node.dataset.fly ?? "");
    const now = node.getBoundingClientRect();
    const same =
      was && Math.abs(was.rect.top - now.top) < 4 && was.exhausted === node.classList.contains("is-exhausted");
    if (same || before.pieces.size === 0) continue;
    node.classList.add("is-changed");
    setTimeout(() => node.classList.remove("is-changed"), 400);
  }
}

function moveFrom(node: HTMLElement, was: Was, pace: number): void {
  const now = node.getBoundingClientRect();
  const [dx, dy] = [was.rect.left - now.left, was.rect.top - now.top];
  const scale = now.width > 0 ? was.rect.width / now.width : 1;
  if (Math.abs(dx) + Math.abs(dy) > 1) {
    const from = `translate(${dx}px, ${dy}px) scale(${scale})`;
    node.animate(
      [
        { transform: from, transformOrigin: "0 0" },
        { transform: "none", transformOrigin: "0 0" },
      ],
      {
        duration: (Math.abs(dy) > 130 ? 240 : 180) * pace,
        easing: EASE,
      },
    );
  }
  if (was.exhausted !== node.classList.contains("is-exhausted")) {
    node.animate([{ rotate: "y 90deg" }, { rotate: "y 0deg" }], { duration: 160 * pace, easing: "linear" });
  }
}

/** A card comes along a shallow arc from its deck, its hand or the middle. */
function arrive(node: HTMLElement, from: DOMRect | null, place: number, pace: number): void {
  const now = node.getBoundingClientRect();
  const timing = {
    duration: 220 * pace,
    delay: Math.min(place, 6) * 60 * pace,
    easing: EASE,
    fill: "backwards" as const,
  };
  if (!from) {
    node.animate(
      [
        { opacity: 0, transform: "scale(.92)" },
        { opacity: 1, transform: "none" },
      ],
      timing,
    );
    return;
  }
  const dx = from.left + from.width / 2 - now.left - now.width / 2;
  const dy = from.top + from.height / 2 - now.top - now.height / 2;
  const arc = `translate(${dx * 0.45}px, ${dy * 0.45 - 24}px) scale(.8)`;
  node.animate(
    [
      { opacity: 0.2, transform: `translate(${dx}px, ${dy}px) scale(.3)` },
      { opacity: 1, transform: arc, offset: 0.5 },
      { opacity: 1, transform: "none" },
    ],
    timing,
  );
}

/** A copy of what is gone goes to its pile, or parts in two halves if it was defeated. */
function leave({ node, rect }: Was, to: DOMRect | null, defeated: boolean, pace: number): void {
  if (rect.width === 0) return;
  const halves = defeated ? ["inset(0 50% 0 0)", "inset(0 0 0 50%)"] : ["none"];
  halves.forEach((clip, half) => {
    const copy = node.cloneNode(true) as HTMLElement;
    for (const name of ["data-fly", "data-thing", "id"]) copy.removeAttribute(name);
    copy.inert = true;
    copy.classList.add("leaving");
    Object.assign(copy.style, {
      left: `${rect.left}px`,
      top: `${rect.top}px`,
      width: `${rect.width}px`,
      height: `${rect.height}px`,
      clipPath: clip,
    });
    document.body.append(copy);
    const end = defeated
      ? `translate(${half === 0 ? -6 : 6}px, 4px)`
      : to
        ? `translate(${to.left - rect.left}px, ${to.top - rect.top}px) scale(.3)`
        : "scale(.94)";
    const gone = copy.animate([{ opacity: 1 }, { opacity: 0, transform: end }], {
      duration: (defeated ? 260 : 220) * pace,
      easing: EASE,
      fill: "forwards",
    });
    const remove = () => copy.remove();
    gone.finished.then(remove, remove);
  });
}

function bump(node: HTMLElement, pace: number): void {
  node.animate([{ scale: 1.35, color: "var(--lamp)" }, { scale: 1 }], { duration: 300 * pace, easing: EASE });
}

const pieceOf = (key: string): number | null => (key.startsWith("piece:") ? Number(key.slice(6)) : null);
const cardOf = (key: string): string | null => (key.startsWith("card:") ? (key.split(":")[1] ?? null) : null);

function about(key: string, events: EventView[]): EventView[] {
  const [piece, card] = [pieceOf(key), cardOf(key)];
  return events.filter((event) => (piece !== null ? event.piece === piece : event.card === card && card !== null));
}

function originOf(key: string, events: EventView[], anchors: Map<string, DOMRect>): DOMRect | null {
  const event = about(key, events).find((one) => one.source !== null && one.player !== null);
  return event ? (anchors.get(`${event.source}:${event.player}`) ?? null) : null;
}

function destinationOf(key: string, events: EventView[], anchors: Map<string, DOMRect>): DOMRect | null {
  const event = about(key, events).findLast((one) => one.to !== null && one.player !== null);
  return event ? (anchors.get(`${event.to}:${event.player}`) ?? null) : null;
}

const wasDefeated = (key: string, events: EventView[]): boolean =>
  about(key, events).some((event) => event.kind === "defeat");
