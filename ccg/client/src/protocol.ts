/**
 * Messages between a browser and its table at `/ws/matches/<id>/`.
 *
 * Generated from matches/protocol/messages.py by `manage.py protocol`: change that file, not this one.
 */

/* eslint-disable */
// biome-ignore-all format: generated

export type ClientMessage = Hello | Choose | Back | Concede | OfferIt | Agree | Decline | Resume | Claim | Ping | AskWhy | ReadChat | Say | BlockWriter | ReportLine | ReadOrders | SetOrder | DropOrder;

export type ServerMessage = Table | Accepted | Refused | Heartbeat | Pong | Why | Chat | Done | Orders;

/** Asks for the table. The first thing to send, and again whenever a version was missed. */
export interface Hello {
  type: "hello";
  since?: number | null;
}

/** Takes one of the options of the decision that the view of `version` showed. */
export interface Choose {
  type: "choose";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** Number of moves accepted so far. */
  version: number;
  /** Key of an offered option; opaque text. */
  option: string;
  /** False where the client passes for its player by itself: a takeback goes back to before the last choice by hand. */
  by_hand?: boolean;
}

/** Takes back the half-made move that the view of `version` showed (if `can_take_back`). */
export interface Back {
  type: "back";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** Number of moves accepted so far. */
  version: number;
}

/** Leaves the game as a loser, at any time. */
export interface Concede {
  type: "concede";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
}

/** Offers something to the others at the table, at any time. It is done when all people there have agreed. */
export interface OfferIt {
  type: "offer";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** What is offered: to end the match as a draw; to stop the clocks; to go back to before the last move of whoever offers it, with the clocks as they were; at a table of three and more, that the computer or somebody else plays on in the seat of whoever has been away for too long. */
  what: "computer" | "draw" | "pause" | "substitute" | "takeback";
  /** Whose seat, for `computer` and `substitute`. */
  seat?: number | null;
}

/** Agrees to what somebody has offered. */
export interface Agree {
  type: "agree";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** What is offered: to end the match as a draw; to stop the clocks; to go back to before the last move of whoever offers it, with the clocks as they were; at a table of three and more, that the computer or somebody else plays on in the seat of whoever has been away for too long. */
  what: "computer" | "draw" | "pause" | "substitute" | "takeback";
}

/** Declines what somebody has offered, or takes one's own offer back. The offer is gone for all. */
export interface Decline {
  type: "decline";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** What is offered: to end the match as a draw; to stop the clocks; to go back to before the last move of whoever offers it, with the clocks as they were; at a table of three and more, that the computer or somebody else plays on in the seat of whoever has been away for too long. */
  what: "computer" | "draw" | "pause" | "substitute" | "takeback";
}

/** Asks to end a pause. The clocks go on once all people who are still in the game have asked (`resuming`). */
export interface Resume {
  type: "resume";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
}

/** Takes a player out of the game who has been away for too long while they had to decide. */
export interface Claim {
  type: "claim";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** A seat, from 0 in turn order. */
  seat: number;
}

/** Keeps the socket alive and says up to which version the client has seen the table. */
export interface Ping {
  type: "ping";
  seen?: number | null;
}

/** Asks what the player could do with their cards, and why not now, in the view of `version`. */
export interface AskWhy {
  type: "why";
  /** Number of moves accepted so far. */
  version: number;
}

/** Asks for what people have written at this table after line `since`, and for what they will write. */
export interface ReadChat {
  type: "read_chat";
  /** A line of the chat; later ones have greater numbers. */
  since?: number;
}

/** Writes a line. Sent again with the same `id` it is the same line. */
export interface Say {
  type: "say";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** What is beyond 300 signs is cut off. */
  text: string;
}

/** Hides what the writer of this line says from this player, here and elsewhere on the site. */
export interface BlockWriter {
  type: "block_writer";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** A line of the chat; later ones have greater numbers. */
  line: number;
}

/** Brings a line before the site's moderators. */
export interface ReportLine {
  type: "report_line";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** A line of the chat; later ones have greater numbers. */
  line: number;
  reason: "offensive" | "other" | "private" | "spam";
  words?: string;
}

/** Asks for this player's standing orders. The answer is `orders`; from then on they come again as they change. */
export interface ReadOrders {
  type: "read_orders";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
}

/** Gives a standing order: the site answers decisions of this kind for the player, at once and whoever is there. */
export interface SetOrder {
  type: "set_order";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** Number of moves accepted so far. */
  version: number;
  /** The kind of decision, as in views. */
  decision: string;
  /** Always; only if all others have passed since; only where nobody defends; unless the challenge is by a ship, or by personnel; only where no more influence than `number` is lost. */
  when: "always" | "at_most" | "not_by_personnel" | "not_by_ship" | "they_pass" | "undefended";
  /** For the phase of its kind, this one or the next; or for this challenge. */
  scope: "challenge" | "phase";
  /** Whether something that it was not meant for disarms it, or it holds to the end of its scope. */
  until: "end" | "event";
  /** For `at_most`; else 0. */
  number?: number;
}

/** Takes a standing order off, or puts away one that was disarmed. The answer is `orders`. */
export interface DropOrder {
  type: "drop_order";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** Its `number` in `orders`. */
  number: number;
}

/** The whole table as this viewer may know it, and what has happened since `since`. */
export interface Table {
  type: "table";
  /** Id of the match, as in its address. */
  match: string;
  /** Number of moves accepted so far. */
  version: number;
  /** Number of moves accepted so far. */
  since: number;
  you: number | null;
  people: Person[];
  view: View;
  events: Happened[];
  over: boolean;
  /** Seats that are at the table now; computers always are. */
  present: number[];
  /** Id of the rematch, once somebody has asked for one. */
  rematch: string | null;
  /** Null in a match without clocks. */
  clocks: TableClocks | null;
  offers: Offered[];
  /** What this viewer may offer now, without what is for the seat of somebody who is away. */
  may_offer: ("computer" | "draw" | "pause" | "substitute" | "takeback")[];
  /** Seats that somebody else may take by the link of the invitation. */
  free: number[];
  /** In a lesson: how many of its moves lead to this position; null where the match has left the lesson, and in every other match. */
  lesson: number | null;
}

/** Who sits at the table. */
export interface Person {
  /** A seat, from 0 in turn order. */
  seat: number;
  name: string;
  kind: "computer" | "person";
  /** How well a computer plays; null for a person. */
  level: "easy" | "normal" | null;
  /** Who plays on here since that person has left; empty if nobody does. */
  stand_in: string;
}

/** The game as `viewer` sees it (None: a spectator). */
export interface View {
  viewer: number | null;
  turn: number;
  phase: string;
  step: string;
  first: number;
  fleet_defense: number;
  threat_level: number;
  players: PlayerView[];
  threats: PieceView[];
  challenge: ChallengeView | null;
  decision: DecisionView | null;
  result: ResultView | null;
  why: CauseView[];
}

/** One player's side. `hand_cards` is the whole hand for its player, else the cards shown of it. */
export interface PlayerView {
  seat: number;
  name: string;
  influence: number;
  deck: number;
  hand: number;
  lost: boolean;
  hand_cards: string[];
  discard: string[];
  removed: string[];
  stacks: PieceView[];
  persistent: PieceView[];
  alert: PieceView[];
  reserve: PieceView[];
  why: CauseView[];
}

/** A card in play; numbers, traits and keywords as they now are. */
export interface PieceView {
  id: number;
  card: string;
  controller: number;
  role: string;
  owner: number | null;
  power: number;
  threat: number;
  mystic: number;
  traits: string[];
  keywords: ("expedite" | "link" | "manipulate" | "persistent" | "scramble" | "sniper" | "strafe" | "vision" | "vulnerable")[];
  exhausted: boolean;
  beneath: string[];
  supplies: number;
  supply_cards: string[];
  makes: "logistics" | "persuasion" | "security" | null;
  yields: number;
  links: LinkView[];
  pending: boolean;
  why: CauseView[];
}

/** A mission linked to a unit: a piece of its own, with its number. */
export interface LinkView {
  id: number;
  card: string;
  owner: number;
  exhausted: boolean;
}

/** Why something is not as it is printed: by `amount`, or the `word` gained ("Pilot") or lost ("-Pilot"). */
export interface CauseView {
  kind: "cannot" | "cheaper" | "convert" | "fleet" | "keyword" | "power" | "prevent" | "price" | "reveal" | "revealed" | "threat" | "trait" | "yields";
  card: string;
  until: string;
  amount: number;
  word: string;
  piece: number | null;
}

/** The challenge that is going on; `mystic` are the values revealed so far, by seat. */
export interface ChallengeView {
  challenging: number;
  challenger: number;
  as_type: string;
  step: string;
  challenged: number | null;
  defender: number | null;
  threat: number | null;
  cylon_player: number | null;
  mystic: [number, number][];
  passed: number[];
  stake: number;
}

/** Who must choose. Everything beyond that, and that it is a half-made move, only its player sees. */
export interface DecisionView {
  seat: number;
  kind: string;
  prompt: string;
  card: string | null;
  piece: number | null;
  chain: string[];
  options: OptionView[];
  can_take_back: boolean;
  owed: Record<string, number>;
  proposal: string[];
  unable: UseView[];
  others: number[];
}

/** A legal option with the things it is about, so that a screen can show it where they lie. */
export interface OptionView {
  key: string;
  verb: string;
  text: string;
  card: string | null;
  piece: number | null;
  target: number | null;
  player: number | null;
  word: string | null;
  number: number | null;
  helps_opponent: boolean;
  harms_you: boolean;
}

/** Something its player could do with a card: play, use, boost or resolve it, challenge or defend with it. */
export interface UseView {
  verb: string;
  card: string | null;
  piece: number | null;
  number: number | null;
  reason: "ability_cost" | "asset" | "base" | "cost" | "cylon_phase" | "exhausted" | "forbidden" | "forbidden_to_defend" | "in_challenge" | "loop" | "no_link" | "no_target" | "not_alert" | "not_your_decision" | "one_mission" | "other_decision" | "other_type" | "over" | "price" | "requirements" | "season" | "unresolved" | "used" | "vision" | "vision_defends" | null;
  text: string;
  missing: Record<string, number>;
  unmet: string[];
}

/** How the game ended. Without `winners` it is a draw of those who are not among the `losers`. */
export interface ResultView {
  winners: number[];
  losers: number[];
  reason: string;
}

/** The events of one move, as this viewer may know them. */
export interface Happened {
  /** Number of moves accepted so far. */
  version: number;
  events: EventView[];
}

/** Something that happened, as one viewer may know it; `text` is its sentence in the log. */
export interface EventView {
  kind: string;
  text: string;
  player: number | null;
  card: string | null;
  piece: number | null;
  target: number | null;
  number: number | null;
  source: string | null;
  to: string | null;
  opponent: number | null;
  why: CauseView[];
  against: number | null;
}

/** The clocks of a match. Only the server measures; a client counts down between messages, and not below zero. */
export interface TableClocks {
  /** `live BANK+INCREMENT` or `correspondence ALLOWANCE+BANK`, in seconds. */
  tempo: string;
  /** A player with no more left (milliseconds) is short of time. */
  low: number;
  /** Whether the clocks are stopped by agreement. */
  paused: boolean;
  /** Who has asked to end the pause. */
  resuming: number[];
  /** Milliseconds until the pause ends by itself; null where there is none. */
  pause_left: number | null;
  seats: SeatClock[];
}

/** The clock of a seat, as it stood when the message was made. */
export interface SeatClock {
  /** A seat, from 0 in turn order. */
  seat: number;
  /** All that is left, in milliseconds: of this turn's allowance, and of the bank. */
  left: number;
  /** What of that is bank, in milliseconds. */
  bank: number;
  /** Whether it runs: the seat must decide, and nothing stops the clock. */
  running: boolean;
  /** Whether the player is on vacation: their clock stands still. */
  vacation: boolean;
}

/** Something that a player has offered, and that is not answered yet. */
export interface Offered {
  /** What is offered: to end the match as a draw; to stop the clocks; to go back to before the last move of whoever offers it, with the clocks as they were; at a table of three and more, that the computer or somebody else plays on in the seat of whoever has been away for too long. */
  what: "computer" | "draw" | "pause" | "substitute" | "takeback";
  /** A seat, from 0 in turn order. */
  seat: number;
  /** Who wants it, the one who has offered it included. */
  agreed: number[];
  /** Whose seat it is about, if it is about one. */
  of: number | null;
}

/** The move with this id is part of the match and made `version`. Sent only when it is stored. */
export interface Accepted {
  type: "accepted";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  /** Number of moves accepted so far. */
  version: number;
}

/** What was asked did not happen, and nothing has changed. `message` is a sentence for people. */
export interface Refused {
  type: "refused";
  id: string | null;
  code: "ahead" | "busy" | "cannot_save" | "fault" | "id_reused" | "late" | "logged_out" | "malformed" | "no_chat" | "no_seat" | "no_such_table" | "not_allowed" | "not_offered" | "not_running" | "not_your_decision" | "out_of_time" | "outdated" | "over" | "paused" | "too_fast" | "too_long" | "unavailable";
  message: string;
  /** Number of moves accepted so far. */
  version: number;
}

/** Comes every five seconds from the database: a version that the client has not seen means that a message was lost, and that it should say hello. `onlookers` is how many look on without a seat. */
export interface Heartbeat {
  type: "heartbeat";
  /** Number of moves accepted so far. */
  version: number;
  present: number[];
  rematch: string | null;
  onlookers: number;
  /** As they stand now; null in a match without clocks. */
  clocks: TableClocks | null;
  absent: Absent[];
}

/** A player who is away while they must decide. */
export interface Absent {
  /** A seat, from 0 in turn order. */
  seat: number;
  /** Seconds after which `claim` is accepted; 0 now. */
  claim_in: number;
}

/** Answers a ping. */
export interface Pong {
  type: "pong";
}

/** Answers why: each use of the player's cards, in hand and in play, with the reason against it now, if any. */
export interface Why {
  type: "why";
  /** Number of moves accepted so far. */
  version: number;
  uses: UseView[];
}

/** What was written. Comes in answer to read_chat, and after that whenever somebody has written. */
export interface Chat {
  type: "chat";
  /** Whether there is a chat for this viewer. */
  reads: boolean;
  /** Whether they may write. */
  writes: boolean;
  lines: ChatLine[];
  /** Quick phrases, in the answer to read_chat. */
  phrases: string[];
}

/** Something that somebody wrote. */
export interface ChatLine {
  /** A line of the chat; later ones have greater numbers. */
  number: number;
  /** Among whom it was written. */
  to: "lookers_on" | "players";
  seat: number | null;
  name: string;
  text: string;
  /** It is one of the site's quick phrases. */
  phrase: boolean;
  /** Seconds since 1970. */
  at: number;
  mine: boolean;
}

/** What was asked for with this id about the chat has been done. */
export interface Done {
  type: "done";
  /** The client's own name for one action, new for each (a random UUID will do): not empty, and of A to Z, a to z, 0 to 9 and _ . : - only. */
  id: string;
  did: "blocked" | "reported" | "said";
}

/** The standing orders of this player, at `version`; they never depend on what others hold. */
export interface Orders {
  type: "orders";
  /** Number of moves accepted so far. */
  version: number;
  orders: GivenOrder[];
  offered: OfferedOrder[];
}

/** A standing order of this player. */
export interface GivenOrder {
  number: number;
  text: string;
  /** How many decisions it has answered. */
  answered: number;
  /** What has disarmed it, in a sentence; empty while it is armed. */
  why: string;
}

/** An order that could be given now, with its words. */
export interface OfferedOrder {
  decision: string;
  /** Always; only if all others have passed since; only where nobody defends; unless the challenge is by a ship, or by personnel; only where no more influence than `number` is lost. */
  when: "always" | "at_most" | "not_by_personnel" | "not_by_ship" | "they_pass" | "undefended";
  /** For `at_most`; else 0. */
  number: number;
  /** For the phase of its kind, this one or the next; or for this challenge. */
  scope: "challenge" | "phase";
  /** Whether something that it was not meant for disarms it, or it holds to the end of its scope. */
  until: "end" | "event";
  /** A heading: orders for the same kind of decision have the same one. */
  about: string;
  text: string;
}

/** How a struct is made whole: what its fields are where they were left out, and the structs that they hold. */
export interface Shape {
  defaults: Record<string, unknown>;
  holds: Record<string, string>;
}

/** The shapes of all from which something is left out: messages of the server by their type, structs by their name. */
export const SHAPES: Record<string, Shape> = {
  LinkView: { defaults: {"exhausted": false}, holds: {} },
  CauseView: { defaults: {"amount": 0, "word": "", "piece": null}, holds: {} },
  PieceView: { defaults: {"owner": null, "power": 0, "threat": 0, "mystic": 0, "traits": [], "keywords": [], "exhausted": false, "beneath": [], "supplies": 0, "supply_cards": [], "makes": null, "yields": 0, "links": [], "pending": false, "why": []}, holds: {"links": "LinkView", "why": "CauseView"} },
  PlayerView: { defaults: {"lost": false, "hand_cards": [], "discard": [], "removed": [], "stacks": [], "persistent": [], "alert": [], "reserve": [], "why": []}, holds: {"stacks": "PieceView", "persistent": "PieceView", "alert": "PieceView", "reserve": "PieceView", "why": "CauseView"} },
  ChallengeView: { defaults: {"challenged": null, "defender": null, "threat": null, "cylon_player": null, "mystic": [], "passed": [], "stake": 0}, holds: {} },
  OptionView: { defaults: {"card": null, "piece": null, "target": null, "player": null, "word": null, "number": null, "helps_opponent": false, "harms_you": false}, holds: {} },
  UseView: { defaults: {"card": null, "piece": null, "number": null, "reason": null, "text": "", "missing": {}, "unmet": []}, holds: {} },
  DecisionView: { defaults: {"card": null, "piece": null, "chain": [], "options": [], "can_take_back": false, "owed": {}, "proposal": [], "unable": [], "others": []}, holds: {"options": "OptionView", "unable": "UseView"} },
  View: { defaults: {}, holds: {"players": "PlayerView", "threats": "PieceView", "challenge": "ChallengeView", "decision": "DecisionView", "why": "CauseView"} },
  EventView: { defaults: {"player": null, "card": null, "piece": null, "target": null, "number": null, "source": null, "to": null, "opponent": null, "why": [], "against": null}, holds: {"why": "CauseView"} },
  Happened: { defaults: {}, holds: {"events": "EventView"} },
  table: { defaults: {}, holds: {"view": "View", "events": "Happened"} },
  why: { defaults: {}, holds: {"uses": "UseView"} },
};
