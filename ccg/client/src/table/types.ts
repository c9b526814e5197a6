/**
 * The messages at `/ws/matches/<id>/` as the table reads them.
 *
 * `protocol.ts` is generated from the server's definitions; here a few plain strings get the words that
 * they stand for. Text that may carry marks such as `[[card:BSG1-027|Fire Support]]` is called marked
 * text; `cards/marked.tsx` takes it apart.
 */

import type * as wire from "../protocol";

export type Seat = number;
export type CardId = string;
export type PieceId = number;
export type Resource = "persuasion" | "logistics" | "security";
export type Role = "base" | "asset" | "personnel" | "ship" | "mission" | "threat";
export type Phase = "setup" | "ready" | "execution" | "cylon";
export type ChallengeStep = "declared" | "defend" | "effects" | "mystic" | "result";

export type {
  Absent,
  CauseView,
  DecisionView,
  EventView,
  Offered,
  OptionView,
  Person,
  ResultView,
  TableClocks,
  UseView,
} from "../protocol";
export type OfferWhat = wire.OfferIt["what"];

export interface PieceView extends wire.PieceView {
  role: Role;
}

export interface PlayerView extends wire.PlayerView {
  stacks: PieceView[];
  persistent: PieceView[];
  alert: PieceView[];
  reserve: PieceView[];
}

export interface ChallengeView extends wire.ChallengeView {
  step: ChallengeStep;
}

export interface View extends wire.View {
  /** Whose fleet lies at the near side for somebody who looks on; the first seat's if it is not said. */
  near?: Seat;
  phase: Phase;
  players: PlayerView[];
  threats: PieceView[];
  challenge: ChallengeView | null;
}

export interface TableMessage extends wire.Table {
  view: View;
}

export type RefusedMessage = wire.Refused;
export type HeartbeatMessage = wire.Heartbeat;
export type ServerMessage =
  | TableMessage
  | wire.Accepted
  | RefusedMessage
  | HeartbeatMessage
  | wire.Pong
  | wire.Why
  | wire.Chat
  | wire.Done
  | wire.Orders;
export type ClientMessage = wire.ClientMessage;
