/**
 * Marks the words of the game in the texts of a page that the server has written, each once in a paragraph. Tab stops at
 * each once in the whole page: often enough to read what it means, and not so often that one gets nowhere.
 */

import type { Glossary, Term } from "../cards/glossary";
import { persistently } from "../persistently";

const PARAGRAPHS = "main :is(p, li, dd, td, blockquote)";
/** What stands for something else already, is used, or is drawn by a program. */
const LEFT_ALONE =
  "a, button, label, select, textarea, input, summary, h1, h2, h3, h4, th, code, pre, kbd, svg, form, ccg-card, " +
  "[data-term], [data-card], [contenteditable], #table, #builder, script, style";
/** Here the game is spoken of: everyday words are words of the game as well. */
const ABOUT_THE_GAME = ".guide, .rules-text, [data-about-the-game]";

/** Mark all terms below `root`; it may be called again when something was added. */
export function markTerms(glossary: Glossary, root: ParentNode = document): void {
  for (const paragraph of paragraphsOf(root)) markIn(paragraph, glossary);
}

const paragraphsOf = (root: ParentNode): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(PARAGRAPHS)].filter((paragraph) => !paragraph.closest(LEFT_ALONE));

function markIn(paragraph: HTMLElement, glossary: Glossary): void {
  const everyday = paragraph.closest(ABOUT_THE_GAME) !== null;
  const seen = new Set([...paragraph.querySelectorAll<HTMLElement>("[data-term]")].map((one) => one.dataset.term));
  for (const text of textsOf(paragraph)) {
    const parts = glossary.parts(text.data, everyday);
    if (!parts.some(({ term }) => term)) continue;
    text.replaceWith(
      ...parts.map(({ text: words, term }) => {
        if (!term || seen.has(term.word)) return words;
        seen.add(term.word);
        return marked(words, term);
      }),
    );
  }
}

/** The texts of a paragraph, without those of a paragraph inside it. */
function textsOf(paragraph: HTMLElement): Text[] {
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    return node.matches(`${LEFT_ALONE}, p, li, dd, td, blockquote`) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  return texts;
}

function marked(words: string, { word, meaning }: Term): HTMLElement {
  const span = document.createElement("span");
  span.className = "term";
  span.dataset.term = word;
  span.textContent = words;
  if (!document.querySelector(`.term[tabindex][data-term="${CSS.escape(word)}"]`)) {
    span.tabIndex = 0;
    span.setAttribute("role", "button");
    span.setAttribute("aria-description", meaning);
  }
  return span;
}

/** Mark the terms of this page when it is there and has nothing better to do. */
export function termsWhenIdle(
  load: () => Promise<Glossary> = () => import("../cards/glossary").then(({ loadGlossary }) => loadGlossary()),
): void {
  if (!paragraphsOf(document).length) return; // the builder, a table: what is loaded there counts
  const begin = (): void => void persistently(load).then(markTerms);
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: 3000 });
  else setTimeout(begin, 300);
}
