import { describe, expect, it, vi } from "vitest";
import type { ChatLine } from "../protocol";
import { messageReceived } from "./actions";
import * as chat from "./chat";
import { hasChat } from "./chat-state";
import { soundBetween } from "./sounds";
import { emptyTable, SETTINGS, type TableState } from "./store";
import { createTable } from "./table";
import type { ClientMessage } from "./types";

const aLine = (number: number, more: Partial<ChatLine> = {}): ChatLine => ({
  number,
  to: "players",
  seat: 1,
  name: "Kara",
  text: `line ${number}`,
  phrase: false,
  at: 0,
  mine: false,
  ...more,
});

const aChat = (lines: ChatLine[], phrases: string[] = []) =>
  ({ type: "chat", reads: true, writes: true, lines, phrases }) as const;

const open = (settings = SETTINGS): TableState => ({ ...emptyTable(settings), line: "open" });

const heard = (lines: ChatLine[], state = open()): TableState => messageReceived(state, aChat(lines)).state;

describe("the chat of a table", () => {
  it("keeps each line once and in order, however often and late it comes", () => {
    const state = heard([aLine(2), aLine(5)], heard([aLine(5), aLine(3)]));
    expect(state.chat.lines.map((line) => line.number)).toEqual([2, 3, 5]);
  });

  it("asks after a lost line for what is missing, and at the end of the match for everything", () => {
    const state = heard([aLine(7)]);
    expect(chat.chatWanted(state, false).send).toEqual([{ type: "read_chat", since: 7 }]);
    expect(chat.chatWanted(state, true).send).toEqual([{ type: "read_chat", since: 0 }]);
  });

  it("counts what others wrote while it was out of sight", () => {
    const state = heard([aLine(1), aLine(2, { mine: true }), aLine(3)]);
    expect(chat.unreadLines(state)).toBe(2);
    const seen = chat.chatShown(state, true).state;
    expect(chat.unreadLines(seen)).toBe(0);
    expect(chat.unreadLines(heard([aLine(4)], seen))).toBe(0);
    expect(chat.unreadLines(heard([aLine(4)], chat.chatShown(seen, false).state))).toBe(1);
  });

  it("shows nothing of who is muted, and nothing at all where it is switched off", () => {
    const lines = [aLine(1), aLine(2, { seat: 0, name: "Lee" }), aLine(3, { phrase: true })];
    const muted = chat.writerMuted(heard(lines), "seat 1", true).state;
    expect(chat.shownLines(muted).map((line) => line.number)).toEqual([2]);
    expect(chat.shownLines(chat.writerMuted(muted, "seat 1", false).state)).toHaveLength(3);
    expect(chat.shownLines(heard(lines, open({ ...SETTINGS, chat: "phrases" }))).map((one) => one.number)).toEqual([3]);
    const off = heard(lines, open({ ...SETTINGS, chat: "off" }));
    expect([chat.shownLines(off), hasChat(off)]).toEqual([[], false]);
  });

  it("sends a line once, keeps it until it is answered, and says why it was refused", () => {
    const { state, send } = chat.lineSaid(heard([]), "  hello ", "1");
    expect(send).toEqual([{ type: "say", id: "chat-1", text: "hello" }]);
    expect(state.chat.sending).toEqual({ id: "chat-1", text: "hello" });
    const done = messageReceived(state, { type: "done", id: "chat-1", did: "said" }).state;
    expect([done.chat.sending, done.chat.note]).toEqual([null, ""]);
    const no = { type: "refused", id: "chat-1", code: "too_fast", message: "Wait a little.", version: 3 } as const;
    const refused = messageReceived(state, no).state;
    expect([refused.chat.sending, refused.chat.note, refused.notice]).toEqual([null, "Wait a little.", null]);
  });

  it("says that a line cannot be read, and lets one write again", () => {
    const { state } = chat.lineSaid(heard([]), "half a sign \ud83d", "1");
    const no = { type: "refused", id: "chat-1", code: "malformed", message: "Change it.", version: 3 } as const;
    const refused = messageReceived(state, no).state;
    expect([refused.chat.sending, refused.chat.note]).toEqual([null, "Change it."]);
    expect(chat.chatWanted(refused, false).send).toEqual([{ type: "read_chat", since: 0 }]);
    expect(chat.lineSaid(refused, "whole", "2").send).toHaveLength(1);
  });

  it("sends a line again that got no answer before the line was lost", () => {
    const { state, send } = chat.lineSaid(heard([aLine(7)]), "hello", "1");
    const back: TableState = { ...state, line: "open" };
    expect(chat.chatWanted(back, false).send).toEqual([{ type: "read_chat", since: 7 }, ...send]);
    const done = messageReceived(back, { type: "done", id: "chat-1", did: "said" }).state;
    expect(chat.chatWanted(done, false).send).toEqual([{ type: "read_chat", since: 7 }]);
  });

  it("asks again to block or report where the line was lost before an answer came", () => {
    const blocked = chat.writerBlocked(heard([aLine(7), aLine(8, { seat: 2 })]), aLine(7), "1");
    const { state } = chat.lineReported(blocked.state, aLine(8), "spam", "2");
    const back: TableState = { ...state, line: "open" };
    const again = [
      { type: "block_writer", id: "chat-1", line: 7 },
      { type: "report_line", id: "chat-2", line: 8, reason: "spam" },
    ];
    expect(chat.chatWanted(back, false).send).toEqual([{ type: "read_chat", since: 8 }, ...again]);
    const done = messageReceived(back, { type: "done", id: "chat-1", did: "blocked" }).state;
    expect(chat.chatWanted(done, false).send).toEqual([{ type: "read_chat", since: 8 }, again[1]]);
    const no = { type: "refused", id: "chat-2", code: "not_allowed", message: "Not this.", version: 3 } as const;
    const refused = messageReceived(done, no).state;
    expect(refused.chat.note).toBe("Not this.");
    expect(chat.chatWanted(refused, false).send).toEqual([{ type: "read_chat", since: 8 }]);
  });

  it("shows nothing more of whoever was blocked, and does not offer to hear them again", () => {
    const lines = [aLine(6, { mine: true, seat: 0 }), aLine(7), aLine(8, { seat: 2 })];
    const asked = chat.writerBlocked(heard(lines), aLine(7), "1").state;
    expect(asked.chat.muted).toEqual(["seat 1"]);
    const done = messageReceived(asked, { type: "done", id: "chat-1", did: "blocked" }).state;
    expect(done.chat.muted).toEqual([]);
    expect(chat.shownLines(done).map((line) => line.number)).toEqual([6, 8]);
  });

  it("sends a line again that gets no answer on an open line, and only that one", async () => {
    await import("./chat");
    vi.useFakeTimers();
    const sent: ClientMessage[] = [];
    const table = createTable({ send: (message) => sent.push(message), settings: SETTINGS });
    table.lineOpened();
    table.received(aChat([]));
    chat.followChat(table, null, "a-match");
    table.say("hello");
    await vi.advanceTimersByTimeAsync(0);
    const said = () => sent.filter((message) => message.type === "say");
    table.received({ type: "refused", id: null, code: "too_fast", message: "Wait a second.", version: 0 });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(said().length).toBeGreaterThan(1);
    const [line] = said();
    table.received({ type: "done", id: line?.id ?? "", did: "said" });
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length).toBe(before);
    vi.useRealTimers();
  });

  it("hears nothing of who is muted in a browser that keeps nothing as well", async () => {
    vi.useFakeTimers();
    const full = (): never => {
      throw new DOMException("It is full.");
    };
    const table = createTable({ send: () => undefined, settings: SETTINGS });
    chat.followChat(table, { getItem: () => null, setItem: full }, "a-match");
    let told: string[] = [];
    table.store.subscribe((now) => {
      told = now.chat.muted;
    });
    table.mute("seat 1", true);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(["seat 1"]);
    vi.useRealTimers();
  });

  it("sends nothing while the line is down, and nothing empty", () => {
    const down: TableState = { ...heard([]), line: "lost" };
    expect(chat.lineSaid(down, "hello", "1").send).toEqual([]);
    expect(chat.lineSaid(down, "hello", "1").state.chat.note).toContain("try again");
    expect(chat.lineSaid(heard([]), "  ", "1").send).toEqual([]);
  });

  it("is heard only where that is switched on, and never for old lines or one's own", () => {
    const quiet = heard([aLine(1)]);
    expect(soundBetween(quiet, heard([aLine(2)], quiet))).toBeNull();
    const loud = heard([aLine(1)], open({ ...SETTINGS, chatSound: "on" }));
    expect(soundBetween(open({ ...SETTINGS, chatSound: "on" }), loud)).toBeNull();
    expect(soundBetween(loud, heard([aLine(2)], loud))).toBe("line");
    expect(soundBetween(loud, heard([aLine(2, { mine: true })], loud))).toBeNull();
    expect(soundBetween(loud, chat.writerMuted(loud, "seat 1", true).state)).toBeNull();
  });
});
