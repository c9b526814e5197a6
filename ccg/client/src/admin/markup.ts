/** What Django's own pages leave out for screen readers, which no setting of its brings. */
export function tellScreenReaders(page: Document = document): void {
  for (const sign of page.querySelectorAll("span.help-tooltip[aria-label]")) sign.setAttribute("role", "img");
  for (const head of page.querySelectorAll("th")) {
    if (!head.textContent?.trim() && !head.querySelector("input, img[alt]")) head.setAttribute("role", "presentation");
  }
  page.querySelector("#searchbar:not([aria-label])")?.setAttribute("aria-label", "Search");
}
