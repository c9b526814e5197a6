import { expect, test } from "vitest";
import { createEditor } from "./editor";
import { keepSearches, type Page, showAddress } from "./search-history";

/** A window with a history of its own. */
function aPage(address: string) {
  const entries = [address];
  let at = 0;
  let heard = (): void => undefined;
  const page = {
    get location() {
      return new URL(entries[at] ?? "", "http://site");
    },
    history: {
      state: null,
      pushState: (_state: unknown, _title: string, to: string) => void entries.splice(++at, entries.length, to),
      replaceState: (_state: unknown, _title: string, to: string) => void entries.splice(at, 1, to),
    },
    addEventListener: (_kind: string, listener: () => void) => {
      heard = listener;
    },
  };
  const go = (step: number): void => {
    at += step;
    heard();
  };
  return { page: page as unknown as Page, entries, go };
}

test("Back undoes a chip, and what was typed in one go at once", () => {
  const editor = createEditor();
  const { page, entries, go } = aPage("/decks/new/");
  keepSearches(editor, () => "/decks/new/", page);
  editor.show({ query: "t:ship" });
  for (const query of ["t:ship v", "t:ship vi", "t:ship vip"]) editor.show({ query, typing: true });
  editor.show({ typing: false });
  editor.show({ query: "t:ship vip r", typing: true });
  expect(entries).toEqual(["/decks/new/", "/decks/new/?q=t%3Aship", ...["vip", "vip r"].map(asked)]);
  const seen = [1, 2, 3].map(() => {
    go(-1);
    return editor.store.get().query;
  });
  expect(seen).toEqual(["t:ship vip", "t:ship", ""]);
  go(1);
  expect(editor.store.get().query).toBe("t:ship");
  expect(entries).toHaveLength(4);
});

test("Back stays at the deck, which had no address of its own as it was begun", () => {
  const editor = createEditor();
  const { page, entries, go } = aPage("/decks/new/");
  let path = "/decks/new/";
  keepSearches(editor, () => path, page);
  editor.show({ query: "t:ship" });
  path = "/decks/1/build/";
  showAddress(page, `${path}${page.location.search}`);
  go(-1);
  expect(entries).toEqual(["/decks/1/build/", "/decks/1/build/?q=t%3Aship"]);
});

const asked = (words: string): string => `/decks/new/?q=${encodeURIComponent(`t:ship ${words}`)}`;
