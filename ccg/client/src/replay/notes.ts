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
  mine: boolean;
  link: string | null;
  wrong: string;
}

export interface Notes {
  store: Store<NotesState>;
  writer: string;
  longest: number;
  keep(move: number, text: string): Promise<void>;
  share(wanted: boolean): Promise<void>;
}

const LOST = "That could not be saved. What you wrote is still here: please try again.";

/** Keep notes at the address that the page names; `token` is the page's against forged requests. */
export function createNotes(data: NotesData, token: string): Notes {
  const { lines, writer, address, link, longest } = data;
  const store = createStore<NotesState>({ lines, mine: address !== null, link, wrong: "" });
  const send = async (fields: Record<string, string>): Promise<void> => {
    if (address === null) return;
    try {
      const headers = { "X-CSRFToken": token, Accept: "application/json" };
      const answer = await fetch(address, { method: "POST", headers, body: new URLSearchParams(fields) });
      const said = (await answer.json()) as { lines?: Note[]; link?: string | null; wrong?: string };
      if (answer.ok) store.set({ ...store.get(), lines: said.lines ?? [], link: said.link ?? null, wrong: "" });
      else store.set({ ...store.get(), wrong: said.wrong ?? LOST });
    } catch {
      store.set({ ...store.get(), wrong: LOST });
    }
  };
  return {
    store,
    writer,
    longest,
    keep: (move, text) => send({ do: "keep", move: String(move), text }),
    share: (wanted) => send({ do: wanted ? "share" : "hide" }),
  };
}
