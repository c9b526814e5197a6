/** The lines of the chat, and where one writes. Loaded as it is first shown. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChatLine } from "../protocol";
import { createStore, type Store, useStore } from "../store";
import { type Reason, shownLines, writerOf } from "./chat";
import { seatClass } from "./seats";
import type { Table } from "./table";
import { useNow } from "./tiles";

const LONGEST = 300;

const REASONS: [Reason, string][] = [
  ["offensive", "It offends or threatens"],
  ["spam", "It is advertising or nonsense"],
  ["private", "It tells private things"],
  ["other", "Something else"],
];

/** The chat in a panel of its own. */
export function ChatPanel(): VNode {
  return (
    <section class="log panel chat" aria-label="Chat">
      <ChatLines />
    </section>
  );
}

/** Lines with the newest at the foot, as in the log, and where one writes. */
export function ChatLines(): VNode {
  const { state, table } = useNow();
  useEffect(() => {
    table.showChat(true);
    return () => table.showChat(false);
  }, [table]);
  const { chat, you, over, line: connection } = state;
  // Not of a table that is closed to this page for good.
  const down = connection !== "open" && connection !== "ended";
  const wrote = chat.sending !== null;
  const waits = down && (wrote || (chat.asked ?? []).length > 0);
  const lines = shownLines(state);
  const hearAll = (): void => {
    for (const one of chat.muted) table.mute(one, false);
  };
  const among =
    you === null ? "Those who look on read this; players do not while they play." : "Only players read this.";
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <div class="log-lines" tabIndex={0}>
        <ol class="chat-lines">
          <li class="log-empty">
            {over && you !== null ? "The match is over: who looked on is heard as well." : among}
          </li>
          {lines.map((line) => (
            <Line key={line.number} line={line} />
          ))}
        </ol>
      </div>
      {chat.muted.length > 0 && (
        <button type="button" class="chat-small" onClick={hearAll}>
          Hear everybody again ({chat.muted.length} muted)
        </button>
      )}
      <p class="chat-note" role="status">
        {waits
          ? `The line to the server is down. What you ${wrote ? "wrote" : "asked for"} is sent when it is back.`
          : chat.note}
      </p>
      {chat.writes ? <Writing /> : <p class="chat-note">To write to others who look on, sign in with an account.</p>}
    </>
  );
}

function Line({ line }: { line: ChatLine }): VNode {
  const { view, table, state } = useNow();
  const [open, show] = useState<"" | "more" | "report">("");
  const written = new Date(line.at * 1000);
  const apart = line.to === "lookers_on" && state.you !== null;
  return (
    <li class={`chat-line ${line.mine ? "is-mine" : ""}`}>
      <b class={line.seat === null ? "" : `seat-name ${seatClass(view, line.seat)}`}>{line.mine ? "You" : line.name}</b>
      {apart && <small> (looking on)</small>}
      <time class="visually-hidden" dateTime={written.toISOString()}>
        {written.toLocaleTimeString([], { timeStyle: "short" })}
      </time>{" "}
      <span class="chat-text">{line.text}</span>
      {!line.mine && (
        <button
          type="button"
          class="chat-more"
          aria-expanded={open !== ""}
          aria-label={`Mute, block or report ${line.name}`}
          onClick={() => show(open ? "" : "more")}
        >
          …
        </button>
      )}
      {open === "more" && (
        <span class="chat-choices">
          <button type="button" onClick={() => table.mute(writerOf(line), true)}>
            Mute here
          </button>
          <button type="button" onClick={() => table.blockWriter(line)}>
            Block everywhere
          </button>
          <button type="button" onClick={() => show("report")}>
            Report …
          </button>
        </span>
      )}
      {open === "report" && (
        <span class="chat-choices">
          <span class="chat-why">What is wrong with it? Moderators read this line and some before it.</span>
          {REASONS.map(([reason, words]) => (
            <button
              type="button"
              key={reason}
              onClick={() => {
                table.reportLine(line, reason);
                show("");
              }}
            >
              {words}
            </button>
          ))}
          <button type="button" onClick={() => show("more")}>
            Back
          </button>
        </span>
      )}
    </li>
  );
}

/** What is written at a table and not said yet: it stays while the chat is out of sight. */
const unsaid = new WeakMap<Table, Store<string>>();

function unsaidAt(table: Table): Store<string> {
  const kept = unsaid.get(table) ?? createStore("");
  unsaid.set(table, kept);
  return kept;
}

/** Ends waiting for the answer to what was said last: without a line it was not sent, and none comes. */
let stopWaiting: () => void = () => undefined;

/** Say it. What was written stays until the server has it; what it refused can be changed and sent again. */
function say(table: Table, words: string): void {
  const written = unsaidAt(table);
  let onItsWay = false;
  stopWaiting();
  stopWaiting = table.store.subscribe(({ chat: { sending, note } }) => {
    onItsWay ||= sending !== null;
    if (!onItsWay || sending !== null) return;
    stopWaiting();
    if (note === "" && written.get().trim() === words.trim()) written.set("");
  });
  table.say(words);
}

function Writing(): VNode {
  const { state, table } = useNow();
  const { sending, phrases } = state.chat;
  const written = unsaidAt(table);
  const text = useStore(written);
  const [picking, pick] = useState(false);
  const send = (words: string): void => {
    if (sending !== null) return;
    say(table, words);
    pick(false);
  };
  return (
    <form
      class="chat-writing"
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      {picking && (
        <span class="chat-choices">
          {phrases.map((phrase) => (
            <button type="button" key={phrase} onClick={() => send(phrase)}>
              {phrase}
            </button>
          ))}
        </span>
      )}
      {state.settings.chat === "all" && (
        <input
          type="text"
          aria-label="Write a line"
          placeholder="Write a line"
          autoComplete="off"
          maxLength={LONGEST}
          value={text}
          onInput={(event) => written.set(event.currentTarget.value)}
        />
      )}
      <button type="button" class="chat-small" aria-expanded={picking} onClick={() => pick(!picking)}>
        Phrases
      </button>
      {state.settings.chat === "all" && (
        <button type="submit" class="chat-small" disabled={text.trim() === ""}>
          Send
        </button>
      )}
    </form>
  );
}
