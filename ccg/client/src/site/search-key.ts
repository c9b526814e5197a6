/**
 * `/` puts the cursor into the search of the page, whatever it searches; on a page without one it goes to the cards'.
 *
 * Pages with keys of their own (a table, the builder) are left alone.
 */

const SEARCH = 'main input[type="search"]';
const CARDS = "/cards/";
/** In an address: begin with the cursor in the search. */
const HERE = "#search";

/** Listen for the key; `go` leaves for another page. */
export function startSearchKey(page: Document = document, go = (to: string) => location.assign(to)): void {
  if (page.defaultView?.location.hash === HERE) focusSearch(page);
  page.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select, dialog, [contenteditable]")) return;
    if (page.querySelector("#table, #builder")) return;
    event.preventDefault();
    if (!focusSearch(page)) go(CARDS + HERE);
  });
}

function focusSearch(page: Document): boolean {
  const field = page.querySelector<HTMLInputElement>(SEARCH);
  field?.focus();
  field?.select();
  return field !== null;
}
