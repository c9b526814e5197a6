/**
 * The builder's state without a page, and what changes it. Every change is made here at once; saving comes after.
 *
 * Undo goes back over what was done in this page. What others did, and merging brought, is not undone with it.
 */

import type { CardFacts, CardId } from "../cards";
import { createStore, type Store } from "../store";
import { type Content, EMPTY, type Pile, trimmed, withCard, withCopies } from "./content";
import { mended, type Step } from "./legality";
import { type Brought, merge, same, sameContent } from "./merging";
import { valueIn, withChanges } from "./unsaved-changes";

export const GROUPINGS = ["type", "cost", "resource", "trait", "set"] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const ORDERS = ["number", "name", "cost", "power", "mystic", "threat"] as const;
export type Order = (typeof ORDERS)[number];
export type Tab = "cards" | "deck";

export type Dialog =
  | { kind: "card"; card: CardId; among: readonly CardId[] }
  | { kind: "keys" | "import" | "export" | "hand" | "compare" | "try" | "publish" | "problems" };

export interface Notice {
  words: string;
  /** What others changed, to be listed. */
  brought?: readonly Brought[];
  /** Whether the notice offers to undo what it tells. */
  undo?: boolean;
  /** Called when it is closed by one of its buttons. */
  closed?(): void;
}

/** The bar of a chart that was clicked: the deck shows only these cards. */
export interface Filter {
  words: string;
  cards: readonly CardId[];
}

export interface BuilderState {
  content: Content;
  past: readonly Content[];
  future: readonly Content[];
  query: string;
  /** Whether the query is being typed: what comes next goes on with it. */
  typing: boolean;
  order: Order;
  grouping: Grouping;
  tab: Tab;
  filter: Filter | null;
  dialog: Dialog | null;
  notice: Notice | null;
  /** The newest version of the deck that the page has; what tells of it is drawn again with it. */
  parent: number;
  /** What is read out to those who listen. */
  heard: string;
}

const KEPT = 200;
const MERGED = "Merged with changes from another window.";

export interface Editor {
  store: Store<BuilderState>;
  /** Put another content in the place of the present one; `heard` says it to those who listen. */
  change(content: Content, heard?: string): void;
  /** A change that goes on with the last one, such as typing: both are undone together. */
  amend(content: Content): void;
  set(card: CardFacts, copies: number, pile?: Pile): void;
  remove(card: CardId, pile: Pile): void;
  mend(steps: readonly Step[]): void;
  undo(): void;
  redo(): void;
  /** Take in what the server made of `sent`; what was done here since then stays. */
  heardOf(sent: Content, merged: Content, brought: readonly Brought[]): void;
  show(part: Partial<Omit<BuilderState, "content" | "past" | "future">>): void;
}

export function createEditor(content: Content = EMPTY, shown: Partial<BuilderState> = {}): Editor {
  const store = createStore<BuilderState>({
    content,
    past: [],
    future: [],
    query: "",
    typing: false,
    order: "number",
    grouping: "type",
    tab: "cards",
    filter: null,
    dialog: null,
    notice: null,
    parent: 0,
    heard: "",
    ...shown,
  });
  let amending = false;

  const show: Editor["show"] = (part) => {
    const state = store.get();
    const { notice = null } = part;
    const more = notice && !notice.brought && staying(state.notice);
    store.set({
      ...state,
      ...part,
      ...(more && { notice: { ...more, ...notice, words: `${notice.words} ${MERGED}` } }),
    });
  };

  const change: Editor["change"] = (next, heard = "") => {
    const state = store.get();
    if (sameContent(state.content, next)) return show({ heard });
    amending = false;
    const past = [...state.past, state.content].slice(-KEPT);
    store.set({ ...state, content: next, past, future: [], notice: staying(state.notice), heard });
  };

  const amend: Editor["amend"] = (next) => {
    const state = store.get();
    if (!amending) change(next);
    else store.set({ ...state, content: next, future: [] });
    amending = true;
  };

  const step = (from: "past" | "future", to: "past" | "future", heard: string): void => {
    const state = store.get();
    // What others have done since may have made a step one to what is there.
    const at = state[from].findLastIndex((one) => !sameContent(one, state.content));
    const next = state[from][at];
    if (!next) return;
    amending = false;
    const left = state[from].slice(0, at);
    const moved = { [from]: left, [to]: [...state[to], state.content] };
    // The same words twice would be heard once.
    const said = `${heard}; ${left.length || "nothing"} more`;
    store.set({ ...state, ...moved, content: next, notice: staying(state.notice), heard: said });
  };

  return {
    store,
    show,
    change,
    amend,
    set(card, copies, pile = "counts") {
      const next = withCard(store.get().content, card, copies, pile);
      change(next, saidOf(next, card, pile));
    },
    remove(card, pile) {
      change(withCopies(store.get().content, pile, card, 0), "Taken out");
    },
    mend(steps) {
      change(mended(store.get().content, steps));
    },
    undo: () => step("past", "future", "Undone"),
    redo: () => step("future", "past", "Done again"),
    heardOf(sent, merged, brought) {
      const state = store.get();
      // What others did is put below everything that was done here, so that undoing leaves it.
      const under = (ours: Content): Content => {
        const kept = trimmed(ours);
        const { content } = merge(sent, merged, kept);
        return content.name === kept.name ? { ...content, name: ours.name } : content; // with the space that is just typed
      };
      // Of what they changed as well as this page, a step has what they made of it, not what it was before they did; where
      // that is what stands here, it cannot be told from what this page made of it.
      const step = (ours: Content): Content => {
        const below = under(ours);
        return withChanges(
          below,
          brought.filter(
            (one) => (one.kept === null || same(one.was, valueIn(ours, one))) && !same(one.was ?? 0, one.kept),
          ),
        );
      };
      if (brought.length > 0 || !sameContent(sent, merged)) {
        const content = sameContent(sent, merged) ? state.content : under(state.content);
        store.set({ ...state, content, past: state.past.map(step), future: state.future.map(step) });
      }
      if (brought.length === 0) return;
      const all = together(state.notice?.brought ?? [], brought);
      show({ notice: { words: MERGED, brought: all } });
    },
  };
}

/** What others did is told until somebody has closed it: news come while one goes on building. */
const staying = (notice: Notice | null): Notice | null =>
  notice?.brought?.length ? { words: MERGED, brought: notice.brought } : null;

/** What was told and not closed yet with what is new: of the same thing, what it was at first and is now. */
function together(told: readonly Brought[], news: readonly Brought[]): Brought[] {
  const all = new Map(told.map((one) => [`${one.part} ${one.card}`, one]));
  for (const one of news) {
    const key = `${one.part} ${one.card}`;
    const before = all.get(key);
    all.delete(key); // which is listed last then
    // Where it was changed here between the two, the first is told no more: what others did to that is.
    all.set(key, before && same(before.now, one.was) ? { ...one, was: before.was } : one);
  }
  return [...all.values()];
}

function saidOf(content: Content, card: CardFacts, pile: Pile): string {
  if (card.type === "base") return content.base === card.id ? `${card.name} is the base` : "No base";
  const copies = content[pile][card.id] ?? 0;
  return `${card.name}: ${copies} ${pile === "counts" ? "in the deck" : "considered"}`;
}
