/** The line at the top: who plays, which turn and phase, the state of the line, the settings. */

import type { VNode } from "preact";
import { Emblem, Icon } from "../cards";
import { lazily } from "../windows/lazily";
import { hasChat } from "./chat-state";
import type { Links } from "./dialogs";
import { isOut } from "./out";
import { AutoPassChoice } from "./pass-choice";
import { givesOrders } from "./store";
import { useNow } from "./tiles";

const PHASES = [
  ["ready", "Ready"],
  ["execution", "Execution"],
  ["cylon", "Cylon"],
] as const;

export interface TopProps {
  links: Links;
  narrow: boolean;
  /** What is shown, in place of who plays. */
  title?: string;
}

const OrdersTool = lazily(() => import("./orders").then((module) => module.OrdersTool));
const ChatButton = lazily(() => import("./chat-tab").then((module) => module.ChatButton));

export function Top({ links, narrow, title }: TopProps): VNode {
  const { view, state, table } = useNow();
  const at = PHASES.findIndex(([phase]) => phase === view.phase);
  return (
    <header class="top">
      <a class="top-home" href={links.home} title="Ragtag Fleet: home">
        <Emblem size={24} />
        <span class="visually-hidden">Ragtag Fleet: home</span>
      </a>
      <h1 class={narrow ? "visually-hidden" : "top-names"}>
        {title ?? view.players.map((player) => player.name).join(" vs ")}
      </h1>
      {!narrow && view.viewer === null && !state.replay && (
        <span class="chip">
          <Icon name="eye" size={14} /> You look on
        </span>
      )}
      {state.onlookers > 0 && (
        <span class="chip" title="How many look on">
          <Icon name="eye" size={14} /> {state.onlookers}
          <span class={narrow ? "visually-hidden" : ""}> {state.onlookers === 1 ? "looks on" : "look on"}</span>
        </span>
      )}
      <LineState />
      <div class="phases">
        {view.turn > 0 && <span class="phases-turn">Turn {view.turn}</span>}
        {view.phase === "setup" && <span class="phase is-now">Setup</span>}
        {PHASES.map(([phase, name], place) =>
          narrow && place !== at ? null : (
            <span
              key={phase}
              class={`phase phase-${phase} ${place < at ? "is-done" : place === at ? "is-now" : ""}`}
              aria-current={place === at ? "step" : undefined}
              data-term={`${name} phase`}
            >
              {place < at && <Icon name="check" size={12} label="Done:" />}
              {phase === "cylon" && place >= at && <Icon name="threat" size={14} />}
              {name}
            </span>
          ),
        )}
      </div>
      <div class="top-tools">
        {links.next && (
          <a class="chip top-next" href={links.next.address} title="Matches that wait for you">
            {narrow ? <Icon name="play" size={14} label="Next match" /> : "Next match"} <b>{links.next.count}</b>
          </a>
        )}
        {!narrow && view.viewer !== null && !view.result && !isOut(view) && !state.replay && <AutoPassChoice />}
        {givesOrders(state) && <OrdersTool />}
        {narrow && hasChat(state) && <ChatButton />}
        {narrow && (
          <button type="button" class="top-tool" onClick={() => table.open({ kind: "log" })}>
            <Icon name="stack" size={18} label="Log" />
          </button>
        )}
        <button type="button" class="top-tool" onClick={() => table.open({ kind: "rules", clause: null })}>
          <Icon name="book" size={18} label="Rules" />
        </button>
        {view.viewer !== null && !state.over && !isOut(view) && !state.replay && (
          <button type="button" class="top-tool" onClick={() => table.open({ kind: "match" })}>
            <Icon name="mission" size={18} label="Match: offers, concede" />
          </button>
        )}
        <button type="button" class="top-tool" onClick={() => table.open({ kind: "settings" })}>
          <Icon name="gear" size={18} label="Settings" />
        </button>
      </div>
    </header>
  );
}

/** Nothing while all is well; a word while the line is down. */
function LineState(): VNode {
  const { state } = useNow();
  const words = { open: "", connecting: "Connecting …", lost: "Reconnecting …", ended: "Not connected" }[state.line];
  return (
    <span class={`line-state is-${state.line}`} role="status">
      {words}
    </span>
  );
}
