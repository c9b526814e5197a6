/** Other decks of this site for the builder: to choose one, and its list. */

import { type Content, EMPTY } from "./content";
import type { Origin } from "./context";
import { asked, Refusal, read, contentOf as readDeck } from "./reading";

/** A deck or version that can be chosen; `from` is the address of its list. */
export interface Choice {
  from: string;
  words: string;
  more: string;
}

export interface Choices {
  heading: string;
  rows: Choice[];
}

interface Row {
  uid: string;
  name: string;
  owner: string | null;
  version: number;
  size: number;
}

interface Listed {
  id: string;
  qty: number;
  tags: string[];
}

/** A deck as `/api/v1/decks/` tells it. */
export interface DeckFile {
  name: string;
  format: string;
  base: string | null;
  cards: Listed[];
  considering: Listed[];
}

/** Who chooses: the deck with its origin, if it has been published, and whether its owner is known. */
export interface Asker {
  uid: string;
  origin: Origin | null;
  mine: boolean;
}

const DECKS = "/api/v1/decks/";
const AT_MOST = 50;

/** A deck, or one of its versions, as an address names it. */
export interface Named {
  uid: string;
  version: string;
}

export const isAddress = (pasted: string): boolean => /^\s*(https?:\/\/|\/decks\/)\S+\s*$/.test(pasted);

/** What a pasted address of this site means: a deck, or the code of a list; null for any other address. */
export function meantBy(pasted: string, origin: string): Named | { code: string } | null {
  const whole = URL.canParse(pasted.trim(), origin) ? new URL(pasted.trim(), origin) : null;
  if (!whole || whole.origin !== origin) return null;
  const code = whole.searchParams.get("code");
  if (code) return { code };
  const [, uid, version = ""] = /^\/decks\/(~?[\w-]{22,40})\/(?:v(\d{1,6})\/)?(?:edit\/)?$/.exec(whole.pathname) ?? [];
  return uid ? { uid, version } : null;
}

const addressOf = ({ uid, version }: Named): string =>
  version ? `${DECKS}${uid}/versions/${version}/` : `${DECKS}${uid}/`;

/** What `path` answers; an Error with a sentence where it answers nothing of use, a NotYet where it may do so later. */
async function told<T>(path: string, signal: AbortSignal): Promise<T> {
  const words = "Other decks come from the server, which cannot be reached now. It is asked again by itself.";
  const otherwise = "The decks could not be read.";
  return asked<T>(path, { headers: { Accept: "application/json" } }, { words, otherwise }, signal).catch((error) => {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    throw new Error("There is no deck at this address, or it is not for you to see.");
  });
}

/** What there is to choose for `query`: what the deck was copied from, its versions, one's own decks, public ones. */
export async function choices(query: string, { uid, origin, mine }: Asker, signal: AbortSignal): Promise<Choices[]> {
  const page = (parameters: Record<string, string>): Promise<{ results: Row[] }> =>
    told(`${DECKS}?${new URLSearchParams({ ...parameters, page_size: String(AT_MOST) })}`, signal);
  const none = Promise.resolve({ results: [] });
  const versions: Promise<{ results: { number: number; note: string; size: number }[] }> =
    mine && query === "" && uid ? told(`${DECKS}${uid}/versions/?page_size=${AT_MOST}`, signal) : none;
  const q: Record<string, string> = query === "" ? {} : { q: query };
  const [own, past, everybody] = await Promise.all([mine ? page({ ...q, mine: "true" }) : none, versions, page(q)]);
  const row = (deck: Row): Choice => ({
    from: `${DECKS}${deck.uid}/`,
    words: deck.name,
    more: [deck.owner ?? "starter deck", `${deck.size} cards`].join(", "),
  });
  const parent = query === "" ? origin : null;
  return [
    {
      heading: "Copied from",
      rows: parent
        ? [
            {
              from: `${DECKS}${parent.uid}/`,
              words: parent.name,
              more: [parent.owner, "as it is now"].filter(Boolean).join(", "),
            },
          ]
        : [],
    },
    {
      heading: "Versions of this deck",
      rows: past.results.map(({ number, note, size }) => ({
        from: `${DECKS}${uid}/versions/${number}/`,
        words: `Version ${number}`,
        more: [note, `${size} cards`].filter(Boolean).join(", "),
      })),
    },
    {
      heading: "Your decks",
      rows: own.results.filter((deck) => deck.uid !== uid && deck.uid !== parent?.uid).map(row),
    },
    {
      heading: "Everybody's decks",
      rows: everybody.results
        .filter(({ uid: one }) => one !== parent?.uid && !own.results.some((deck) => deck.uid === one))
        .map(row),
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** The deck whose list is at `from`. */
export const deckFrom = async (from: string, signal: AbortSignal): Promise<Content> =>
  contentOf(await told<DeckFile>(from, signal));

/** The list that a pasted address means, as text; an Error says in a sentence where there is none. */
export async function listAt(pasted: string, signal: AbortSignal): Promise<string> {
  const meant = meantBy(pasted, location.origin);
  if (!meant) throw new Error("Lists are not fetched from other sites. Copy the list there, and paste it here.");
  if ("code" in meant) return meant.code;
  return (await told<{ text: string }>(addressOf(meant), signal)).text;
}

/** The deck that an address or a deck code means. */
export async function deckMeant(pasted: string, signal: AbortSignal): Promise<Content> {
  const meant = isAddress(pasted) ? meantBy(pasted, location.origin) : { code: pasted };
  if (!meant) throw new Error("Decks are not fetched from other sites.");
  return "code" in meant ? readDeck(await read(meant.code, {}, signal)) : deckFrom(addressOf(meant), signal);
}

export function contentOf({ name, format, base, cards, considering }: DeckFile): Content {
  const counts = (rows: readonly Listed[]): Record<string, number> =>
    Object.fromEntries(rows.map(({ id, qty }) => [id, qty]));
  return {
    ...EMPTY,
    name,
    format,
    base: base ?? "",
    counts: counts(cards),
    considering: counts(considering),
    tags: Object.fromEntries(
      [...cards, ...considering].filter(({ tags }) => tags.length > 0).map(({ id, tags }) => [id, tags]),
    ),
  };
}
