/**
 * The prompt bar: what has been chosen so far, what is asked and of whom, and the answers.
 *
 * From left to right the buttons are: options that nothing on the table stands for, the list of everything
 * else, take back, the usual answer (filled), and pass, which is always last and always in the same place. The first
 * are scrolled where there is no room for all; the others never are.
 */

import type { ComponentChildren, JSX, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  cardFacts,
  HandTile,
  headOf,
  Icon,
  type IconName,
  knowsCard,
  Marked,
  type MarkedPart,
  markedParts,
  plainText,
} from "../cards";
import { lazily } from "../windows/lazily";
import { passesAlone } from "./auto-pass";
import { unableWords } from "./board";
import { ClauseLink } from "./clause";
import { PROMPT_CLAUSES } from "./clauses-data";
import type { Links } from "./dialogs";
import { markMore, scrollSideways } from "./in-sight";
import { lineWords, SENDING, UNANSWERED, type Waiting } from "./line-words";
import { numbered, onlyHelpLeft, usualChoice } from "./options";
import { isOut, outWords } from "./out";
import { seatClass } from "./seats";
import { awaitsAnswer, mayChoose, type TableState } from "./store";
import { type Now, OptionText, press, useNow } from "./tiles";
import type { DecisionView, OptionView, View } from "./types";

const NextMatch = lazily(() => import("./result").then((part) => part.NextMatch));
const ResultWords = lazily(
  () => import("./result").then((part) => part.ResultWords),
  () => <b>The match is over.</b>,
);

/** More buttons than these go into the list. */
const INLINE = 4;

export function Prompt({ links }: { links: Links }): VNode {
  const now = useNow();
  const { view, state, table, choices, narrow } = now;
  const [listOpen, openList] = useState(false);
  const decision = view.decision;
  const free = mayChoose(state);
  // Where nothing on the table can be clicked, the list is all there is.
  const onlyList = free && choices.glowing.size === 0 && choices.plain.length > INLINE && !choices.plain.some(isOfCard);
  useEffect(() => openList(onlyList), [state.version, state.picked.length, onlyList]);
  const mine = decision !== null && decision.seat === view.viewer;
  const all = numbered(choices);
  // What an open menu offers at its card is not offered here as well.
  const atMenu = state.menu !== null;
  const inline = state.picked.length > 0 ? choices.matching : choices.plain.filter((option) => !isOfCard(option));
  // On a phone the ways out leave little room.
  const room = !narrow ? 3 : decision?.can_take_back && choices.pass ? 1 : 2;
  const few = all.length <= room && decision?.kind !== "payment" && !choices.plain.some(isOfCard);
  const shown = atMenu ? [] : few ? all : inline.length <= INLINE ? inline : [];
  const usual = usualChoice(view, state.picked, state.otherStacks);
  const usualKey = usual?.does === "choose" ? usual.option.key : null;
  const pays = mine && usual?.does === "pay";
  // The button that pays is the only choice where every stack is needed.
  const otherWays = pays && decision.options.length > decision.proposal.length;
  const out = isOut(view) && !state.replay && state.line !== "ended";
  const listed = !atMenu && pays === otherWays && all.length > shown.length;
  return (
    <section class={`prompt panel ${mine ? "is-mine" : ""}`} aria-label="What is asked" tabIndex={-1}>
      <PromptIcon view={view} />
      <div class="prompt-words">
        {out && (
          <p class="prompt-out">
            <b>You are out of the game</b>: {outWords(state)}.
          </p>
        )}
        <div class="prompt-line">
          {/* What others are asked, and what is passed by itself, does not cut the log off that is being read. */}
          <p class="prompt-asks" aria-live={mine && !passesAlone(state) ? "assertive" : "polite"} aria-atomic="true">
            <Asks decision={decision} />
          </p>
          {mine && !view.result && state.line !== "ended" && <ClauseLink clause={PROMPT_CLAUSES[decision.kind]} />}
        </div>
        <PromptNote links={links} />
      </div>
      <div class="prompt-buttons" {...usePresses(state)}>
        {free && shown.length > 0 && (
          <Options>
            {shown.map((option) => (
              <OptionButton
                key={option.key}
                option={option}
                number={all.indexOf(option) + 1}
                filled={option.key === usualKey}
                choose={(event) => chooseOption(now, event, option)}
              />
            ))}
          </Options>
        )}
        <div class="prompt-ways">
          {free && listed && (
            <button
              type="button"
              class="button prompt-list-button"
              aria-expanded={listOpen}
              onClick={() => openList(!listOpen)}
            >
              <Icon name="menu" size={15} /> All {all.length} choices
            </button>
          )}
          {mine && (decision.can_take_back || state.picked.length > 0) && (
            <button type="button" class="button" disabled={!free} onClick={() => table.escape()}>
              Take back <kbd>Esc</kbd>
            </button>
          )}
          {otherWays && (
            <button type="button" class="button" disabled={!free} onClick={() => table.otherStacks()}>
              Other stacks
            </button>
          )}
          {pays && (
            <button type="button" class="button button-primary" disabled={!free} onClick={() => table.pay()}>
              Pay {owedSum(decision)} <kbd>Enter</kbd>
            </button>
          )}
          <PassButton />
          {out && (
            <a class="button" href={links.again}>
              New match
            </a>
          )}
          {view.result && (
            <>
              <button type="button" class="button" onClick={() => table.open({ kind: "over" })}>
                How it went
              </button>
              <NextMatch links={links} />
            </>
          )}
          {state.line === "ended" && !view.result && (
            <a class="button button-primary" href={links.signIn}>
              Sign in
            </a>
          )}
        </div>
      </div>
      {free && <CardChoices options={choices.plain} />}
      {free && listOpen && listed && <OptionList options={all} asked={!onlyList} close={() => openList(false)} />}
    </section>
  );
}

/** What can be chosen, in one line: what finds no room is scrolled to, so that the ways out stay in sight. */
function Options({ children }: { children: ComponentChildren }): VNode {
  const line = useRef<HTMLDivElement>(null);
  const mark = () => line.current && markMore(line.current);
  useLayoutEffect(() => void mark());
  useEffect(() => {
    addEventListener("resize", mark);
    return () => removeEventListener("resize", mark);
  }, []);
  return (
    <div class="prompt-options" ref={line} onWheel={scrollSideways} onScroll={mark}>
      {children}
    </div>
  );
}

/**
 * Lets no press through to buttons that began before what they say now could be seen; but to the one that only opens the
 * list of choices, which answers nothing.
 */
function usePresses({ fresh, question }: TableState): JSX.HTMLAttributes<HTMLDivElement> {
  const begun = useRef<number | null | "early">(null);
  const begin = (): void => {
    begun.current = fresh ? "early" : question;
  };
  return {
    onPointerDownCapture: begin,
    // Keys that only move the focus begin no press: the next click may come from elsewhere, as by the key of the list.
    onKeyDownCapture: ({ key }) => {
      if (key === "Enter" || key === " ") begin();
    },
    onPointerCancelCapture: () => {
      begun.current = null;
    },
    onClickCapture: (event) => {
      const late = begun.current === null || begun.current === question;
      begun.current = null;
      const opens = event.target instanceof Element && event.target.closest("[aria-expanded]") !== null;
      if (opens || (late && !fresh)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

const owedSum = (decision: DecisionView): number =>
  Object.values(decision.owed).reduce((sum, amount) => sum + amount, 0);

/** The type of the card that is being played, or a sign for the kind of decision. */
function PromptIcon({ view }: { view: View }): VNode {
  const decision = view.decision;
  const played = decision?.chain.flatMap(markedParts).find(isCard);
  const icon =
    played && knowsCard(played.id) ? cardFacts(played.id).type : (KIND_ICONS[decision?.kind ?? ""] ?? "play");
  const seat = decision ? seatClass(view, decision.seat) : "";
  return (
    <span class={`prompt-icon ${seat}`}>
      <Icon name={view.result ? "first" : icon} size={20} />
    </span>
  );
}

const isCard = (part: MarkedPart): part is MarkedPart & { id: string } => part.kind === "card";

const KIND_ICONS: Record<string, IconName> = {
  opening_hand: "hand",
  resource_card: "supply",
  reorder: "stack",
  defend: "defend",
  sniper: "defend",
  payment: "exhaust",
  mission_units: "mission",
  cylon: "threat",
  jump: "sacrifice",
  effects: "event",
};

function Asks({ decision }: { decision: DecisionView | null }): VNode {
  const { view, state } = useNow();
  if (view.result) return <ResultWords />;
  if (state.line === "ended") return <b>You are no longer connected to this table.</b>;
  if (!decision) return <>The table moves on …</>;
  if (passesAlone(state)) {
    if (state.passOrder) return <>Passing for you …</>;
    if (onlyHelpLeft(view)) return <>All you could do here only helps an opponent: passing for you …</>;
    return <>Nothing is possible here but to pass …</>;
  }
  const colour = (seat: number) => `seat-name ${seatClass(view, seat)}`;
  const stacks = state.otherStacks ? [] : proposedStacks(view, decision);
  const withStacks = stacks.length > 0 ? `with ${stacks.map(({ name }) => name).join(" and ")}?` : null;
  const picked = state.picked.length > 0 ? pickedWords(view, state.picked, decision.options) : null;
  return (
    <>
      {decision.chain.map((part, place) => (
        <span class="prompt-chain" key={part}>
          <Marked text={part} links={false} />{" "}
          {!(withStacks && place === decision.chain.length - 1) && <i aria-hidden="true">› </i>}
        </span>
      ))}
      {picked && (
        <span class="prompt-chain">
          <b>{picked}</b> <i aria-hidden="true">›</i>{" "}
        </span>
      )}
      {picked
        ? state.menu === null
          ? "which one?"
          : "what?"
        : (withStacks ?? <Marked text={decision.prompt} links={false} seatClass={colour} you={view.viewer} reach />)}
    </>
  );
}

function pickedWords(view: View, picked: string[], options: OptionView[]): string {
  const [kind, id] = (picked[0] ?? "").split(":");
  if (kind === "card" && id) return cardFacts(id).name;
  for (const player of view.players) {
    const all = [...player.alert, ...player.reserve, ...player.stacks, ...player.persistent];
    const piece = all.find((one) => String(one.id) === id);
    if (kind === "piece" && piece) return cardFacts(piece.card).name;
  }
  return options.length > 0 ? "Chosen" : "";
}

/** What is to be said of the line to the server: that it is down, that there is no network, that nobody answers. */
function useTrouble(state: TableState): [look: string, words: string] | null {
  const { line, replay } = state;
  const awaited = awaitsAnswer(state) ? (state.pending?.id ?? null) : null;
  const [waiting, wait] = useState<Waiting>("no");
  const online = useOnline();
  useEffect(() => {
    wait("no");
    if (awaited === null) return;
    const timers = [setTimeout(() => wait("soon"), SENDING), setTimeout(() => wait("long"), UNANSWERED)];
    return () => timers.forEach(clearTimeout);
  }, [awaited]);
  if (replay || line === "ended") return null;
  const words = lineWords({ line, pending: awaited !== null, waiting: awaited === null ? "no" : waiting, online });
  const bad = waiting !== "soon" || line !== "open" || !online;
  return words ? [`line ${bad ? "is-bad" : ""}`, words] : null;
}

/** Whether the browser has a network, as far as it knows. */
function useOnline(): boolean {
  const [online, set] = useState(navigator.onLine !== false);
  useEffect(() => {
    const change = () => set(navigator.onLine !== false);
    addEventListener("online", change);
    addEventListener("offline", change);
    return () => {
      removeEventListener("online", change);
      removeEventListener("offline", change);
    };
  }, []);
  return online;
}

/** The small line under the question: the state of the line or a refusal, which are read out; else a hint. */
function PromptNote({ links }: { links: Links }): VNode {
  const { state } = useNow();
  const { notice } = state;
  const trouble = useTrouble(state);
  // Before all else: whoever chooses in vain would choose again, or close the page. What is not sent later is said first.
  const [look, words] = trouble && !notice?.unsent ? trouble : [notice?.tone, notice?.text];
  return (
    <>
      {/* It is there before there is anything to say: readers of the screen read out what comes into what they know. */}
      <div class="prompt-said" role="status">
        {words && <p class={`prompt-note is-${look}`}>{words}</p>}
      </div>
      {!words && <Hint links={links} />}
    </>
  );
}

/** What helps with the question, as long as there is nothing else to say. */
function Hint({ links }: { links: Links }): VNode {
  const { state, view, choices } = useNow();
  if (view.viewer === null) {
    return (
      <p class="prompt-note">
        You look on: only what everybody may know is shown{laterWords(view.result ? 0 : (links.delay ?? 0))}.
        {links.visitor && (
          <>
            {" "}
            If you play here, <a href={links.signIn}>sign in</a>.
          </>
        )}
      </p>
    );
  }
  if (isOut(view)) return <p class="prompt-note">You look on. The replay is there when the match is over.</p>;
  if (state.clocks?.paused) return <p class="prompt-note">The match is paused until all want to go on.</p>;
  const decision = view.decision;
  if (decision?.seat === view.viewer && decision.proposal.length > 0) {
    return (
      <p class="prompt-note">{state.otherStacks ? "Choose the stacks to spend." : proposalWords(view, decision)}</p>
    );
  }
  const unable = decision?.seat === view.viewer ? unableWords(view) : "";
  if (unable) return <p class="prompt-note">{unable}</p>;
  const words = decision?.card ? askingWords(view, decision) : "";
  if (words) {
    return (
      <p class="prompt-note is-text">
        <Marked text={words} links={false} />
      </p>
    );
  }
  if (choices.glowing.size > 0 && !passesAlone(state))
    return <p class="prompt-note is-hint">What glows can be chosen.</p>;
  return <p class="prompt-note is-hint">&nbsp;</p>;
}

/** What the card says that asks: the red text of a threat, else its abilities. */
function askingWords(view: View, decision: DecisionView): string {
  if (!decision.card) return "";
  const { text, threat_text } = cardFacts(decision.card);
  const threat = view.threats.some(({ id }) => id === decision.piece);
  return threat && threat_text ? threat_text : text.join(" ");
}

/** How much later than players somebody who looks on is shown what happens. */
function laterWords(turns: number): string {
  if (turns === 0) return "";
  return turns === 1 ? ", one turn later than it happens" : `, ${turns} turns later than it happens`;
}

/** What a proposed payment makes, and what it would leave over. */
function proposalWords(view: View, decision: DecisionView): string {
  const stacks = proposedStacks(view, decision);
  const made = stacks.reduce((sum, stack) => sum + stack.yields, 0);
  const left = made - owedSum(decision);
  return `${stacks.length === 1 ? "It makes" : "They make"} ${made}${left > 0 ? `; ${left} left over` : ""}.`;
}

/** The stacks that a proposed payment would spend. */
function proposedStacks(view: View, decision: DecisionView): { name: string; yields: number }[] {
  const own = view.players.find((player) => player.seat === view.viewer);
  return decision.proposal.flatMap((key) => {
    const id = decision.options.find((option) => option.key === key)?.piece;
    const stack = own?.stacks.find((one) => one.id === id);
    return stack ? [{ name: headOf(cardFacts(stack.card)), yields: stack.yields }] : [];
  });
}

interface ButtonProps {
  option: OptionView;
  number: number;
  filled: boolean;
  choose(event: MouseEvent): void;
}

function OptionButton({ option, number, filled, choose }: ButtonProps): VNode {
  return (
    <button
      type="button"
      class={`button option-button ${filled ? "button-primary" : ""}`}
      data-option={option.key}
      data-card={option.card ?? undefined}
      aria-disabled={useNow().state.fresh || undefined}
      onClick={choose}
    >
      <span>
        <OptionText option={option} />
      </span>
      {filled ? <kbd>Enter</kbd> : number < 10 && <kbd class="of-sign">{number}</kbd>}
    </button>
  );
}

/** Pass or decline: always here, dark while it is not offered. */
function PassButton(): VNode | null {
  const { view, state, table, choices } = useNow();
  const { pass } = choices;
  if (view.viewer === null || view.result || isOut(view)) return null;
  const usual = usualChoice(view, state.picked, state.otherStacks);
  const filled = pass !== null && usual?.does === "choose" && usual.option.key === pass.key;
  return (
    <button
      type="button"
      class={`button pass-button ${filled ? "button-primary" : ""}`}
      data-option={pass?.key}
      disabled={pass === null}
      aria-disabled={state.fresh || undefined}
      onClick={() => table.pass()}
    >
      <span>{pass ? <Marked text={pass.text} links={false} /> : "Pass"}</span> <kbd>Space</kbd>
    </button>
  );
}

/** Choose what a button says; one that spends a card opens the card first, when a finger taps it. */
function chooseOption(now: Now, event: MouseEvent, option: OptionView): void {
  if (option.card === null) now.table.choose(option.key);
  else press(now, event, { card: option.card, piece: null, thing: null }, option.key);
}

const isOfCard = (option: OptionView): boolean => option.card !== null;

/** Cards that lie nowhere on the table (looked at in a deck, under a stack, in a pile), to choose among. */
function CardChoices({ options }: { options: OptionView[] }): VNode | null {
  const now = useNow();
  const cards = options.filter(isOfCard);
  if (cards.length === 0) return null;
  return (
    <fieldset class="card-choices panel panel-raised panel-scrolls" aria-label="Cards to choose among">
      {cards.map((option) => (
        <HandTile
          key={option.key}
          card={option.card ?? ""}
          label={plainText(option.text)}
          state={{ choosable: true }}
          data={{ option: option.key }}
          onClick={(event) => press(now, event, { card: option.card ?? "", piece: null, thing: null }, option.key)}
        />
      ))}
    </fieldset>
  );
}

interface ListProps {
  options: OptionView[];
  /** It was asked for: then it has the focus, and gives it back. */
  asked: boolean;
  close(): void;
}

/** Every option by name and number, for those who would rather read than look for what glows. */
function OptionList({ options, asked, close }: ListProps): VNode {
  const now = useNow();
  const box = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const list = box.current;
    // It opens upwards: what does not fit above the prompt is reached by scrolling.
    const room = (list?.parentElement?.getBoundingClientRect().top ?? 0) - 16;
    if (list && room > 0) list.style.setProperty("--room-above", `${room}px`);
    const inWindow = (target: EventTarget | null): boolean =>
      target instanceof Element && target.closest("dialog, .card-preview") !== null;
    const pressed = ({ target }: Event): void => {
      const own = target instanceof Element && target.closest(".option-list, .prompt-list-button") !== null;
      if (!own && !inWindow(target)) close();
    };
    // Before the table hears of it, which would take back what is half done.
    const key = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || inWindow(event.target)) return;
      event.preventDefault();
      close();
    };
    document.addEventListener("pointerdown", pressed, { capture: true });
    document.addEventListener("keydown", key, { capture: true });
    const before = document.activeElement;
    if (asked) list?.focus({ preventScroll: true });
    return () => {
      if (list?.contains(document.activeElement) && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
      document.removeEventListener("pointerdown", pressed, { capture: true });
      document.removeEventListener("keydown", key, { capture: true });
    };
  }, []);
  return (
    <fieldset class="option-list panel panel-raised panel-scrolls" aria-label="All choices" tabIndex={-1} ref={box}>
      {options.map((option, place) => (
        <button
          type="button"
          class="option-line"
          key={option.key}
          data-option={option.key}
          data-card={option.card ?? undefined}
          onClick={(event) => {
            close();
            chooseOption(now, event, option);
          }}
        >
          <kbd class="of-sign">{place < 9 ? place + 1 : null}</kbd>
          <span>
            <OptionText option={option} />
          </span>
        </button>
      ))}
    </fieldset>
  );
}
