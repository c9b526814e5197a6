/**
 * The full card wherever a card is named: when the pointer rests on the name, when it has the keyboard's
 * focus, or when a finger is held on it. Escape closes it, and a key that uses what has the focus does. A page may add
 * notes to it; elements with `data-why` have notes only, and those with `data-term` the meaning of a word of the game.
 * Such a word opens with a tap too, unless it is part of what a tap uses.
 *
 * Where the page offers a menu of what can be done with a card, it comes with the card when a finger is held on it, by
 * right click and by the keyboard's key for menus. With Shift, a right click opens the browser's own.
 */

import { render } from "preact";
import { cardFacts, knowsCard, loadCatalog } from "./catalog";
import "./cards.css";
import { FullCard } from "./FullCard";
import { loadGlossary } from "./glossary";
import { actionsOf, CardMenu } from "./menu";
import { previewNotesOf } from "./preview-notes";
import { TermNotes } from "./terms";

export interface PreviewOptions {
  /** What has a preview; each such element has `data-card`. */
  selector?: string;
  /** Milliseconds that the pointer must rest. */
  delay?: number;
  /** Milliseconds that a finger must be held. */
  hold?: number;
  /** Whether a card has a menu; without one it is only looked at. */
  menu?: boolean;
}

const SELECTOR =
  ".card-name[data-card], .tile[data-card], .tile-link[data-card], .card-line[data-card], .card-thumbnail[data-card]," +
  " .stack-chip[data-card], .mission-plate[data-card], [data-why], [data-term]";
/** What a tap uses: words of the game inside it are held to be read. */
const USED = "a, button, label, summary, input, select, textarea, [role='button']";
/** Names of cards that lead to another tab: under a finger they are read where they stand. */
const ELSEWHERE = "a.card-name[target]";
const GAP = 14;

let stopRunning: (() => void) | null = null;

/** Whether previews have been started in this page. */
export const previewsRunning = (): boolean => stopRunning !== null;

/** Show previews everywhere in the page, in place of those begun before, and give back what ends that. */
export function startPreviews({
  selector = SELECTOR,
  delay = 220,
  hold = 420,
  menu = false,
}: PreviewOptions = {}): () => void {
  stopRunning?.();
  const ending = new AbortController();
  let box: HTMLElement | null = null;
  let sizes: ResizeObserver | null = null;
  let timer = 0;
  let over: Element | null = null;
  let wasHeld = false;
  let pressed = "";
  /** What had the focus before a menu took it. */
  let before: HTMLElement | null = null;

  const close = (): void => {
    clearTimeout(timer);
    const returns = box?.contains(document.activeElement) ? before : null;
    before = null;
    over = null;
    sizes?.disconnect();
    if (!box) return;
    const old = box;
    box = null; // what takes the focus from it closes nothing more
    render(null, old);
    old.remove();
    returns?.focus({ preventScroll: true });
  };

  const open = async (target: HTMLElement, held: boolean): Promise<void> => {
    const { term, why } = target.dataset;
    const card = term ? "" : (target.dataset.card ?? "");
    const words = loadGlossary().catch(() => undefined); // the texts of cards speak of them too
    await (term ? words : loadCatalog().catch(() => undefined));
    const actions = held && card && menu ? actionsOf(card) : null;
    if (over !== target || !(knowsCard(card) || why || term || actions)) return;
    box ??= document.createElement("div");
    // A modal window lies above all of the page: what is to be above it has to be in it.
    (target.closest("dialog") ?? document.body).append(box);
    box.className = `card-preview ${held ? "is-held" : ""} ${knowsCard(card) ? "" : "is-notes"} ${actions ? "has-menu" : ""}`;
    if (actions) {
      box.role = "dialog";
      box.ariaLabel = cardFacts(card).name;
      // A phone would show its keyboard for the field that has the focus again.
      before = pressed === "touch" ? null : (document.activeElement as HTMLElement | null);
    }
    const said = term ? <TermNotes term={term} /> : previewNotesOf(target.dataset);
    render(
      <>
        {knowsCard(card) && <FullCard card={card} />}
        {said && <div class="preview-notes">{said}</div>}
        {actions && <CardMenu name={cardFacts(card).name} actions={actions} close={close} />}
      </>,
      box,
    );
    if (held) return;
    // Notes and pictures may come later, and make it larger.
    const near = target.getBoundingClientRect();
    const shown = box;
    place(shown, near);
    sizes?.disconnect();
    sizes = new ResizeObserver(() => place(shown, near));
    sizes.observe(shown);
  };

  const soon = (target: HTMLElement, wait: number, held: boolean): void => {
    if (over === target) return;
    close();
    over = target;
    timer = window.setTimeout(() => void open(target, held), wait);
  };

  const named = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;

  const within = (place: EventTarget | null): boolean => place instanceof Node && (box?.contains(place) ?? false);

  /** The name or picture in the row, or in the link, that has the keyboard's focus. */
  const ofRow = ({ target }: Event): HTMLElement | null =>
    (target instanceof Element && target.closest("[data-at], [data-row], a")?.querySelector<HTMLElement>(selector)) ||
    null;

  const on = <Kind extends keyof DocumentEventMap>(kind: Kind, act: (event: DocumentEventMap[Kind]) => void): void =>
    document.addEventListener(kind, act, { signal: ending.signal, passive: false });

  on("pointerover", (event) => {
    // What a finger opened stays until the next touch; browsers tell of a mouse where the box comes to lie.
    if (event.pointerType === "touch" || box?.classList.contains("is-held")) return;
    const target = named(event);
    if (target) soon(target, delay, false);
    else if (!wasHeld) close();
  });
  on("focusin", (event) => {
    const target = named(event);
    if (target?.matches(":focus-visible")) soon(target, delay, false);
  });
  on("focusout", (event) => {
    if (!within(event.relatedTarget) && !within(event.target)) close();
  });
  on("pointerdown", (event) => {
    if (within(event.target) && (event.target as Element).closest("[role=menu]")) {
      wasHeld = false; // The click is meant for the menu.
      return;
    }
    const target = named(event);
    pressed = event.pointerType;
    wasHeld = false;
    if (box?.classList.contains("is-held")) {
      close();
      wasHeld = true; // It closes the box, and does nothing to what lies beneath.
      event.preventDefault();
    } else if (event.pointerType === "touch" && target) {
      soon(target, hold, true);
      window.setTimeout(() => {
        wasHeld = over === target && box !== null;
      }, hold + 60);
    } else {
      close();
    }
  });
  // A finger that moves scrolls, and one that is lifted early taps: neither is a hold.
  on("pointermove", (event) => {
    if (event.pointerType === "touch" && !box && Math.hypot(event.movementX, event.movementY) > 4) close();
  });
  on("pointerup", ({ button }) => {
    // The button of a right click goes up after some browsers have asked for the menu.
    if (button !== 2 && !box?.classList.contains("is-held")) close();
  });
  on("pointercancel", () => {
    if (!box?.classList.contains("is-held")) close();
  });
  on("contextmenu", (event) => {
    if (box?.classList.contains("is-held")) return event.preventDefault();
    const target = named(event) ?? ofRow(event);
    if (!menu || !target?.dataset.card || event.shiftKey || pressed === "touch") return;
    event.preventDefault();
    close(); // The card of what has the keyboard's focus may be shown already, without a menu.
    soon(target, 0, true);
  });
  on("click", (event) => {
    if (!wasHeld) {
      const target = named(event);
      const touched = ((event as PointerEvent).pointerType || pressed) === "touch";
      if (!touched || !target) return;
      if (target.matches(ELSEWHERE)) event.preventDefault();
      else if (!target.dataset.term || (target.parentElement ?? target).closest(USED)) return;
      soon(target, 0, true);
      return;
    }
    wasHeld = false; // The click that follows a hold is not meant for what lies under the finger.
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  // Before the page hears of it, which would take back what is half done: what is open is closed first.
  const pressedKey = (event: KeyboardEvent): void => {
    pressed = "";
    if (event.key === "Escape") {
      // Where a page has a place of its own for cards, the box is not shown.
      if (box && box.getClientRects().length > 0) event.preventDefault();
      close();
    }
    if ((event.key !== "Enter" && event.key !== " ") || within(event.target)) return;
    close();
    const target = named(event);
    if (!target?.matches("[data-term][role=button]")) return;
    event.preventDefault();
    soon(target, 0, false);
  };
  document.addEventListener("keydown", pressedKey, { signal: ending.signal, capture: true });
  window.addEventListener("scroll", close, { signal: ending.signal, capture: true, passive: true });

  const stop = (): void => {
    ending.abort();
    close();
    if (stopRunning === stop) stopRunning = null;
  };
  stopRunning = stop;
  return stop;
}

/** Put `box` beside `near`, on the side with more room, and wholly inside the window. */
function place(box: HTMLElement, near: DOMRect): void {
  // Not as the animation of its coming up draws it, which is smaller.
  const { offsetWidth: width, offsetHeight: height } = box;
  const right = near.right + GAP + width <= innerWidth;
  const left = near.left - GAP - width >= 0;
  const x = right ? near.right + GAP : left ? near.left - GAP - width : near.left + near.width / 2 - width / 2;
  const beside = right || left;
  const above = near.top - GAP - height >= 0;
  const y = beside ? near.top + near.height / 2 - height / 2 : above ? near.top - GAP - height : near.bottom + GAP;
  box.style.left = `${clamp(x, 8, innerWidth - width - 8)}px`;
  box.style.top = `${clamp(y, 8, innerHeight - height - 8)}px`;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
