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
  expect(String(fetched.mock.calls[0]?.[1].body)).toBe("do=keep&move=7&text=+Pass.+");
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
