/**
 * `/` puts the cursor into the search of the page, whatever it searches; on a page without one into that of the header,
 * and where the window has no room for that, it goes to the page of it.
 *
 * Pages with keys of their own (a table, the builder) are left alone.
 */

import { isSwitchedOff } from "./appearance";

const SEARCHES = ['main input[type="search"]', "#site-search"];
const PAGE = "/search/";
/** In an address: begin with the cursor in the search. */
const HERE = "#search";

/** Listen for the key; `go` leaves for another page. */
export function startSearchKey(page: Document = document, go = (to: string) => location.assign(to)): void {
  if (page.defaultView?.location.hash === HERE) focusSearch(page);
  page.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isSwitchedOff(event)) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select, dialog, [contenteditable]")) return;
    if (page.querySelector("#table, #builder")) return;
    event.preventDefault();
    if (!focusSearch(page)) go(PAGE + HERE);
  });
}

function focusSearch(page: Document): boolean {
  for (const search of SEARCHES) {
    const field = page.querySelector<HTMLInputElement>(search);
    field?.focus(); // Which does nothing to a field that is not shown.
    if (!field || page.activeElement !== field) continue;
    field.select();
    return true;
  }
  return false;
}
