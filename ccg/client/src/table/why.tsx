/**
 * Why a number is what it is, and why a card cannot be used now, in words.
 *
 * The view says what changes numbers (`why`); why not is asked of the server when somebody looks at a card
 * of their own. Both are shown with the card one points at, has focused, or holds a finger on.
 */

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CardName, cardFacts, headOf, Icon, type IconName, knowsCard, plainText } from "../cards";
import { setPreviewNotes } from "../cards/preview-notes";
import { lazily } from "../windows/lazily";
import { findPiece } from "./board";
import { ClauseLink } from "./clause";
import { CAUSE_CLAUSES, REASON_CLAUSES } from "./clauses-data";
import { cardThing, choicesOf, pieceThing, type Thing } from "./options";
import { mayChoose, type TableState } from "./store";
import type { Table } from "./table";
import type { CardId, CauseView, PlayerView, UseView, View } from "./types";

// ---------------------------------------------------------------- causes

/** When a change ends. */
const UNTIL: Record<string, string> = {
  "end of phase": "until the phase ends",
  "end of turn": "until the turn ends",
  "end of challenge": "until the challenge ends",
  "next action": "for the next action",
  "in play": "while it is in play",
  linked: "while it is linked",
};

/** What is changed, by kind: words for the amount or the word that goes with it. */
const CHANGES: Record<CauseView["kind"], (cause: CauseView) => string> = {
  power: ({ amount }) => `${signed(amount)} power`,
  threat: ({ amount }) => `${signed(amount)} Cylon threat`,
  trait: ({ word }) => (word.startsWith("-") ? `no ${word.slice(1)}` : `is a ${word}`),
  keyword: ({ word }) => `has ${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  cannot: ({ word }) => `cannot ${BARRED[word] ?? word}`,
  yields: ({ amount }) => `${signed(amount)} resources`,
  fleet: ({ amount }) => `${signed(amount)} fleet defense`,
  prevent: ({ word }) => `no ${word}`,
  cheaper: ({ amount }) => `the next card costs ${-amount} of one resource less`,
  convert: () => "each stack that makes enough makes another resource instead",
  price: ({ amount }) => `challenging costs ${amount} of any resource`,
  revealed: ({ amount, word }) => `${signed(amount)} to revealed mystic values${word === "card" ? "" : ` (${word})`}`,
  reveal: ({ word }) => REVEALS[word] ?? "the next mystic value is another one",
};

const BARRED: Record<string, string> = {
  "be targeted": "be targeted by effects",
  "be targeted by power": "be targeted by effects that change its power",
};

const REVEALS: Record<string, string> = {
  sum: "the next mystic value is the sum of two",
  choose: "the next mystic value is chosen from two",
  skip: "no mystic value is revealed next",
};

const signed = (amount: number): string => (amount < 0 ? `−${-amount}` : `+${amount}`);

/** Which way a change goes: up, down, or neither. */
const directionOf = ({ amount, word, kind }: CauseView): "raised" | "lowered" | "" => {
  if (kind === "cannot" || word.startsWith("-")) return "lowered";
  return amount > 0 ? "raised" : amount < 0 ? "lowered" : "";
};

/** One cause in a sentence, for accessible names. */
export function causeWords(cause: CauseView): string {
  const source = knowsCard(cause.card) ? headOf(cardFacts(cause.card)) : cause.card;
  return `${CHANGES[cause.kind](cause)} from ${source}, ${UNTIL[cause.until] ?? cause.until}`;
}

const ARROWS: Record<string, IconName> = { raised: "up", lowered: "down" };

/** Causes as a list: what, from which card, until when. */
export function CauseList({ causes }: { causes: readonly CauseView[] }): VNode | null {
  if (causes.length === 0) return null;
  return (
    <ul class="why-list" aria-label="Why it differs from the print">
      {causes.map((cause, place) => {
        const direction = directionOf(cause);
        return (
          <li class={`why-cause is-${direction || "other"}`} key={`${cause.kind}${cause.card}${place}`}>
            <Icon name={ARROWS[direction] ?? "info"} size={13} />
            <span>
              <b>{CHANGES[cause.kind](cause)}</b> · <CardName card={cause.card} />{" "}
              <small>{UNTIL[cause.until] ?? cause.until}</small>
              <ClauseLink clause={CAUSE_CLAUSES[cause.kind]} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** By how much the next card of a player is cheaper. */
export const cheaperBy = (player: PlayerView | undefined): number =>
  -(player?.why ?? []).reduce((sum, cause) => sum + (cause.kind === "cheaper" ? cause.amount : 0), 0);

/** What makes a card in the own hand cheaper; nothing where it is free. */
export function causesOfHandCard(view: View, card: CardId): CauseView[] {
  const own = view.players.find((player) => player.seat === view.viewer);
  const free = !knowsCard(card) || Object.values(cardFacts(card).cost).every((amount) => !amount);
  return free ? [] : (own?.why ?? []).filter((cause) => cause.kind === "cheaper");
}

// ---------------------------------------------------------------- why not

export interface WhyNot {
  verbs: string[];
  text: string;
  /** The clause that says so; undefined where only the card does. */
  clause: string | undefined;
}

const VERBS: Record<string, string> = {
  play: "Play",
  use: "Use",
  boost: "Boost",
  resolve: "Resolve",
  challenge: "Challenge",
};

const thingOf = (use: Pick<UseView, "piece" | "card">): Thing =>
  use.piece === null ? cardThing(use.card ?? "") : pieceThing(use.piece);

/** The reasons why `thing` cannot be used, as the server has told them of the version shown; equal ones together. */
export function reasonsOf(state: TableState, thing: Thing): WhyNot[] {
  if (!state.why || state.why.version !== state.version) return [];
  const reasons = new Map<string, WhyNot>();
  for (const { reason, text, verb, ...use } of state.why.uses) {
    if (thingOf(use) !== thing || reason === null) continue;
    const known = reasons.get(text) ?? {
      verbs: [],
      text,
      clause: REASON_CLAUSES[`${reason} ${verb}`] ?? REASON_CLAUSES[reason],
    };
    const name = VERBS[verb] ?? verb;
    if (!known.verbs.includes(name)) known.verbs.push(name);
    reasons.set(text, known);
  }
  return [...reasons.values()];
}

/** A reason in plain words, for accessible names. */
export const whyNotWords = ({ verbs, text }: Pick<WhyNot, "verbs" | "text">): string =>
  `${verbs.join(", ")}: ${plainText(text)}`;

// ---------------------------------------------------------------- what is said of what one looks at

/** A mark on a player for whom something is other than usual; pointing at it says what. */
export function PlayerWhy({ player }: { player: PlayerView }): VNode | null {
  const count = player.why.length;
  if (count === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what it stands for shows when it has the focus.
    <span class="why-chip" role="note" tabIndex={0} data-why={`player:${player.seat}`}>
      <Icon name="info" size={14} /> {count}
      <span class="visually-hidden">{player.why.map(causeWords).join("; ")}</span>
    </span>
  );
}

/** What the preview of a card says beneath it: loaded when the first is shown. */
export const PreviewNotes = lazily(() => import("./why-notes").then((module) => module.PreviewNotes));

/** Let previews of cards say why, and ask the server why not when somebody looks at a card of their own. */
export function startWhy(table: Table, root: HTMLElement): () => void {
  const look = (event: Event): void => {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest("[data-card], [data-why]")) void PreviewNotes.warm();
    const thing = event.target.closest<HTMLElement>("[data-thing]");
    if (thing && isOwn(table.store.get(), thing.dataset)) table.wantWhy();
  };
  const kinds = ["pointerover", "pointerdown", "focusin"] as const;
  for (const kind of kinds) root.addEventListener(kind, look);
  setPreviewNotes((data) => <PreviewNotes table={table} data={data} />);
  return () => {
    for (const kind of kinds) root.removeEventListener(kind, look);
    setPreviewNotes(null);
  };
}

function isOwn({ view }: TableState, data: DOMStringMap): boolean {
  if (!view || view.viewer === null) return false;
  if (data.thing?.startsWith("card:")) return true;
  return findPiece(view, data.piece ? Number(data.piece) : null)?.controller === view.viewer;
}

interface Focused {
  thing: Thing | null;
  /** The version of which the name of a card in the hand had the reasons in it already, as it got the focus. */
  told: number | null;
}

/** Says the reasons for what has the focus, for those who do not see them: once, and not of what can be used now. */
export function WhySpoken({ state, root }: { state: TableState; root: { current: HTMLElement | null } }): VNode {
  const [{ thing, told }, focus] = useState<Focused>({ thing: null, told: null });
  const shown = useRef(state);
  shown.current = state;
  useEffect(() => {
    const element = root.current;
    const at = (event: Event): void => {
      const found = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-thing]") : null;
      const thing = (found?.dataset.thing as Thing | undefined) ?? null;
      const named = thing?.startsWith("card:") && reasonsOf(shown.current, thing).length > 0;
      focus({ thing, told: named ? shown.current.version : null });
    };
    element?.addEventListener("focusin", at);
    return () => element?.removeEventListener("focusin", at);
  }, [root]);
  const usable = mayChoose(state) && thing !== null && choicesOf(state.view, state.picked).glowing.has(thing);
  const silent = thing === null || usable || told === state.version;
  return (
    <p class="visually-hidden why-spoken" role="status">
      {silent ? "" : reasonsOf(state, thing).map(whyNotWords).join(" ")}
    </p>
  );
}
