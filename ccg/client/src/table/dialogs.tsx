/** Windows over the table: keys, settings, conceding, piles, the log on a phone, the end of the game. */

import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Coming, comingIn } from "../windows/coming";
import { lazily } from "../windows/lazily";
import { Log, LogSpoken } from "./side";
import { useNow } from "./tiles";
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
  /** Whether the match counts for ratings. */
  rated?: boolean;
  /** Whether the page was made for somebody who is not signed in. */
  visitor: boolean;
  /** How many turns later than players somebody who looks on is shown what happens, while the match runs. */
  delay?: number;
}

/** From which version on the window at the end is kept ready, so that it is there at once. */
const GOING = 20;

export interface DialogsProps {
  links: Links;
  /** What the window at the end offers in place of another match of the same people. */
  after?: ComponentType | undefined;
}

export function Dialogs({ links, after }: DialogsProps): VNode | null {
  const { state } = useNow();
  const { dialog } = state;
  const going = (state.received ?? 0) >= GOING;
  useEffect(() => {
    if (going) void GameOver.warm();
  }, [going]);
  if (!dialog) return null;
  switch (dialog.kind) {
    case "shortcuts":
      return <Shortcuts />;
    case "settings":
      return <SettingsWindow links={links} />;
    case "match":
      return <MatchWindow />;
    case "concede":
      return <ConcedeDialog rated={links.rated === true} />;
    case "pile":
      return <PileDialog seat={dialog.seat} pile={dialog.pile} />;
    case "log":
      return (
        <Window title="Log" class="is-wide" first=".log-lines">
          <Log lines={state.log} />
          <LogSpoken />
        </Window>
      );
    case "chat":
      return (
        <Window title="Chat" class="is-wide">
          <ChatPanel />
        </Window>
      );
    case "orders":
      return <OrdersWindow />;
    case "read":
      return <ReadCard read={dialog} />;
    case "rules":
      return <RulesDrawer clause={dialog.clause} />;
    case "out":
      return <OutWindow links={links} />;
    case "over":
      return <GameOver links={links} after={after} />;
  }
}

const ComingWindow = comingIn(Window);
const ChatPanel = lazily(() => import("./chat-panel").then((module) => module.ChatPanel), Coming);
const GameOver = lazily(() => import("./game-over").then((module) => module.GameOver), ComingWindow);
export const ReadCard = lazily(() => import("./reading").then((module) => module.ReadCard), ComingWindow);
const OrdersWindow = lazily(() => import("./orders").then((module) => module.OrdersWindow), ComingWindow);
const RulesDrawer = lazily(() => import("./rules-drawer").then((module) => module.RulesDrawer), ComingWindow);
const ConcedeDialog = lazily(() => import("./small-dialogs").then((module) => module.ConcedeDialog), ComingWindow);
const OutWindow = lazily(() => import("./small-dialogs").then((module) => module.OutWindow), ComingWindow);
const MatchWindow = lazily(() => import("./match-window").then((module) => module.MatchWindow), ComingWindow);
const PileDialog = lazily(() => import("./small-dialogs").then((module) => module.PileDialog), ComingWindow);
const Shortcuts = lazily(() => import("./shortcuts").then((module) => module.Shortcuts), ComingWindow);
const SettingsWindow = lazily(() => import("./settings-window").then((module) => module.SettingsWindow), ComingWindow);
