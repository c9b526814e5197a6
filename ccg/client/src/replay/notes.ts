/** Notes on points of a match: one's own, which can be changed, or somebody's by their link. */

import { createStore, type Store } from "../store";

export interface Note {
  move: number;
  text: string;
}

/** What the page was made with (`matches/replays/notes.py`). */
export interface NotesData {
  lines: Note[];
  /** Whose they are, where they are somebody else's. */
  writer: string;
  /** Where one's own are kept; null where they are somebody else's. */
  address: string | null;
  /** The link by which others see one's own; null while they do not. */
  link: string | null;
  longest: number;
}

export interface NotesState {
  lines: Note[];
  /** What is written and not kept, by move: it stays while another move is looked at. */
  typed: Readonly<Record<number, string>>;
  mine: boolean;
  link: string | null;
  /** Whether something is on its way to the server. */
  sending: boolean;
  wrong: string;
}

export interface Notes {
  store: Store<NotesState>;
  writer: string;
  longest: number;
  type(move: number, text: string): void;
  keep(move: number, text: string): Promise<void>;
  share(wanted: boolean): Promise<void>;
}

const LOST = "That could not be saved. What you wrote is still here: please try again.";
/** Milliseconds for an answer: on a bad line a request may hang for minutes. */
const PATIENCE = 20_000;
/** Texts without an answer that the server is told of, the newest: with more of them a long note would be refused. */
const MOST_UNSURE = 4;

interface Said {
  lines?: Note[];
  link?: string | null;
  wrong?: string;
}

/** Keep notes at the address that the page names; `token` is the page's against forged requests. */
export function createNotes(data: NotesData, token: string): Notes {
  const { lines, writer, address, link, longest } = data;
  const mine = address !== null;
  const store = createStore<NotesState>({ lines, typed: {}, mine, link, sending: false, wrong: "" });
  const say = (part: Partial<NotesState>): void => store.set({ ...store.get(), ...part });
  /** What may be the note on a move although no answer to it came: it may also be still on its way. */
  const unsure = new Map<number, string[]>();
  let before: Promise<unknown> = Promise.resolve();

  /** Send it, and return whether there was an answer. */
  const send = async (fields: [string, string][]): Promise<boolean> => {
    try {
      const answer = await fetch(address ?? "", {
        method: "POST",
        headers: { "X-CSRFToken": token, Accept: "application/json" },
        body: new URLSearchParams(fields),
        signal: AbortSignal.timeout(PATIENCE),
      });
      const said = (await answer.json()) as Said;
      if (said.lines) say({ lines: said.lines, link: said.link ?? null });
      say({ wrong: answer.ok ? "" : (said.wrong ?? LOST) });
      return true;
    } catch {
      say({ wrong: LOST });
      return false;
    }
  };
  /** One after another: what was asked for last has to arrive last. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    if (address === null) return Promise.resolve();
    say({ sending: true, wrong: "" });
    const done = before.then(act);
    before = done;
    return done.finally(() => {
      if (before === done) say({ sending: false });
    });
  };
  const textOf = (move: number): string => store.get().lines.find((line) => line.move === move)?.text ?? "";

  return {
    store,
    writer,
    longest,
    type: (move, text) => say({ typed: { ...store.get().typed, [move]: text } }),
    keep: (move, text) =>
      inTurn(async () => {
        // One that was given up and arrives after this one would take it back: the server is told what may be there.
        const was = [textOf(move), ...(unsure.get(move) ?? [])].map((one): [string, string] => ["was", one]);
        const answered = await send([["do", "keep"], ["move", String(move)], ["text", text], ...was]);
        if (!answered) {
          const others = (unsure.get(move) ?? []).filter((one) => one !== text);
          return void unsure.set(move, [...others, text].slice(-MOST_UNSURE));
        }
        unsure.delete(move);
        const { typed, wrong } = store.get();
        const { [move]: written, ...others } = typed;
        if (!wrong && written === text) say({ typed: others });
      }),
    share: (wanted) => inTurn(async () => void (await send([["do", wanted ? "share" : "hide"]]))),
  };
}
