/**
 * Entry of every page: styles and theme at once; cards and previews, which are larger, when the page has cards.
 */

import "../look/index.css";
import { persistently } from "../persistently";
import { startAppearance } from "./appearance";
import { previewsWhenNeeded } from "./first-look";
import { holdIf, startOnce } from "./once";
import { startSearchKey } from "./search-key";
import { startTheme } from "./theme";

/** Milliseconds after which a page that a program draws gets what it needs once the line is down. */
const READY_LATER = 5_000;

startTheme();
startAppearance();
startSearchKey();
startOnce();
const has = (selector: string): boolean => document.querySelector(selector) !== null;
if (has("[data-copy], [data-copy-field], [data-share-field], [data-print]"))
  void persistently(() => import("./copy")).then(({ startCopying }) => startCopying());
if (has("[data-refresh]"))
  void persistently(() => import("./refresh")).then(({ startRefreshing }) => startRefreshing());
if (has("[data-here]")) void persistently(() => import("./here")).then(({ startWaiting }) => startWaiting());
if (has("#table")) document.addEventListener("submit", wordsAtLast);
else if (has("[data-shuffle]")) void persistently(() => import("./words")).then(({ startWords }) => startWords());
if (has("ccg-card"))
  void persistently(() => import("../cards/element")).then(({ defineCardElement }) => defineCardElement());
if (has("ccg-piece"))
  void persistently(() => import("../cards/piece-element")).then(({ definePieceElement }) => definePieceElement());
previewsWhenNeeded();
// Whoever sends a form that is not accepted goes on at the first field to be mended.
document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
const push = document.querySelector<HTMLElement>("[data-push]");
if (push) void persistently(() => import("./push")).then(({ startPush }) => startPush(push));
// A page that a program draws marks the words in its texts by itself, sends no form at first, and every script counts.
const drawn = has("#builder, #table, #replay");
if (drawn) setTimeout(getReady, READY_LATER);
else getReady();
if (!drawn) void persistently(() => import("./terms")).then(({ termsWhenIdle }) => termsWhenIdle());

/** Load what could not be loaded without a network: what holds forms back then, and cards in full. */
function getReady(): void {
  void persistently(() => import("./unsent")).then(({ heldOffline }) => holdIf(heldOffline));
  if (drawn) void persistently(() => import("../cards/preview"));
}

/** At a table, a form needs words only once the match is over, so they are loaded when it is sent. */
function wordsAtLast(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (!form.dataset.shuffle) return;
  document.removeEventListener("submit", wordsAtLast);
  event.preventDefault();
  void import("./words")
    .then(({ startWords }) => startWords())
    .catch(() => undefined) // Without words, then.
    .then(() => form.requestSubmit(event.submitter as HTMLElement | null));
}
