/** What a table always knows of its chat. The rest (`chat.ts`) is loaded where there is one. */

import type { ChatLine, Chat as ChatMessage, Done } from "../protocol";
import type { Step } from "./actions";
import type { TableState } from "./store";
import type { ClientMessage, RefusedMessage } from "./types";

/** That somebody be blocked, or a line looked at by moderators. */
export type LineAsked = Extract<ClientMessage, { type: "block_writer" | "report_line" }>;

export interface ChatState {
  /** Whether there is a chat for who is here, and whether they may write. */
  reads: boolean;
  writes: boolean;
  lines: ChatLine[];
  phrases: string[];
  /** The newest line that was in sight. */
  seen: number;
  /** Whether the lines are in sight. */
  shown: boolean;
  /** Writers of whom nothing is shown at this table, by `writerOf`. */
  muted: string[];
  /** What was sent and is not answered. */
  sending: { id: string; text: string } | null;
  /** What was asked for about lines of others (a block, a report) and is not answered. */
  asked: LineAsked[];
  /** What came of the last thing that was asked for. */
  note: string;
}

export const NO_CHAT: ChatState = {
  reads: false,
  writes: false,
  lines: [],
  phrases: [],
  seen: 0,
  shown: false,
  muted: [],
  sending: null,
  asked: [],
  note: "",
};

/** Whether the table has a chat for this reader, who has not switched it off. */
export const hasChat = ({ chat, settings, replay }: TableState): boolean =>
  chat.reads && settings.chat !== "off" && !replay;

/** What is done with messages about the chat. */
export interface ChatHandlers {
  chatReceived(state: TableState, message: ChatMessage): Step;
  chatDone(state: TableState, id: string, did: Done["did"]): Step;
  chatRefused(state: TableState, message: RefusedMessage): Step | null;
}

/** Filled in by `chat.ts` as it is loaded; nothing is asked for before, so no such message comes before. */
export const chatHandlers: { loaded: ChatHandlers | null } = { loaded: null };
