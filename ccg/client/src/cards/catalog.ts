/**
 * All card facts, loaded once for each version of the data.
 *
 * The page says which version it means (`<meta name="catalog-version" content="...">`); a version never
 * changes, so the browser may keep it for ever.
 */

import { createStore, useStore } from "../store";
import { type CardFacts, unknownCard } from "./facts";
import type { CardId } from "./view-types";

export interface Catalog {
  version: string;
  cards: ReadonlyMap<CardId, CardFacts>;
  unpublished?: readonly CardId[];
}

/** The JSON of `/api/v1/cards/catalog.json`; that of a draft says which of its cards are in no published version. */
export interface CatalogFile {
  version: string;
  cards: Record<CardId, CardFacts>;
  unpublished?: CardId[];
}

/** Milliseconds for an answer: on a bad line a request may hang for minutes, and nothing is drawn meanwhile. */
const PATIENCE = 60_000;

const current = createStore<Catalog | null>(null);
const loading = new Map<string, Promise<Catalog>>();

/** The catalogue if it is here already. */
export const currentCatalog = (): Catalog | null => current.get();

/** Make `file` the catalogue that all components read. */
export function setCatalog(file: CatalogFile): Catalog {
  const catalog = { ...file, cards: new Map(Object.entries(file.cards)) };
  current.set(catalog);
  return catalog;
}

/** The version that the page was made with; "" where it does not say. */
export const versionOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="catalog-version"]')?.content ?? "";

/** Where the catalogue of this page is, if not among the published versions: a draft's cards are in none. */
const sourceOfPage = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="catalog-source"]')?.content ?? "/api/v1/cards/catalog.json";

/** The server answers, and has no such catalogue (any more). */
export class NoSuchCatalog extends Error {}

/**
 * Load the catalogue of `version` and make it the current one; calling again costs nothing.
 *
 * Rejects with an Error where the server cannot be reached, gives no answer or another status than 200; the
 * next call then tries again.
 */
export function loadCatalog(version: string = versionOfPage()): Promise<Catalog> {
  const begun = loading.get(version);
  if (begun) return begun;
  const started = fetchCatalog(version).catch((error: unknown) => {
    loading.delete(version);
    throw error;
  });
  loading.set(version, started);
  return started;
}

async function fetchCatalog(version: string): Promise<Catalog> {
  const query = version === "" ? "" : `?v=${encodeURIComponent(version)}`;
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(`${sourceOfPage()}${query}`, { headers: { Accept: "application/json" }, signal });
  if (answer.status === 404 || answer.status === 410) throw new NoSuchCatalog(`No catalogue ${version}`);
  if (!answer.ok) throw new Error(`The cards: ${answer.status}`);
  return setCatalog((await answer.json()) as CatalogFile);
}

/** The facts of a card, or a stand-in with its id as name. */
export const cardFacts = (id: CardId): CardFacts => current.get()?.cards.get(id) ?? unknownCard(id);

/** Whether the current catalogue has this card. */
export const knowsCard = (id: CardId): boolean => current.get()?.cards.has(id) ?? false;

/** Whether the card has a page of its own: one that is only in a draft has none yet. */
export const hasPage = (id: CardId): boolean => !current.get()?.unpublished?.includes(id);

/** The current catalogue; the component is drawn again when another one arrives. */
export const useCatalog = (): Catalog | null => useStore(current);

/** Call `tell` whenever the catalogue changes, and give back what ends that. */
export const onCatalog = (tell: () => void): (() => void) => current.subscribe(tell);

/** The facts of `card`, which may be given as such or by id. */
export function useCard(card: CardId | CardFacts): CardFacts {
  const catalog = useCatalog();
  if (typeof card !== "string") return card;
  return catalog?.cards.get(card) ?? unknownCard(card);
}
