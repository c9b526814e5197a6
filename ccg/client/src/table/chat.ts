/** The chat of a table: its state, the functions that change it, and when it is asked for. None of them touches the page. */

import type { ChatLine, Chat as ChatMessage } from "../protocol";
import { keepIn } from "../storage";
import type { Step } from "./actions";
import { type ChatState, chatHandlers, type LineAsked } from "./chat-state";
import type { TableState } from "./store";
import type { Table } from "./table";
import type { ClientMessage, RefusedMessage } from "./types";

const LINES = 500;
/** Milliseconds within which a line that was written is answered, or else sent again. */
const ANSWER_WITHIN = 10_000;

const DONE: Record<"said" | "blocked" | "reported", string> = {
  said: "",
  blocked: "You hear nothing more of them, here and elsewhere. The people whom you block are listed in your settings.",
  reported: "Moderators will look at it.",
};

const only = (state: TableState, change: Partial<ChatState>): Step => ({
  state: { ...state, chat: { ...state.chat, ...change } },
  send: [],
});

export const writerOf = ({ seat, name }: ChatLine): string => (seat === null ? `name ${name}` : `seat ${seat}`);

/** The lines that this reader wants to see. */
export function shownLines({ chat, settings }: TableState): ChatLine[] {
  if (settings.chat === "off") return [];
  return chat.lines.filter(
    (line) => line.mine || (!chat.muted.includes(writerOf(line)) && (settings.chat === "all" || line.phrase)),
  );
}

/** How many lines of others have come that were not in sight. */
export const unreadLines = (state: TableState): number =>
  shownLines(state).filter((line) => !line.mine && line.number > state.chat.seen).length;

export function chatReceived(state: TableState, message: ChatMessage): Step {
  const { reads, writes } = message;
  const known = new Set(state.chat.lines.map((line) => line.number));
  const fresh = message.lines.filter((line) => !known.has(line.number));
  const lines = [...state.chat.lines, ...fresh].sort((one, other) => one.number - other.number).slice(-LINES);
  const phrases = message.phrases.length > 0 ? message.phrases : state.chat.phrases;
  const next = only(state, { reads, writes, lines, phrases });
  return state.chat.shown ? chatSeen(next.state) : next;
}

export function chatDone(state: TableState, id: string, did: keyof typeof DONE): Step {
  return only(state, { ...without(state, id), ...unheard(state, id), note: DONE[did] });
}

/**
 * What is left of the chat once somebody is blocked: none of their lines. They are not among the muted any more, who can
 * be heard again.
 */
function unheard({ chat: { asked, lines, muted } }: TableState, id: string): Partial<ChatState> {
  const done = asked.find((one) => one.id === id && one.type === "block_writer");
  const line = lines.find((one) => one.number === done?.line);
  if (!line) return {};
  const writer = writerOf(line);
  return {
    lines: lines.filter((one) => one.mine || writerOf(one) !== writer),
    muted: muted.filter((one) => one !== writer),
  };
}

/** A refusal of something about the chat; null if it is about something else. */
export function chatRefused(state: TableState, message: RefusedMessage): Step | null {
  if (message.id === null || !message.id.startsWith(MARK)) return null;
  return only(state, { ...without(state, message.id), note: message.message });
}

/** What is still not answered once `id` is. */
const without = ({ chat: { sending, asked } }: TableState, id: string): Partial<ChatState> => ({
  sending: sending?.id === id ? null : sending,
  asked: asked.filter((one) => one.id !== id),
});

/** All that was sent and is not answered. */
const unanswered = ({ chat: { sending, asked } }: TableState): (ClientMessage & { id: string })[] => [
  ...(sending ? [{ type: "say", ...sending } as const] : []),
  ...asked,
];

/** Ids of what is asked about the chat begin so: the answers are not those to moves. */
export const MARK = "chat-";

function asked(state: TableState, change: Partial<ChatState>, message: ClientMessage): Step {
  if (state.line !== "open") return only(state, { note: "The line to the server is down; try again in a moment." });
  return { state: only(state, { note: "", ...change }).state, send: [message] };
}

/**
 * Ask for all lines that are not known, or for all there are. What was written or asked for and not answered is sent
 * once more: the line was lost meanwhile, and nobody could write again before it is answered, or would block somebody of
 * whom nothing is shown any more. That it may have arrived is harmless: a line has its id, the rest is done once.
 */
export function chatWanted(state: TableState, whole: boolean): Step {
  const since = whole ? 0 : (state.chat.lines.at(-1)?.number ?? 0);
  return { state, send: [{ type: "read_chat", since }, ...unanswered(state)] };
}

export function lineSaid(state: TableState, text: string, id: string): Step {
  const line = text.trim();
  if (!line || !state.chat.writes) return { state, send: [] };
  return asked(state, { sending: { id: MARK + id, text: line } }, { type: "say", id: MARK + id, text: line });
}

export function writerBlocked(state: TableState, line: ChatLine, id: string): Step {
  const muted = [...state.chat.muted, writerOf(line)];
  return askedOf(state, { muted }, { type: "block_writer", id: MARK + id, line: line.number });
}

export type Reason = "offensive" | "spam" | "private" | "other";

export function lineReported(state: TableState, line: ChatLine, reason: Reason, id: string): Step {
  return askedOf(state, {}, { type: "report_line", id: MARK + id, line: line.number, reason });
}

const askedOf = (state: TableState, change: Partial<ChatState>, message: LineAsked): Step =>
  asked(state, { ...change, asked: [...state.chat.asked, message] }, message);

/** Hear nothing of this writer at this table, or again. */
export function writerMuted(state: TableState, writer: string, mute: boolean): Step {
  const others = state.chat.muted.filter((one) => one !== writer);
  return only(state, { muted: mute ? [...others, writer] : others });
}

/** The lines have come into sight, or gone. */
export function chatShown(state: TableState, shown: boolean): Step {
  const next = only(state, { shown, note: "" });
  return shown ? chatSeen(next.state) : next;
}

function chatSeen(state: TableState): Step {
  return only(state, { seen: state.chat.lines.at(-1)?.number ?? state.chat.seen });
}

/** The newest line of somebody else between two states, if one has come that is no old one. */
export function freshLine(before: TableState, now: TableState): ChatLine | null {
  if (before.chat.lines === now.chat.lines || !before.chat.reads) return null;
  const last = before.chat.lines.at(-1)?.number ?? 0;
  return shownLines(now).findLast((line) => !line.mine && line.number > last) ?? null;
}

/**
 * Ask for the chat whenever the line opens, the match ends, or it is switched on, and where what was written gets no
 * answer: a frame too many is refused unread. Remember who is muted.
 */
export function followChat(table: Table, storage: Pick<Storage, "getItem" | "setItem"> | null, match: string): void {
  const key = `muted-${match}`;
  for (const writer of (storage?.getItem(key) ?? "").split("\n").filter(Boolean)) table.mute(writer, true);
  let before = table.store.get();
  if (before.line === "open" && before.settings.chat !== "off") table.readChat(false);
  table.store.subscribe((now) => {
    const then = before;
    before = now;
    if (now.chat.muted !== then.chat.muted) keepIn(storage, key, now.chat.muted.join("\n"));
    if (now.line !== "open" || now.settings.chat === "off") return;
    const ended = now.over && !then.over && then.view !== null;
    if (ended) table.readChat(true);
    else if (then.line !== "open" || then.settings.chat === "off") table.readChat(false);
  });
  let waits: string[] = [];
  setInterval(() => {
    const now = table.store.get();
    const ids = unanswered(now).map(({ id }) => id);
    if (ids.some((id) => waits.includes(id)) && now.line === "open" && now.settings.chat !== "off")
      table.readChat(false);
    waits = ids;
  }, ANSWER_WITHIN);
}

chatHandlers.loaded = { chatReceived, chatDone, chatRefused };
