/** Small questions about a view that several parts of the page ask. */

import { cardFacts, headOf } from "../cards";
import type { EventView, OptionView, PieceId, PieceView, PlayerView, Seat, UseView, View } from "./types";

/** All pieces of one player, in the order in which they lie. */
export const piecesOf = (player: PlayerView): PieceView[] => [
  ...player.stacks,
  ...player.persistent,
  ...player.alert,
  ...player.reserve,
];

/** Find a piece in any fleet or among the Cylon threats. */
export function findPiece(view: View, id: PieceId | null): PieceView | null {
  if (id === null) return null;
  for (const player of view.players) {
    const found = piecesOf(player).find((piece) => piece.id === id);
    if (found) return found;
  }
  return view.threats.find((piece) => piece.id === id) ?? null;
}

/**
 * Return "you" where `option` chooses the viewer, whom the option calls by name; else whose its piece is, where what can
 * be chosen lies with several players: equal names may be among it.
 */
export function ownerWords(view: View, option: OptionView): string {
  if (option.player !== null && option.player === view.viewer) return "you";
  const ownerOf = ({ piece }: OptionView): number | undefined => findPiece(view, piece)?.controller;
  const owner = ownerOf(option);
  const owners = new Set(view.decision?.options.map(ownerOf).filter((seat) => seat !== undefined));
  if (owner === undefined || owners.size < 2) return "";
  return owner === view.viewer ? "yours" : (view.players.find((player) => player.seat === owner)?.name ?? "");
}

/** The power to show on `card` where `piece` lies: as printed on a resource, which has none to lose when it is spent. */
export function powerShown(piece: PieceView | null, card: string): number | undefined {
  const resource = piece?.role === "base" || piece?.role === "asset";
  return piece?.card === card && !resource ? piece.power : undefined;
}

/** The opponents of the viewer in turn order from the left; for those who look on, all but the near seat. */
export function opponents(view: View): PlayerView[] {
  const own = view.viewer ?? view.near ?? view.players[0]?.seat ?? 0;
  const count = view.players.length;
  return [...view.players].filter((player) => player.seat !== own).sort((a, b) => turn(a) - turn(b));
  function turn(player: PlayerView): number {
    return (player.seat - own + count) % count;
  }
}

/** The fleet at the bottom of the table: the viewer's own, or the near seat's for those who look on. */
export const nearPlayer = (view: View): PlayerView | undefined =>
  view.players.find((player) => player.seat === (view.viewer ?? view.near)) ?? view.players[0];

export interface ThreatBlock {
  piece: PieceId;
  seat: Seat;
  threat: number;
  name: string;
}

/** One block of the gauge for each face-up card that adds to the threat level, by seat. */
export function threatBlocks(view: View): ThreatBlock[] {
  return view.players.flatMap((player) =>
    [...player.alert, ...player.reserve]
      .filter((piece) => !piece.exhausted && piece.threat > 0)
      .map((piece) => ({
        piece: piece.id,
        seat: player.seat,
        threat: piece.threat,
        name: headOf(cardFacts(piece.card)),
      })),
  );
}

/** What the gauge says in words. */
export function gaugeWords(view: View): string {
  const over = view.threat_level - view.fleet_defense;
  if (over > 0) return `${over} over fleet defense: Cylons attack this turn`;
  if (over === 0) return "At fleet defense: one more and Cylons attack";
  return `${-over} below fleet defense`;
}

export type StepState = "done" | "now" | "later";

export interface Step {
  name: string;
  note: string;
  state: StepState;
}

/** Which of the five steps goes on at each stage of a challenge; the challenger has been chosen by then. */
const STAGES = { declared: 1, defend: 1, effects: 2, mystic: 3, result: 4 };

/** The steps of the challenge that is going on, or the phases of the turn. */
export function stepsOf(view: View, acts: string, staged: EventView[] = []): Step[] {
  const { challenge } = view;
  if (!challenge) {
    const phases = ["setup", "ready", "execution", "cylon"] as const;
    const at = phases.indexOf(view.phase);
    return (["Ready phase", "Execution phase", "Cylon phase"] as const).map((name, place) => ({
      name,
      note: place + 1 === at ? acts : "",
      state: place + 1 < at ? "done" : place + 1 === at ? "now" : "later",
    }));
  }
  const revealing = staged.some((event) => event.kind === "mystic");
  const totals = staged.findIndex((event) => event.kind === "totals");
  const at =
    totals >= 0 && totals < staged.length - 1 // what comes of them: defeats, rewards, who has won
      ? STAGES.result
      : revealing
        ? STAGES.mystic
        : STAGES[challenge.step];
  const name = (id: PieceId | null) => {
    const piece = findPiece(view, id);
    return piece ? headOf(cardFacts(piece.card)) : "";
  };
  const opposed = challenge.threat !== null ? name(challenge.threat) : name(challenge.defender);
  const notes = [name(challenge.challenger), opposed || (at > 1 ? "none" : acts), "", "", ""];
  const names = ["Challenger", "Defender", "Events and abilities", "Mystic values", "Result"];
  return names.map((step, place) => ({
    name: step,
    note: place === at && !notes[place] && !revealing ? acts : (notes[place] ?? ""),
    state: place < at ? "done" : place === at ? "now" : "later",
  }));
}

/** The mystic values that `seat` has revealed in the latest challenge, the cards of all of them. */
export function revealedBy(events: EventView[], seat: Seat): EventView[] {
  const begun = events.findLastIndex((event) => event.kind === "challenge");
  return events.slice(begun + 1).filter((event) => event.kind === "mystic" && event.player === seat);
}

/** What a challenge is about before it is decided, in words; nothing where a defender has been found. */
export function stakeWords(view: View): string {
  const { challenge } = view;
  if (!challenge) return "";
  if (challenge.threat !== null) return `Beating it gains ${challenge.stake} influence`;
  if (challenge.defender !== null || challenge.challenged === null) return "";
  const you = challenge.challenged === view.viewer;
  const name = view.players.find((player) => player.seat === challenge.challenged)?.name ?? "";
  const manipulates = findPiece(view, challenge.challenger)?.keywords.includes("manipulate");
  const gains = challenge.challenging === view.viewer ? ", or you gain it" : ", or the challenger gains it";
  const loses = `${you ? "you lose" : `${name} loses`} ${challenge.stake} influence${manipulates ? gains : ""}`;
  return challenge.step === "declared" || challenge.step === "defend" ? `Undefended ${loses}` : `No defender: ${loses}`;
}

/** Why units cannot defend or challenge, in a word or two for each reason. */
const UNABLE: Partial<Record<NonNullable<UseView["reason"]>, string>> = {
  not_alert: "in reserve",
  exhausted: "exhausted",
  other_type: "not of the challenger’s type",
  vision: "Vision",
  vision_defends: "Vision",
  forbidden: "forbidden by a card",
  forbidden_to_defend: "forbidden by a card",
};

/** Who cannot do what is asked: names by reason. */
export function unableWords(view: View): string {
  const byReason = new Map<string, string[]>();
  const unable = view.decision?.unable ?? [];
  for (const { piece, reason } of unable) {
    const found = findPiece(view, piece);
    if (!found || reason === null) continue;
    const why = UNABLE[reason] ?? "";
    byReason.set(why, [...(byReason.get(why) ?? []), headOf(cardFacts(found.card))]);
  }
  const words = [...byReason].map(([why, names]) => `${names.join(", ")} (${why})`);
  return words.length > 0 ? `Cannot ${unable[0]?.verb}: ${words.join("; ")}.` : "";
}

export interface Side {
  seat: Seat | null;
  piece: PieceView | null;
  printed: number | null;
  power: number;
  mystic: number | null;
}

/** Both sides of the challenge with their numbers; `staged` may already have revealed mystic values. */
export function challengeSides(view: View, staged: EventView[]): [Side, Side] | null {
  const { challenge } = view;
  if (!challenge) return null;
  const revealed = staged.filter((event) => event.kind === "mystic");
  const mysticOf = (seat: Seat | null): number | null =>
    challenge.mystic.find(([whose]) => whose === seat)?.[1] ??
    revealed.find((event) => event.player === seat)?.number ??
    null;
  const side = (seat: Seat | null, id: PieceId | null): Side => {
    const piece = findPiece(view, id);
    const facts = piece ? cardFacts(piece.card) : null;
    const printed = piece?.role === "threat" ? (facts?.threat ?? null) : (facts?.power ?? null);
    return { seat, piece, printed, power: piece?.power ?? 0, mystic: mysticOf(seat) };
  };
  return [
    side(challenge.challenging, challenge.challenger),
    side(challenge.challenged ?? challenge.cylon_player, challenge.threat ?? challenge.defender),
  ];
}

/** What stands in a fleet that is folded. */
export function fleetWords(player: PlayerView): string {
  return `${player.alert.length} alert, ${player.reserve.length} reserve`;
}
