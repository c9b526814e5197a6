/** The words of cards and pieces that the client uses. Pieces themselves come from the protocol. */

export type { PieceView } from "../protocol";

export type CardId = string;
export type CardType = "base" | "personnel" | "ship" | "event" | "mission";
export type Resource = "persuasion" | "logistics" | "security";
export type Role = "base" | "asset" | "personnel" | "ship" | "mission" | "threat";

/** Resources in the order in which costs are written. */
export const RESOURCES: readonly Resource[] = ["persuasion", "logistics", "security"];

/** Amounts by resource; a resource that is not there costs nothing. */
export type Cost = Partial<Record<Resource, number>>;
