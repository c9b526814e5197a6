/** Windows over the table: keys, settings, conceding, piles, the log on a phone, the end of the game. */

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CardLine, Icon } from "../cards";
import { drawnSeats, resultWords } from "./prompt";
import { SeatMark, seatClass, seatName } from "./seats";
import { Log } from "./side";
import type { AutoPass, Pile, Speed } from "./store";
import { useNow } from "./tiles";
import type { Seat, View } from "./types";

/** Addresses that the page was made with; what is missing has no link. */
export interface Links {
  home: string;
  mine: string;
  /** Where another match begins. */
  again: string;
  /** The page's form that asks for a rematch, by id; null for those who did not play. */
  rematch: string | null;
}

export function Dialogs({ links }: { links: Links }): VNode | null {
  const { state } = useNow();
  const { dialog } = state;
  if (!dialog) return null;
  switch (dialog.kind) {
    case "shortcuts":
      return <Shortcuts />;
    case "settings":
      return <SettingsDialog />;
    case "concede":
      return <ConcedeDialog />;
    case "pile":
      return <PileDialog seat={dialog.seat} pile={dialog.pile} />;
    case "log":
      return (
        <Window title="Log" wide>
          <Log lines={state.log} />
        </Window>
      );
    case "over":
      return <GameOver links={links} />;
  }
}

interface WindowProps {
  title: string;
  wide?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** A modal window; Escape and the cross close it. */
function Window({ title, wide = false, class: extra = "", children }: WindowProps): VNode {
  const { table } = useNow();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal?.();
    dialog?.querySelector<HTMLElement>(".window-actions .button-primary, .window-actions .button")?.focus();
    return () => dialog?.close?.();
  }, []);
  return (
    <dialog
      class={`window ${wide ? "is-wide" : ""} ${extra}`}
      ref={box}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        table.closeDialog();
      }}
    >
      <div class="window-panel panel panel-raised">
        <header class="window-head">
          <h2>{title}</h2>
          <button type="button" class="window-close" onClick={() => table.closeDialog()}>
            <Icon name="cross" size={18} label="Close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

const KEYS: [string, string][] = [
  ["1 … 9", "Choose by the number that the button or the list shows"],
  ["Enter", "The filled button; on a card, what a click would do"],
  ["Space", "Pass, or decline"],
  ["Esc", "Forget the half-made choice, take back the half-made move, close what is open"],
  ["← ↑ ↓ →", "Go from card to card"],
  ["Tab", "Go through everything in order"],
  ["C", "List all choices"],
  ["L", "Go to the log"],
  ["?", "This list"],
];

function Shortcuts(): VNode {
  return (
    <Window title="Keys">
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Window>
  );
}

export const AUTO_PASS: [AutoPass, string][] = [
  ["never", "never"],
  ["alone", "when nothing else is possible"],
];

const SPEEDS: [Speed, string][] = [
  ["half", "× ½"],
  ["normal", "× 1"],
  ["double", "× 2"],
  ["off", "off"],
];

function SettingsDialog(): VNode {
  const { table, state, view } = useNow();
  const { autoPass, speed } = state.settings;
  return (
    <Window title="Settings of this browser">
      <Choice
        name="Pass by itself"
        options={AUTO_PASS}
        value={autoPass}
        choose={(value) => table.set({ autoPass: value })}
      />
      <Choice name="Movement" options={SPEEDS} value={speed} choose={(value) => table.set({ speed: value })} />
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.open({ kind: "shortcuts" })}>
          Keys <kbd>?</kbd>
        </button>
        {view.viewer !== null && !state.over && (
          <button type="button" class="button button-danger" onClick={() => table.open({ kind: "concede" })}>
            Concede …
          </button>
        )}
      </div>
    </Window>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  options: [T, string][];
  value: T;
  choose(value: T): void;
}

function Choice<T extends string>({ name, options, value, choose }: ChoiceProps<T>): VNode {
  return (
    <fieldset class="setting">
      <legend>{name}</legend>
      <div class="setting-options">
        {options.map(([key, words]) => (
          <label class={`setting-option ${key === value ? "is-on" : ""}`} key={key}>
            <input type="radio" name={name} value={key} checked={key === value} onChange={() => choose(key)} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ConcedeDialog(): VNode {
  const { table } = useNow();
  return (
    <Window title="Concede?">
      <p>You leave the game as a loser. This cannot be taken back.</p>
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.closeDialog()}>
          Play on
        </button>
        <button type="button" class="button button-danger" onClick={() => table.concede()}>
          Concede
        </button>
      </div>
    </Window>
  );
}

const PILES: Record<Pile, string> = {
  discard: "discard pile, top card first",
  removed: "removed cards",
  hand: "hand, as far as it is known",
};

function PileDialog({ seat, pile }: { seat: Seat; pile: Pile }): VNode {
  const { view } = useNow();
  const player = view.players.find((one) => one.seat === seat);
  const cards = [...((pile === "hand" ? player?.hand_cards : player?.[pile]) ?? [])].reverse();
  const owner = seat === view.viewer ? "Your" : `${player?.name}’s`;
  return (
    <Window title={`${owner} ${PILES[pile]}`} wide>
      {cards.length === 0 && <p>It is empty.</p>}
      <ol class="pile">
        {cards.map((card, place) => (
          <li key={place}>
            <CardLine card={card} />
          </li>
        ))}
      </ol>
    </Window>
  );
}

const REASONS: Record<string, string> = {
  influence: "20 influence or more.",
  last: "All others have lost.",
  draw: "All lost at the same time.",
};

function GameOver({ links }: { links: Links }): VNode {
  const { view, state, table } = useNow();
  const { result } = view;
  return (
    <Window title={resultWords(view)} class="window-over">
      {result && REASONS[result.reason] && <p>{REASONS[result.reason]}</p>}
      <ol class="standing">{standing(view)}</ol>
      {state.rematch && <p class="prompt-note">A rematch has been asked for.</p>}
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.closeDialog()}>
          Look at the table
        </button>
        <a class="button" href={links.mine}>
          My matches
        </a>
        <a class={`button ${links.rematch ? "" : "button-primary"}`} href={links.again}>
          New match
        </a>
        {links.rematch && (
          <button type="submit" form={links.rematch} class="button button-primary">
            {state.rematch ? "Accept the rematch" : "Play again"}
          </button>
        )}
      </div>
    </Window>
  );
}

function standing(view: View): VNode[] {
  const drawn = drawnSeats(view);
  const order = [...view.players].sort(
    (a, b) => Number(won(b.seat)) - Number(won(a.seat)) || b.influence - a.influence,
  );
  function won(seat: Seat): boolean {
    return view.result?.winners.includes(seat) ?? false;
  }
  return order.map((player) => (
    <li key={player.seat} class={seatClass(view, player.seat)}>
      <SeatMark view={view} seat={player.seat} />
      <b>{seatName(view, player.seat, "You")}</b>
      <span>{won(player.seat) ? "won" : drawn.includes(player.seat) ? "drew" : player.lost ? "lost" : ""}</span>
      <span class="standing-influence">
        <Icon name="influence" size={17} label="Influence" /> {Math.max(0, player.influence)}
      </span>
    </li>
  ));
}
