import { afterEach, expect, test, vi } from "vitest";
import { createNotes, type NotesData, type NotesPage, unkept } from "./notes";

const data: NotesData = { lines: [], writer: "", address: "/notes/", link: null, longest: 500 };

const page: NotesPage = { match: "m", user: "7", token: "token", who: "/who/", storage: null };

afterEach(() => vi.unstubAllGlobals());

/** What a browser keeps. */
function aStorage(kept: Record<string, string> = {}) {
  const all = new Map(Object.entries(kept));
  return {
    get length() {
      return all.size;
    },
    key: (place: number) => [...all.keys()][place] ?? null,
    getItem: (key: string) => all.get(key) ?? null,
    setItem: (key: string, value: string) => void all.set(key, value),
    removeItem: (key: string) => void all.delete(key),
    all: () => Object.fromEntries(all),
  };
}

const JSON_ANSWER = new Headers({ "Content-Type": "application/json" });

function answering(status: number, body: unknown) {
  const fetched = vi.fn((_address: string, _sent: { body: URLSearchParams }) =>
    Promise.resolve({ ok: status < 400, status, headers: JSON_ANSWER, json: () => Promise.resolve(body) }),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test("a note is kept by the server, and shown as the server has it", async () => {
  const fetched = answering(200, { lines: [{ move: 7, text: "Pass." }], link: null });
  const notes = createNotes(data, page);
  await notes.keep(7, " Pass. ");
  expect(String(fetched.mock.calls[0]?.[1].body)).toBe("do=keep&move=7&text=+Pass.+&was=");
  expect(notes.store.get().lines).toEqual([{ move: 7, text: "Pass." }]);
});

test("what is refused leaves the notes as they are, and says why", async () => {
  answering(400, { wrong: "There is no such move in this match." });
  const notes = createNotes({ ...data, lines: [{ move: 1, text: "One." }] }, page);
  await notes.keep(999, "x");
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 1, text: "One." }],
    failed: { 999: "There is no such move in this match." },
  });
});

test("without a server it says that nothing was saved", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("away")));
  const notes = createNotes(data, page);
  await notes.share(true);
  expect(notes.store.get().wrong).toContain("please try again");
});

test("somebody else's notes are only read", async () => {
  const fetched = answering(200, {});
  const notes = createNotes({ ...data, address: null, writer: "Bob" }, page);
  await notes.keep(1, "x");
  expect(fetched).not.toHaveBeenCalled();
  expect(notes.store.get().mine).toBe(false);
});

test("notes are sent one after another, and what may have arrived is told with the next", async () => {
  const sent: string[] = [];
  const answers: ((kept: boolean) => void)[] = [];
  vi.stubGlobal("fetch", (_address: string, { body }: { body: URLSearchParams }) => {
    sent.push(String(body));
    return new Promise((done, fail) =>
      answers.push((kept) =>
        kept
          ? done({
              ok: true,
              status: 200,
              headers: JSON_ANSWER,
              json: async () => ({ lines: [{ move: 7, text: body.get("text") }] }),
            })
          : fail(new DOMException("", "TimeoutError")),
      ),
    );
  });
  const notes = createNotes({ ...data, lines: [{ move: 7, text: "Old." }] }, page);
  notes.type(7, "First.");
  const first = notes.keep(7, "First.");
  notes.type(7, "Second.");
  const second = notes.keep(7, "Second.");
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(notes.store.get().sending).toBe(true);
  answers[0]?.(false);
  await first;
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  answers[1]?.(true);
  await second;
  expect(sent).toEqual(["do=keep&move=7&text=First.&was=Old.", "do=keep&move=7&text=Second.&was=Old.&was=First."]);
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 7, text: "Second." }],
    typed: {},
    sending: false,
    failed: {},
  });
});

test("what is written on a move stays while another one is looked at, and goes once it is kept", async () => {
  answering(200, { lines: [{ move: 2, text: "Two." }], link: null });
  const notes = createNotes(data, page);
  notes.type(2, "Two.");
  notes.type(3, "Three, half writ");
  await notes.keep(2, "Two.");
  expect(notes.store.get().typed).toEqual({ 3: "Three, half writ" });
});

test("however often a long note got no answer, what is sent is not too long for the server", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: { body: URLSearchParams }) => {
    sent.push(String(body));
    return Promise.reject(new Error("away"));
  });
  const old = "\u8230".repeat(500);
  const notes = createNotes({ ...data, lines: [{ move: 7, text: old }] }, page);
  for (let tries = 0; tries < 30; tries++) await notes.keep(7, `${tries >> 1} ${old}`.slice(0, 500));
  expect(Math.max(...sent.map((body) => body.length))).toBeLessThan(32 * 1024);
  const was = new URLSearchParams(sent.at(-1)).getAll("was").map((text) => text.slice(0, 2));
  expect(was).toEqual(["\u8230\u8230", "11", "12", "13", "14"]);
});

test("a note that another window has changed is shown as it is, and what was written stays", async () => {
  answering(409, { wrong: "It was changed.", lines: [{ move: 2, text: "Theirs." }], link: null });
  const notes = createNotes(data, page);
  notes.type(2, "Mine.");
  await notes.keep(2, "Mine.");
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 2, text: "Theirs." }],
    typed: { 2: "Mine." },
    failed: { 2: "It was changed." },
  });
});

test("what could not be kept is told of its own move, also after another one was kept", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("away")));
  const notes = createNotes(data, page);
  notes.type(2, "Two.");
  await notes.keep(2, "Two.");
  answering(200, { lines: [{ move: 3, text: "Three." }], link: null });
  notes.type(3, "Three.");
  await notes.keep(3, "Three.");
  expect(notes.store.get().failed).toEqual({ 2: expect.stringContaining("please try again") });
  expect(unkept(notes.store.get())).toEqual([2]);
});

test("what is written is there again after a reload, for its writer alone, until it is kept", async () => {
  const storage = aStorage();
  const before = createNotes(data, { ...page, storage });
  before.type(2, "Two, half");
  before.type(3, "Three.");
  answering(200, { lines: [{ move: 3, text: "Three." }], link: null });
  await before.keep(3, "Three.");
  expect(before.wouldBeLost()).toBe(false);

  expect(createNotes(data, { ...page, storage, user: "8" }).store.get().typed).toEqual({});
  expect(createNotes(data, { ...page, storage, match: "other" }).store.get().typed).toEqual({});
  const after = createNotes(data, { ...page, storage });
  expect(after.store.get().typed).toEqual({ 2: "Two, half" });
  after.type(2, "");
  expect(storage.all()).toEqual({});
});

test("what another window has written on the same move since stays", async () => {
  const storage = aStorage();
  const one = createNotes(data, { ...page, storage });
  const other = createNotes(data, { ...page, storage });
  one.type(2, "One.");
  other.type(2, "Other.");
  answering(200, { lines: [{ move: 2, text: "One." }], link: null });
  await one.keep(2, "One.");
  expect(createNotes({ ...data, lines: [{ move: 2, text: "One." }] }, { ...page, storage }).store.get().typed).toEqual({
    2: "Other.",
  });
});

test("where the browser keeps nothing, what is written would be lost with the page", () => {
  const notes = createNotes(data, page);
  expect(notes.wouldBeLost()).toBe(false);
  notes.type(2, "Two.");
  expect(notes.wouldBeLost()).toBe(true);
});

/** A server that knows `token` and tells of `user`; it answers a page to whoever comes with another one. */
function signedIn(user: string | null, token: string) {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (address: string, more: { body?: URLSearchParams; headers?: Record<string, string> }) => {
    if (address === "/who/") return Promise.resolve({ json: async () => ({ user, token }) });
    if (user !== null && more.headers?.["X-CSRFToken"] === token) {
      sent.push(String(more.body));
      const lines = [{ move: 2, text: "Two." }];
      return Promise.resolve({ ok: true, status: 200, headers: JSON_ANSWER, json: async () => ({ lines }) });
    }
    const headers = new Headers({ "Content-Type": "text/html" });
    const json = () => Promise.reject(new SyntaxError("<"));
    return Promise.resolve({ ok: false, status: user === null ? 404 : 403, headers, json });
  });
  return sent;
}

test("who has signed in anew in another tab keeps notes on", async () => {
  const sent = signedIn("7", "another");
  const notes = createNotes(data, page);
  notes.type(2, "Two.");
  await notes.keep(2, "Two.");
  expect(sent).toHaveLength(1);
  expect(notes.store.get()).toMatchObject({ lines: [{ move: 2, text: "Two." }], failed: {}, typed: {} });
});

test.each([
  ["nobody", null, "not signed in here any more"],
  ["somebody else", "8", "Somebody else"],
])("where %s is signed in by now that is told, and nothing is kept as theirs", async (_, user, words) => {
  const sent = signedIn(user, "another");
  const storage = aStorage();
  const notes = createNotes(data, { ...page, storage });
  notes.type(2, "Two.");
  await notes.keep(2, "Two.");
  expect(sent).toEqual([]);
  expect(notes.store.get()).toMatchObject({ signedOut: user === null, failed: { 2: expect.stringContaining(words) } });
  expect(createNotes(data, { ...page, storage }).store.get().typed).toEqual({ 2: "Two." });
});

test("what has arrived although its answer was lost is not what is typed on the next visit", () => {
  const storage = aStorage();
  createNotes(data, { ...page, storage }).type(2, "Two. ");
  const arrived = createNotes({ ...data, lines: [{ move: 2, text: "Two." }] }, { ...page, storage });
  expect(arrived.store.get().typed).toEqual({});
  const changedElsewhere = createNotes({ ...data, lines: [{ move: 2, text: "Newer." }] }, { ...page, storage });
  expect(changedElsewhere.store.get().typed).toEqual({});
});
