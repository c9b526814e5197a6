/**
 * Entry of every page: styles and theme at once; cards and previews, which are larger, when the page has cards.
 */

import "../look/index.css";
import { startAppearance } from "./appearance";
import { startCopying } from "./copy";
import { previewsWhenNeeded } from "./first-look";
import { startWaiting } from "./here";
import { startRefreshing } from "./refresh";
import { startSearchKey } from "./search-key";
import { startTheme } from "./theme";
import { startWords } from "./words";

startTheme();
startAppearance();
startCopying();
startRefreshing();
startWaiting();
startSearchKey();
startWords();
if (document.querySelector("ccg-card"))
  void import("../cards/element").then(({ defineCardElement }) => defineCardElement());
if (document.querySelector("ccg-piece"))
  void import("../cards/piece-element").then(({ definePieceElement }) => definePieceElement());
previewsWhenNeeded();
const push = document.querySelector<HTMLElement>("[data-push]");
if (push) void import("./push").then(({ startPush }) => startPush(push));
// A page that a program draws marks the words in its texts by itself, and every script of it counts.
if (!document.querySelector("#builder, #table")) void import("./terms").then(({ termsWhenIdle }) => termsWhenIdle());
