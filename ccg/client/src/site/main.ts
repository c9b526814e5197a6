/**
 * Entry of every page: styles and theme at once; cards and previews, which are larger, when the page has cards.
 */

import "../look/index.css";
import { startTheme } from "./theme";

startTheme();
if (document.querySelector("ccg-card"))
  void import("../cards/element").then(({ defineCardElement }) => defineCardElement());
previewsWhenNeeded();

/** Wait for the first time that somebody points at a card. A page that starts previews itself is left alone. */
function previewsWhenNeeded(): void {
  const kinds = ["pointerover", "pointerdown", "focusin"] as const;
  const waiting = new AbortController();
  const start = (event: Event): void => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-card], [data-why]")) return;
    waiting.abort();
    void import("../cards/preview").then(({ previewsRunning, startPreviews }) => {
      if (!previewsRunning()) startPreviews();
    });
  };
  for (const kind of kinds) document.addEventListener(kind, start, { signal: waiting.signal, passive: true });
}
