import { afterEach, expect, test, vi } from "vitest";
import { createNotes, type NotesData } from "./notes";

const data: NotesData = { lines: [], writer: "", address: "/notes/", link: null, longest: 500 };

afterEach(() => vi.unstubAllGlobals());

function answering(status: number, body: unknown) {
  const fetched = vi.fn((_address: string, _sent: { body: URLSearchParams }) =>
    Promise.resolve({ ok: status < 400, json: () => Promise.resolve(body) }),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test("a note is kept by the server, and shown as the server has it", async () => {
  const fetched = answering(200, { lines: [{ move: 7, text: "Pass." }], link: null });
  const notes = createNotes(data, "token");
  await notes.keep(7, " Pass. ");
  expect(String(fetched.mock.calls[0]?.[1].body)).toBe("do=keep&move=7&text=+Pass.+&was=");
  expect(notes.store.get().lines).toEqual([{ move: 7, text: "Pass." }]);
});

test("what is refused leaves the notes as they are, and says why", async () => {
  answering(400, { wrong: "There is no such move in this match." });
  const notes = createNotes({ ...data, lines: [{ move: 1, text: "One." }] }, "token");
  await notes.keep(999, "x");
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 1, text: "One." }],
    wrong: "There is no such move in this match.",
  });
});

test("without a server it says that nothing was saved", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("away")));
  const notes = createNotes(data, "token");
  await notes.share(true);
  expect(notes.store.get().wrong).toContain("please try again");
});

test("somebody else's notes are only read", async () => {
  const fetched = answering(200, {});
  const notes = createNotes({ ...data, address: null, writer: "Bob" }, "token");
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
          ? done({ ok: true, json: async () => ({ lines: [{ move: 7, text: body.get("text") }] }) })
          : fail(new DOMException("", "TimeoutError")),
      ),
    );
  });
  const notes = createNotes({ ...data, lines: [{ move: 7, text: "Old." }] }, "token");
  notes.type(7, "First.");
  const first = notes.keep(7, "First.");
  notes.type(7, "Second.");
  const second = notes.keep(7, "Second.");
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(notes.store.get().sending).toBe(true);
  answers[0]?.(false);
  await first;
  expect(notes.store.get().wrong).toContain("please try again");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  answers[1]?.(true);
  await second;
  expect(sent).toEqual(["do=keep&move=7&text=First.&was=Old.", "do=keep&move=7&text=Second.&was=Old.&was=First."]);
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 7, text: "Second." }],
    typed: {},
    sending: false,
    wrong: "",
  });
});

test("what is written on a move stays while another one is looked at, and goes once it is kept", async () => {
  answering(200, { lines: [{ move: 2, text: "Two." }], link: null });
  const notes = createNotes(data, "token");
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
  const notes = createNotes({ ...data, lines: [{ move: 7, text: old }] }, "token");
  for (let tries = 0; tries < 30; tries++) await notes.keep(7, `${tries >> 1} ${old}`.slice(0, 500));
  expect(Math.max(...sent.map((body) => body.length))).toBeLessThan(32 * 1024);
  const was = new URLSearchParams(sent.at(-1)).getAll("was").map((text) => text.slice(0, 2));
  expect(was).toEqual(["\u8230\u8230", "11", "12", "13", "14"]);
});

test("a note that another window has changed is shown as it is, and what was written stays", async () => {
  answering(409, { wrong: "It was changed.", lines: [{ move: 2, text: "Theirs." }], link: null });
  const notes = createNotes(data, "token");
  notes.type(2, "Mine.");
  await notes.keep(2, "Mine.");
  expect(notes.store.get()).toMatchObject({
    lines: [{ move: 2, text: "Theirs." }],
    typed: { 2: "Mine." },
    wrong: "It was changed.",
  });
});
