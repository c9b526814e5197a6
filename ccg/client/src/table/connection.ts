/**
 * The socket: opens it, opens it again after a loss with growing, jittered pauses, notices a silent one.
 *
 * It knows no message but the heartbeat's rhythm: what arrives is made whole and handed on, what is to be sent is
 * sent or dropped. Nothing is queued here, because the table asks and repeats by itself after a reconnect.
 */

import { type Pauses, pauseBefore } from "../pauses";
import type { ClientMessage, ServerMessage } from "./types";
import { whole } from "./whole";

export interface Listener {
  opened(): void;
  /** The line is gone; the next try comes in so many milliseconds. */
  lost(retryIn: number): void;
  tried(): void;
  /** The server has said that trying again is of no use. */
  ended(why: string): void;
  received(message: ServerMessage): void;
}

export interface Connection {
  send(message: ClientMessage): void;
  /** Try at once, for example because the computer is back online. */
  hurry(): void;
  /** The computer has no network any more: what was connected is not. */
  offline(): void;
  close(): void;
}

export type OpenSocket = (address: string) => WebSocket;

const PAUSES: Pauses = { first: 400, longest: 15_000 };
/** Heartbeats come every 5 s; three missed ones mean a dead line. */
const SILENCE = 17_000;
const CHECK = 2_000;

const SIGNED_OUT = 4401;

/** Close codes after which the same try would end the same way. */
const FINAL: Record<number, string> = {
  [SIGNED_OUT]: "Your session has ended. What you did here is kept: sign in again to go on.",
  4404: "There is no such table for you.",
  4409: "This match has not begun.",
};

/** Keep a connection to `address` until it is closed here. */
export function keepConnected(
  address: string,
  listener: Listener,
  openSocket: OpenSocket = (to) => new WebSocket(to),
  random: () => number = Math.random,
): Connection {
  let socket: WebSocket | null = null;
  let tries = 0;
  let heardAt = Date.now();
  let waiting: ReturnType<typeof setTimeout> | null = null;
  let ended = false;

  const open = (): void => {
    waiting = null;
    listener.tried();
    const fresh = openSocket(address);
    socket = fresh;
    heardAt = Date.now();
    let served = false;
    fresh.onopen = () => {
      heardAt = Date.now();
      if (socket === fresh) listener.opened();
    };
    fresh.onmessage = ({ data }: MessageEvent) => {
      if (socket !== fresh) return;
      heardAt = Date.now();
      tries = 0;
      const message = readMessage(data);
      if (!message) return;
      served ||= message.type !== "refused";
      listener.received(message);
    };
    fresh.onclose = ({ code }: CloseEvent) => {
      if (socket !== fresh) return;
      const why = FINAL[code];
      // Whoever has a new password, or has made their guest an account, in another tab has another session by now.
      if (why === undefined || (code === SIGNED_OUT && served)) return lose();
      socket = null;
      listener.ended(why);
    };
  };

  const lose = (): void => {
    const old = socket;
    socket = null;
    if (old && old.readyState <= 1) old.close();
    if (ended) return;
    const pause = pauseBefore(tries, PAUSES, random);
    tries += 1;
    listener.lost(pause);
    waiting = setTimeout(open, pause);
  };

  const watch = setInterval(() => {
    if (socket && Date.now() - heardAt > SILENCE) lose();
  }, CHECK);

  open();
  return {
    send(message) {
      if (socket?.readyState === 1) socket.send(JSON.stringify(message));
    },
    hurry() {
      if (waiting === null) return;
      clearTimeout(waiting);
      tries = 0;
      open();
    },
    offline() {
      if (socket !== null) lose();
    },
    close() {
      ended = true;
      clearInterval(watch);
      if (waiting !== null) clearTimeout(waiting);
      socket?.close();
      socket = null;
    },
  };
}

function readMessage(data: unknown): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(String(data));
    const known = typeof message === "object" && message !== null && "type" in message;
    return known ? (whole(String(message.type), message) as ServerMessage) : null;
  } catch {
    return null;
  }
}
