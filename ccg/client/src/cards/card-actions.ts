/** What a page offers in the menu of a card, besides what every page does. */

import type { CardId } from "./view-types";

/** One line of the menu: what it does, where it leads, or what it copies. */
export interface CardAction {
  words: string;
  /** Done when it is chosen, and the menu closes. */
  act?(): void;
  href?: string;
  /** Whether it leads to another tab. */
  elsewhere?: boolean;
  /** Copied when it is chosen. The menu stays, and says whether that could be done. */
  copies?: string;
}

/** The lines of the menu of a card. */
export type CardActions = (card: CardId) => CardAction[];

let actions: CardActions | null = null;

/** Let the menus of this page begin with these lines; null ends that. */
export function setCardActions(make: CardActions | null): void {
  actions = make;
}

/** Return the lines that this page adds; null where it adds none, to any card. */
export const ownCardActions = (card: CardId): CardAction[] | null => actions?.(card) ?? null;
