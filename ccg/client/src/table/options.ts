/**
 * Which thing on the table stands for which option.
 *
 * The server says what can be chosen; this file only finds out where a click has to go. A thing is a card
 * in the hand, a piece in play or a player. An option that names several things (a unit and whom it
 * challenges, a card and the stack it goes under) is made by clicking them one after another.
 */

import type { DecisionView, OptionView, View } from "./types";

/** `card:BSG1-027`, `piece:12` or `seat:1`. */
export type Thing = `card:${string}` | `piece:${number}` | `seat:${number}`;

export const cardThing = (id: string): Thing => `card:${id}`;
export const pieceThing = (id: number): Thing => `piece:${id}`;
export const seatThing = (seat: number): Thing => `seat:${seat}`;

/** Verbs whose card lies with the piece they name (beneath it, or in its stack), not in the hand. */
const WITH_PIECE = new Set(["boost", "reorder", "use"]);

/** Kinds of decision whose cards lie elsewhere than in the hand. */
const NOT_IN_HAND = new Set(["which_supply", "search", "look", "mystic_value"]);

/** What can be clicked, by what an option may name: a linked mission is clicked on its unit. */
export type Clickable = ReadonlyMap<Thing, Thing>;

/** All things the table shows, so all that can be clicked. */
export function thingsOnTable(view: View): Clickable {
  const things = new Map<Thing, Thing>();
  const show = (thing: Thing, on: Thing = thing) => things.set(thing, on);
  for (const threat of view.threats) show(pieceThing(threat.id));
  for (const player of view.players) {
    show(seatThing(player.seat));
    for (const piece of [...player.stacks, ...player.persistent, ...player.alert, ...player.reserve]) {
      show(pieceThing(piece.id));
      for (const link of piece.links) show(pieceThing(link.id), pieceThing(piece.id));
    }
  }
  if (NOT_IN_HAND.has(view.decision?.kind ?? "")) return things;
  const own = view.players.find((player) => player.seat === view.viewer);
  for (const card of own?.hand_cards ?? []) show(cardThing(card));
  return things;
}

/** The things of one option in the order in which one would click them. */
export function thingsOf(option: OptionView, onTable: Clickable): Thing[] {
  const things: Thing[] = [];
  if (option.card !== null && !WITH_PIECE.has(option.verb)) things.push(cardThing(option.card));
  if (option.piece !== null) things.push(pieceThing(option.piece));
  if (option.target !== null) things.push(pieceThing(option.target));
  if (option.player !== null) things.push(seatThing(option.player));
  return [...new Set(things.flatMap((thing) => onTable.get(thing) ?? []))];
}

/** The cards that the next move of a replay is about: its decision holds the one option that was taken. */
export function nextThings(view: View | null): Thing[] {
  const [option] = view?.decision?.options ?? [];
  if (!view?.decision || !option) return [];
  const onTable = new Map(thingsOnTable(view));
  const { seat, kind } = view.decision;
  if (seat === (view.near ?? 0) && !NOT_IN_HAND.has(kind)) {
    for (const card of view.players.find((player) => player.seat === seat)?.hand_cards ?? []) {
      onTable.set(cardThing(card), cardThing(card));
    }
  }
  return thingsOf(option, onTable).filter((thing) => !thing.startsWith("seat:"));
}

const QUIET = new Set(["pass", "decline"]);

/** Pass and decline have a place of their own in the prompt bar: always the same one. */
export const isPass = (option: OptionView): boolean => QUIET.has(option.verb);

export interface Choices {
  /** Options that fit what has been clicked so far. */
  matching: OptionView[];
  /** What a click can go on with; these things glow. */
  glowing: Set<Thing>;
  /** Options that no thing on the table stands for: buttons. */
  plain: OptionView[];
  /** Options that glow somewhere; listed too, for keyboard and screen reader. */
  listed: OptionView[];
  /** The one way to pass or decline, if there is one. */
  pass: OptionView | null;
}

const NOTHING: Choices = { matching: [], glowing: new Set(), plain: [], listed: [], pass: null };

/** Sort the options of a decision by where they are clicked, given what has been clicked already. */
export function choicesOf(view: View | null, picked: Thing[]): Choices {
  const decision = view?.decision;
  if (!view || !decision || decision.seat !== view.viewer) return NOTHING;
  const onTable = thingsOnTable(view);
  const choices: Choices = { matching: [], glowing: new Set(), plain: [], listed: [], pass: null };
  for (const option of decision.options) {
    if (isPass(option) && choices.pass === null) {
      choices.pass = option;
      continue;
    }
    const things = thingsOf(option, onTable);
    if (!picked.every((thing) => things.includes(thing))) continue;
    choices.matching.push(option);
    const next = things.find((thing) => !picked.includes(thing));
    if (next !== undefined) choices.glowing.add(next);
    (things.length > 0 ? choices.listed : choices.plain).push(option);
  }
  return choices;
}

export type Click =
  | { does: "nothing" }
  | { does: "choose"; option: OptionView }
  | { does: "pick"; picked: Thing[]; menu: boolean }
  | { does: "unpick" };

/**
 * What a click on `thing` means: choose, remember it as the first half of a choice, or nothing.
 *
 * One fitting option is chosen at once. With several, a menu opens if the thing alone can be meant by one
 * of them; otherwise the second click says which.
 */
export function clickOn(view: View, picked: Thing[], thing: Thing): Click {
  const decision = view.decision;
  if (!decision || decision.seat !== view.viewer) return { does: "nothing" };
  if (picked.includes(thing)) return { does: "unpick" };
  const onTable = thingsOnTable(view);
  for (const before of picked.length > 0 ? [picked, []] : [[]]) {
    const fitting = optionsWith(decision, onTable, [...before, thing]);
    const only = fitting[0];
    if (only === undefined) continue;
    if (fitting.length === 1) return { does: "choose", option: only };
    const now = [...before, thing];
    const menu = fitting.some((option) => thingsOf(option, onTable).length <= now.length);
    return { does: "pick", picked: now, menu };
  }
  return { does: "nothing" };
}

/** What can be done with `thing`, after what has been clicked before or, if nothing goes on from there, anew. */
export function optionsFor(view: View, picked: Thing[], thing: Thing): OptionView[] {
  const decision = view.decision;
  if (!decision || decision.seat !== view.viewer) return [];
  const onTable = thingsOnTable(view);
  const further = optionsWith(decision, onTable, [...picked, thing]);
  return further.length > 0 ? further : optionsWith(decision, onTable, [thing]);
}

function optionsWith(decision: DecisionView, onTable: Clickable, wanted: Thing[]): OptionView[] {
  return decision.options.filter((option) => {
    const things = thingsOf(option, onTable);
    return !isPass(option) && wanted.every((thing) => things.includes(thing));
  });
}

/** The option that dropping `thing` on `onto` means, if there is exactly one. */
export function dropOn(view: View, thing: Thing, onto: Thing): OptionView | null {
  const decision = view.decision;
  if (!decision || decision.seat !== view.viewer) return null;
  const fitting = optionsWith(decision, thingsOnTable(view), [thing, onto]);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** The option that dropping `thing` on the open fleet means: the only one that needs nothing else. */
export function dropOnFleet(view: View, thing: Thing): OptionView | null {
  const decision = view.decision;
  if (!decision || decision.seat !== view.viewer) return null;
  const onTable = thingsOnTable(view);
  const fitting = optionsWith(decision, onTable, [thing]).filter((one) => thingsOf(one, onTable).length === 1);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Where a dragged thing may be let go: on these things, or on the open fleet of its player. */
export interface Drops {
  things: ReadonlySet<Thing>;
  fleet: boolean;
}

/** Find everything on which dropping `dragged` means something, so that it can light up meanwhile. */
export function dropsOf(view: View, dragged: Thing): Drops {
  const decision = view.decision;
  if (!decision || decision.seat !== view.viewer) return { things: new Set(), fleet: false };
  const onTable = thingsOnTable(view);
  const named = optionsWith(decision, onTable, [dragged]).flatMap((option) => thingsOf(option, onTable));
  const things = [...new Set(named)].filter((thing) => thing !== dragged && dropOn(view, dragged, thing) !== null);
  return { things: new Set(things), fleet: dropOnFleet(view, dragged) !== null };
}

/** Whether nothing but passing is left to choose, or what would only help an opponent. */
export function onlyPassLeft(view: View): boolean {
  const options = view.decision?.options ?? [];
  return options.some(isPass) && options.every((option) => isPass(option) || option.helps_opponent);
}

/** Whether that is so, though something could be done: it would only help an opponent. */
export const onlyHelpLeft = (view: View): boolean => onlyPassLeft(view) && view.decision?.options.length !== 1;

/** The options as the prompt bar numbers them: buttons first, then what glows. Keys 1 to 9 choose by this. */
export const numbered = (choices: Choices): OptionView[] => [...choices.plain, ...choices.listed];

/** What Enter does: the rest of a proposed payment, the only option, or the first plain one. */
export type Usual = { does: "pay" } | { does: "choose"; option: OptionView } | null;

/** Of several buttons, the first is the usual one only if it means this. */
const USUAL = new Set(["keep", "yes"]);

/** Find the usual thing to do now, the one filled button in the prompt bar. */
export function usualChoice(view: View | null, picked: Thing[], otherStacks: boolean): Usual {
  const decision = view?.decision;
  if (!view || !decision || decision.seat !== view.viewer) return null;
  if (decision.proposal.length > 0 && !otherStacks && picked.length === 0) return { does: "pay" };
  const choices = choicesOf(view, picked);
  const [first] = choices.plain;
  const plainly = first && (choices.matching.length === 1 || USUAL.has(first.verb));
  if (picked.length === 0 && plainly && choices.listed.length === 0) return { does: "choose", option: first };
  if (choices.matching.length === 0 && choices.pass) return { does: "choose", option: choices.pass };
  return null;
}
