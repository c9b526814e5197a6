/** Searches in the address and the history of the page: Back undoes a chip, a suggestion, or all that was typed at once. */

import type { Editor } from "./editor";

/** What of a window is used. */
export type Page = Pick<Window, "history" | "location" | "addEventListener">;

/**
 * Keep the address of `page` at what is searched for, and follow it back and on. `path` is where the deck is now: entries
 * from before it had an address of its own would begin another deck when they are loaded anew.
 */
export function keepSearches(editor: Editor, path: () => string, page: Page = window): void {
  let following = false;
  let typed = editor.store.get().typing;
  editor.store.subscribe((now, before) => {
    if (now.query !== before.query && !following) {
      const goesOn = now.typing && typed;
      typed = now.typing;
      showAddress(page, addressOf(page, now.query), goesOn);
    }
    if (!now.typing) typed = false;
  });
  page.addEventListener("popstate", () => {
    following = true;
    const query = new URLSearchParams(page.location.search).get("q") ?? "";
    editor.show({ query, typing: false });
    following = false;
    if (page.location.pathname !== path()) showAddress(page, `${path()}${page.location.search}`);
  });
}

const addressOf = ({ location }: Page, query: string): string =>
  `${location.pathname}${query ? `?q=${encodeURIComponent(query)}` : ""}`;

/** Browsers refuse to be told of addresses too often; then it stays as it was for a while. */
export function showAddress({ history }: Pick<Page, "history">, address: string, inPlace = true): void {
  try {
    if (inPlace) history.replaceState(history.state, "", address);
    else history.pushState(null, "", address);
  } catch {
    // The next change tries again.
  }
}
