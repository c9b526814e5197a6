// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { News } from "./news";

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen = (): void => undefined;
  onmessage = (_said: { data: string }): void => undefined;
  onclose = (): void => undefined;
  closed = false;

  constructor(readonly address: URL) {
    FakeSocket.all.push(this);
  }

  close(): void {
    this.closed = true;
    this.onclose();
  }
}

let news: News;
let looked: number;

/** Count how often the page would ask for itself. */
async function look(): Promise<void> {
  for (;;) {
    await news.wait(4);
    looked++;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  looked = 0;
  news = new News("/ws/lobby/");
  void look();
});

afterEach(() => {
  news.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const socket = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket;
const pass = async (seconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(1000 * seconds);
};

test("without a socket a page looks every few seconds, with one when something is new", async () => {
  expect(`${socket().address}`).toMatch(/^ws.*\/ws\/lobby\/$/);
  await pass(9);
  expect(looked).toBe(2);
  socket().onopen();
  await pass(0);
  expect(looked, "what was missed until then").toBe(3);
  await pass(20);
  expect(looked).toBe(3);
  socket().onmessage({ data: '{"type":"changed"}' });
  await pass(0);
  expect(looked).toBe(4);
  await pass(31);
  expect(looked, "a hint may be lost").toBe(5);
});

test("a socket that is lost is opened again, ever more seldom", async () => {
  socket().onopen();
  socket().onclose();
  expect(FakeSocket.all.length).toBe(1);
  await pass(3);
  expect(FakeSocket.all.length).toBe(2);
  for (let lost = 0; lost < 8; lost++) {
    socket().onclose();
    await pass(61);
  }
  expect(FakeSocket.all.length).toBe(10);
});

test("a socket that lets in and refuses at once is tried ever more seldom, and refusals are no news", async () => {
  for (let refused = 0; refused < 4; refused++) {
    socket().onopen();
    await pass(0);
    const before = looked;
    socket().onmessage({ data: '{"type":"refused","code":"fault"}' });
    await pass(0);
    expect(looked).toBe(before);
    socket().onclose();
    await pass(61);
  }
  const sockets = FakeSocket.all.length;
  socket().onopen();
  socket().onclose();
  await pass(10);
  expect(FakeSocket.all.length, "the pause has grown").toBe(sockets);
  await pass(61);
  socket().onopen();
  await pass(120);
  socket().onclose();
  await pass(3);
  expect(FakeSocket.all.length, "one that was of use is opened again soon").toBe(sockets + 2);
});

test("whoever comes back to the page looks at once", async () => {
  socket().onopen();
  await pass(1);
  const before = looked;
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(0);
  expect(looked).toBe(before + 1);
});

test("where nothing is waited for any more there is no socket", async () => {
  news.close();
  expect(socket().closed).toBe(true);
  await pass(120);
  expect(FakeSocket.all.length).toBe(1);
});
