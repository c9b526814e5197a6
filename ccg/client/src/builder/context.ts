/** What all parts of the builder share. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CardFacts, CardId } from "../cards";
import { useParts, useStore } from "../store";
import type { Content } from "./content";
import type { Discards } from "./discarded";
import type { BuilderState, Editor } from "./editor";
import type { Known, Rules } from "./legality";
import type { Picks } from "./reading";
import type { Left, Publishing } from "./resuming";
import type { Saver, SaveState } from "./saving";

/** The last published version, as what is new is told by. */
export interface Published {
  number: number;
  content: Content;
  /** The tags of the deck. */
  labels: readonly string[];
  /** Who sees the deck: `private`, `unlisted` or `public`. */
  visibility: string;
  /** The deck that this one was copied from, as far as it may be seen; `owner` is empty for a starter deck. */
  origin: Origin | null;
}

export interface Origin {
  uid: string;
  name: string;
  owner: string;
}

export interface Builder {
  /** The id of the draft, and of the deck that comes of it. */
  uid: string;
  editor: Editor;
  saver: Saver;
  rules: Rules;
  known: Known;
  /** All cards, in the order of their sets. */
  cards: readonly CardFacts[];
  published: Published | null;
  /** Changes that were discarded, for a while. */
  discards: Discards;
  /** Copies by card id; null for who has not said what they own. */
  owned: Readonly<Record<CardId, number>> | null;
  /** The cards that a ruling concerns. */
  ruled: readonly CardId[];
  /** What has been filled in to publish, which outlives its window: who closes that to mend the deck comes back to it. */
  publishing: Publishing | null;
  /** The list that is being brought in, with the cards picked for its lines, which outlives its window as well. */
  importing: { text: string; picks: Picks } | null;
  links: { guest: string; signIn: string; publish: string; try: string; test: string };
  token(): string;
  /** Go on with what is here as a new deck, where this one was deleted. */
  keepAsNew(): void;
  /** Keep the open window, for the page on which a visitor goes on as a guest. */
  leave(left: Left): void;
}

export const BuilderContext = createContext<Builder | null>(null);

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error("Outside of the builder");
  return builder;
}

/** What is edited, for a component that shows these parts of it. */
export const useEdited = <K extends keyof BuilderState>(...keys: K[]): Pick<BuilderState, K> =>
  useParts(useBuilder().editor.store, ...keys);

export const useSaved = (): SaveState => useStore(useBuilder().saver.state);

export const factsOf = ({ known }: Builder, card: CardId): CardFacts | undefined => known.cards.get(card);
