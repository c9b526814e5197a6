/** Where the chat is: a tab beside the log, a button with a count on a phone, and words for screen readers. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../cards";
import { freshLine, unreadLines } from "./chat";
import { ChatPanel } from "./chat-panel";
import { hasChat } from "./chat-state";
import { Log } from "./side";
import { useNow } from "./tiles";

/** The log, or the chat in its place where there is one; both take the same room, so nothing else moves. */
export function LogOrChat(): VNode {
  const { state } = useNow();
  const [chosen, choose] = useState<"log" | "chat">("log");
  if (!hasChat(state)) return <Log lines={state.log} />;
  const tabs = (
    <div class="log-tabs" role="tablist" aria-label="Log and chat">
      <Tab name="Log" chosen={chosen === "log"} choose={() => choose("log")} />
      <Tab name="Chat" chosen={chosen === "chat"} choose={() => choose("chat")} count={unreadLines(state)} />
    </div>
  );
  return chosen === "log" ? <Log lines={state.log} tabs={tabs} /> : <ChatPanel tabs={tabs} />;
}

interface TabProps {
  name: string;
  chosen: boolean;
  choose(): void;
  count?: number;
}

function Tab({ name, chosen, choose, count = 0 }: TabProps): VNode {
  return (
    <button type="button" role="tab" class="log-tab" aria-selected={chosen} onClick={choose}>
      {name}
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
