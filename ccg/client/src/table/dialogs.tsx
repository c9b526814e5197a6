/** Windows over the table: keys, settings, conceding, piles, the log on a phone, the end of the game. */

import type { ComponentType, VNode } from "preact";
import { CardLine } from "../cards";
import { ChatPanel } from "./chat-tab";
import { GameOver } from "./game-over";
import { lazily } from "./lazily";
import { ReadCard } from "./reading";
import { Log } from "./side";
import type { Pile } from "./store";
import { useNow } from "./tiles";
import type { Seat } from "./types";
import { Window } from "./window";

/** Addresses that the page was made with; what is missing has no link. */
export interface Links {
  home: string;
  mine: string;
  /** Where the next match lies that waits for this player, and how many do; null if none did as the page was made. */
  next: { address: string; count: number } | null;
  /** Where another match begins. */
  again: string;
  /** The page's form that asks for a rematch, by id; null for those who did not play. */
  rematch: string | null;
  /** Where one signs in and comes back to this table. */
  signIn: string;
  /** Where it is told how the match went, once it is over. */
  ending: string;
  /** Where it is told what the match did to ratings, once it is over. */
  rating?: string;
  /** Where the match can be looked at again, once it is over; "" where it cannot. */
  replay: string;
  /** What the server is bound to for the shuffles, and the page about that; null for matches without. */
  shuffles?: { commitments: string; page: string } | null;
  /** Whether the page was made for somebody who is not signed in. */
  visitor: boolean;
}

export interface DialogsProps {
  links: Links;
  /** What the window at the end offers in place of another match of the same people. */
  after?: ComponentType | undefined;
}

export function Dialogs({ links, after }: DialogsProps): VNode | null {
  const { state } = useNow();
  const { dialog } = state;
  if (!dialog) return null;
  switch (dialog.kind) {
    case "shortcuts":
      return <Shortcuts />;
    case "settings":
      return <SettingsWindow links={links} />;
    case "concede":
      return <ConcedeDialog />;
    case "pile":
      return <PileDialog seat={dialog.seat} pile={dialog.pile} />;
    case "log":
      return (
        <Window title="Log" class="is-wide">
          <Log lines={state.log} />
        </Window>
      );
    case "chat":
      return (
        <Window title="Chat" class="is-wide">
          <ChatPanel />
        </Window>
      );
    case "read":
      return <ReadCard read={dialog} />;
    case "rules":
      return <RulesDrawer clause={dialog.clause} />;
    case "over":
      return <GameOver links={links} after={after} />;
  }
}

const RulesDrawer = lazily(() => import("./rules-drawer").then((module) => module.RulesDrawer));
const Shortcuts = lazily(() => import("./shortcuts").then((module) => module.Shortcuts));
const SettingsWindow = lazily(() => import("./settings-window").then((module) => module.SettingsWindow));

function ConcedeDialog(): VNode {
  const { table } = useNow();
  return (
    <Window title="Concede?">
      <p>You lose and leave the game. This cannot be taken back.</p>
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
    <Window title={`${owner} ${PILES[pile]}`} class="is-wide">
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
