/** Where the chat is: a tab beside the log, a button with a count on a phone, and words for screen readers. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../cards";
import { freshLine, unreadLines } from "./chat";
import { ChatLines } from "./chat-panel";
import { hasChat } from "./chat-state";
import { Log, LogLines } from "./side";
import { useNow } from "./tiles";

const TABS = ["log", "chat"] as const;
type TabName = (typeof TABS)[number];
const NAMES: Record<TabName, string> = { log: "Log", chat: "Chat" };

/** The log, or the chat in its place where there is one; both take the same room, so nothing else moves. */
export function LogOrChat(): VNode {
  const { state } = useNow();
  const [chosen, choose] = useState<TabName>("log");
  if (!hasChat(state)) return <Log lines={state.log} />;
  return (
    <section class={`log panel ${chosen === "chat" ? "chat" : ""}`} aria-label="Log and chat">
      <div class="log-tabs" role="tablist" aria-label="Log and chat">
        {TABS.map((name) => (
          <Tab
            name={name}
            chosen={chosen === name}
            choose={choose}
            count={name === "chat" ? unreadLines(state) : 0}
            key={name}
          />
        ))}
      </div>
      <div class="log-panel" role="tabpanel" id="log-panel" aria-labelledby={`${chosen}-tab`}>
        {chosen === "log" ? <LogLines lines={state.log} /> : <ChatLines />}
      </div>
    </section>
  );
}

interface TabProps {
  name: TabName;
  chosen: boolean;
  choose(name: TabName): void;
  count: number;
}

/** Only the chosen tab is stopped at; arrows choose the other. */
function Tab({ name, chosen, choose, count }: TabProps): VNode {
  const pressed = (event: KeyboardEvent): void => {
    if (!/^Arrow(Left|Right)$/.test(event.key)) return;
    const other = TABS.find((one) => one !== name) ?? name;
    event.preventDefault();
    choose(other);
    document.getElementById(`${other}-tab`)?.focus();
  };
  return (
    <button
      type="button"
      role="tab"
      id={`${name}-tab`}
      class="log-tab"
      aria-selected={chosen}
      aria-controls={chosen ? "log-panel" : undefined}
      tabIndex={chosen ? 0 : -1}
      onClick={() => choose(name)}
      onKeyDown={pressed}
    >
      {NAMES[name]}
      <Count of={count} />
    </button>
  );
}

function Count({ of }: { of: number }): VNode | null {
  if (of === 0) return null;
  return (
    <span class="chat-count">
      {of > 99 ? "99+" : of}
      <span class="visually-hidden"> new</span>
    </span>
  );
}

/** On a phone: the chat behind a button. */
export function ChatButton(): VNode | null {
  const { state, table } = useNow();
  if (!hasChat(state)) return null;
  return (
    <button type="button" class="top-tool top-chat" onClick={() => table.open({ kind: "chat" })}>
      <Icon name="chat" size={18} label="Chat" />
      <Count of={unreadLines(state)} />
    </button>
  );
}

/** Says each line of others when the reader has nothing else to listen to, wherever the lines themselves are. */
export function ChatSpoken(): VNode {
  const { table } = useNow();
  const [said, say] = useState("");
  useEffect(() => {
    let before = table.store.get();
    return table.store.subscribe((now) => {
      const line = freshLine(before, now);
      before = now;
      if (line) say(`${line.name} writes: ${line.text}`);
    });
  }, [table]);
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}
