/**
 * What the card components read of a view. The table's own types (generated from the protocol) have these
 * fields and more, so its pieces can be handed over as they are.
 */

export type CardId = string;
export type CardType = "base" | "personnel" | "ship" | "event" | "mission";
export type Resource = "persuasion" | "logistics" | "security";
export type Role = "base" | "asset" | "personnel" | "ship" | "mission" | "threat";

/** Resources in the order in which costs are written. */
export const RESOURCES: readonly Resource[] = ["persuasion", "logistics", "security"];

/** Amounts by resource; a resource that is not there costs nothing. */
export type Cost = Partial<Record<Resource, number>>;

/** A card in play with everything that lies with it. */
export interface PieceView {
  id: number;
  /** The top card. */
  card: CardId;
  /** Top first; more than one is a unit stack. */
  cards: readonly CardId[];
  owner: number;
  controller: number;
  role: Role;
  power: number;
  threat: number;
  mystic: number;
  traits: readonly string[];
  keywords: readonly string[];
  exhausted: boolean;
  supplies: number;
  supply_cards: readonly CardId[];
  makes: Resource | null;
  yields: number;
  links: readonly { card: CardId; owner: number }[];
  /** It has an ability that is not played yet. */
  pending: boolean;
}
