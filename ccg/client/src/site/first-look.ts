/** Card previews for pages without a card: loaded when somebody points at the name of a card for the first time. */

import { persistently } from "../persistently";

const KINDS = ["pointerover", "pointerdown", "focusin"] as const;

type Previews = Pick<typeof import("../cards/preview"), "previewsRunning" | "startPreviews">;

/**
 * Wait for the first look at a card. A page that starts previews itself is left alone. At a table cards are looked at
 * only; elsewhere they have a menu.
 */
export function previewsWhenNeeded(load: () => Promise<Previews> = () => import("../cards/preview")): void {
  const waiting = new AbortController();
  const start = (event: Event): void => {
    const { target, type } = event;
    if (!(target instanceof Element)) return;
    // What has the keyboard's focus may be the row or the link around a card, whose menu a key opens.
    const holds = type === "focusin" && target.querySelector("[data-card]");
    if (!holds && !target.closest("[data-card], [data-why], [data-term]")) return;
    waiting.abort();
    const menu = !document.querySelector("#table, #replay");
    let asked: Event | undefined;
    let last: Event | null = event;
    let pressed = (event as Partial<PointerEvent>).pointerType ?? "";
    // Whoever has gone elsewhere before it is loaded looks at nothing; but a tap on a word has asked what it means.
    const gone = (later: Event): void => {
      if (later.type === "pointerdown") pressed = (later as PointerEvent).pointerType;
      if (later.type === "contextmenu") {
        // The menu of a card comes with its preview. Whoever asks once more before it is there gets the browser's.
        last = null;
        if (!menu || asked || pressed === "touch" || (later as MouseEvent).shiftKey || !hasCard(later.target)) return;
        later.preventDefault();
        asked = later;
        last = later;
      } else if (last?.type === "contextmenu" && /up|over/.test(later.type)) return;
      else if (later.type === "click") last = pressed === "touch" && isOfWord(later) ? later : null;
      else last = KINDS.some((kind) => kind === later.type) ? later : null;
    };
    const loading = new AbortController();
    for (const kind of [...KINDS, "pointerup", "click", "focusout", "contextmenu"] as const)
      document.addEventListener(kind, gone, { signal: loading.signal });
    void persistently(load).then(({ previewsRunning, startPreviews }) => {
      loading.abort();
      if (previewsRunning()) return;
      startPreviews({ menu });
      // What was pointed at meanwhile is not pointed at again by itself.
      if (last) (last.target ?? target).dispatchEvent(again(last, pressed));
    });
  };
  for (const kind of KINDS) document.addEventListener(kind, start, { signal: waiting.signal, passive: true });
}

/** Whether it is a card, or in a row or a link that holds one. */
const hasCard = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  !!(target.closest("[data-card]") ?? target.closest("[data-at], [data-row], a")?.querySelector("[data-card]"));

/** Whether the click is on a word of the game, and uses nothing: only such a click may be sent once more. */
const isOfWord = ({ target }: Event): boolean =>
  target instanceof Element && target.closest("[data-term]") !== null && !target.closest("a, button, label, summary");

/** The same event once more; an event can be sent only once, and not all browsers say of a click what made it. */
function again(event: Event, pointerType: string): Event {
  if (event.type === "click") return new PointerEvent("click", { bubbles: true, pointerType });
  const Kind = event.constructor as new (type: string, init: EventInit) => Event;
  return new Kind(event.type, event);
}
