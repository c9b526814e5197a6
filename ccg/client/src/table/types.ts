/**
 * What the server sends and takes at `/ws/matches/<id>/`, as the table reads it.
 *
 * The names are the protocol's (docs/protocol.md). Text that may carry marks such as
 * `[[card:BSG1-027|Fire Support]]` is called marked text; `cards/marked.tsx` takes it apart.
 */

export type Seat = number;
export type CardId = string;
export type PieceId = number;
export type Resource = "persuasion" | "logistics" | "security";
export type Role = "base" | "asset" | "personnel" | "ship" | "mission" | "threat";

export interface LinkView {
  card: CardId;
  owner: Seat;
}

/** A card in play with everything that lies with it. */
export interface PieceView {
  id: PieceId;
  card: CardId;
  cards: CardId[];
  owner: Seat;
  controller: Seat;
  role: Role;
  power: number;
  threat: number;
  mystic: number;
  traits: string[];
  keywords: string[];
  exhausted: boolean;
  supplies: number;
  supply_cards: CardId[];
  makes: Resource | null;
  yields: number;
  links: LinkView[];
  pending: boolean;
}

export interface PlayerView {
  seat: Seat;
  name: string;
  influence: number;
  lost: boolean;
  deck: number;
  hand: number;
  hand_cards: CardId[];
  discard: CardId[];
  removed: CardId[];
  stacks: PieceView[];
  persistent: PieceView[];
  alert: PieceView[];
  reserve: PieceView[];
}

export type ChallengeStep = "defend" | "effects" | "mystic" | "result";

export interface ChallengeView {
  challenging: Seat;
  challenged: Seat | null;
  challenger: PieceId;
  defender: PieceId | null;
  threat: PieceId | null;
  cylon_player: Seat | null;
  as_type: "personnel" | "ship";
  step: ChallengeStep;
  mystic: [Seat, number][];
  passed: Seat[];
}

export interface OptionView {
  key: string;
  verb: string;
  text: string;
  card: CardId | null;
  piece: PieceId | null;
  target: PieceId | null;
  player: Seat | null;
  word: string | null;
  number: number | null;
}

export interface DecisionView {
  seat: Seat;
  kind: string;
  prompt: string;
  chain: string[];
  options: OptionView[];
  can_take_back: boolean;
  owed: Partial<Record<Resource, number>>;
  proposal: string[];
}

export interface ResultView {
  winners: Seat[];
  losers: Seat[];
  reason: string;
}

export interface View {
  viewer: Seat | null;
  turn: number;
  phase: "setup" | "ready" | "execution" | "cylon";
  step: string;
  first: Seat;
  fleet_defense: number;
  threat_level: number;
  players: PlayerView[];
  threats: PieceView[];
  challenge: ChallengeView | null;
  decision: DecisionView | null;
  result: ResultView | null;
}

export interface EventView {
  kind: string;
  text: string;
  piece: PieceId | null;
  card: CardId | null;
  player: Seat | null;
  target: PieceId | null;
  number: number | null;
  source: string | null;
  to: string | null;
}

export interface EventsOf {
  version: number;
  events: EventView[];
}

export interface Person {
  seat: Seat;
  name: string;
  kind: "person" | "computer";
}

export interface TableMessage {
  type: "table";
  match: string;
  version: number;
  since: number;
  you: Seat | null;
  people: Person[];
  view: View;
  events: EventsOf[];
  over: boolean;
  present: Seat[];
  rematch: string | null;
}

export interface AcceptedMessage {
  type: "accepted";
  id: string;
  version: number;
}

export interface RefusedMessage {
  type: "refused";
  id: string | null;
  code: string;
  message: string;
  version: number;
}

export interface HeartbeatMessage {
  type: "heartbeat";
  version: number;
  present: Seat[];
  rematch: string | null;
}

export interface PongMessage {
  type: "pong";
}

export type ServerMessage = TableMessage | AcceptedMessage | RefusedMessage | HeartbeatMessage | PongMessage;

export type ClientMessage =
  | { type: "hello"; since: number | null }
  | { type: "choose"; id: string; version: number; option: string }
  | { type: "back"; id: string; version: number }
  | { type: "concede"; id: string }
  | { type: "ping"; seen: number | null };
