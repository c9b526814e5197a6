import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keepConnected, type Listener } from "./connection";
import type { ServerMessage } from "./types";

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const newest = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1] as FakeSocket;

let heard: string[];
let newestMessage: ServerMessage | null;
let connection: ReturnType<typeof keepConnected>;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  heard = [];
  newestMessage = null;
  const listener: Listener = {
    opened: () => heard.push("opened"),
    lost: (retryIn) => heard.push(`lost ${retryIn}`),
    tried: () => heard.push("tried"),
    ended: (why) => heard.push(`ended: ${why}`),
    received: (message) => {
      heard.push(message.type);
      newestMessage = message;
    },
  };
  const openSocket = () => new FakeSocket() as unknown as WebSocket;
  connection = keepConnected("ws://here/", listener, openSocket, () => 0);
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

describe("the line", () => {
  test("hands on what arrives, and drops what is no message", () => {
    newest().opens();
    newest().onmessage?.({ data: '{"type":"pong"}' });
    newest().onmessage?.({ data: "nonsense" });
    expect(heard).toEqual(["tried", "opened", "pong"]);
  });

  test("makes whole what arrives", () => {
    newest().opens();
    newest().onmessage?.({ data: '{"type":"table","events":[{"version":1,"events":[{"kind":"pass","text":"."}]}]}' });
    expect(newestMessage).toMatchObject({ events: [{ events: [{ kind: "pass", card: null, player: null }] }] });
  });

  test("sends only while it is open", () => {
    connection.send({ type: "hello" });
    newest().opens();
    connection.send({ type: "hello" });
    expect(newest().sent).toEqual(['{"type":"hello"}']);
  });

  test("tries again after growing pauses", () => {
    newest().breaks();
    vi.advanceTimersByTime(200);
    newest().breaks();
    vi.advanceTimersByTime(399);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(3);
  });

  test("begins with short pauses again once something was heard", () => {
    newest().breaks();
    vi.advanceTimersByTime(200);
    newest().opens();
    newest().onmessage?.({ data: '{"type":"pong"}' });
    newest().breaks();
    expect(heard.at(-1)).toBe("lost 200");
  });

  test("gives a silent line up", () => {
    newest().opens();
    vi.advanceTimersByTime(20_000);
    expect(heard.some((word) => word.startsWith("lost"))).toBe(true);
  });

  test("does not try again where that is of no use", () => {
    newest().opens();
    newest().breaks(4404);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(heard.at(-1)).toBe("ended: There is no such table for you.");
  });

  test("of who was signed in another session is tried once: a new password, or an account for a guest, makes one", () => {
    newest().opens();
    newest().onmessage?.({ data: '{"type":"heartbeat","present":[]}' });
    newest().onmessage?.({ data: '{"type":"refused","code":"logged_out"}' });
    newest().breaks(4401);
    expect(heard.at(-1)).toBe("lost 200");
    vi.advanceTimersByTime(200);
    expect(FakeSocket.all).toHaveLength(2);
    newest().opens();
    newest().onmessage?.({ data: '{"type":"refused","code":"logged_out"}' });
    newest().breaks(4401);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(heard.at(-1)).toContain("ended: Your session has ended.");
  });

  test("hurries when the page comes back", () => {
    newest().breaks();
    connection.hurry();
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("does not wait for silence where there is no network", () => {
    newest().opens();
    connection.offline();
    expect(heard.at(-1)).toBe("lost 200");
    connection.offline();
    expect(heard.filter((word) => word.startsWith("lost"))).toHaveLength(1);
    connection.hurry();
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("ignores a socket that was given up", () => {
    const old = newest();
    old.opens();
    vi.advanceTimersByTime(20_000);
    old.onmessage?.({ data: '{"type":"pong"}' });
    expect(heard).not.toContain("pong");
  });
});
