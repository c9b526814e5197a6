/**
 * Notes on points of a match: one's own, which can be changed, or somebody's by their link.
 *
 * What is written stays in this browser until the server has it, each move's by itself: over a reload, a line that is
 * down, a session that has ended. It is kept under the id of its writer, so nobody else who uses the browser is shown it.
 */

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

/** What the page around gives. */
export interface NotesPage {
  match: string;
  /** Whose page it is, by id. */
  user: string;
  /** What the page sends against forged requests. */
  token: string;
  /** Where it is told who is signed in by now, and their token. */
  who: string;
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> | null;
}

export interface NotesState {
  lines: Note[];
  /** What is written and not kept, by move: it stays while another move is looked at. */
  typed: Readonly<Record<number, string>>;
  /** Why what is written on a move could not be kept, by move. */
  failed: Readonly<Record<number, string>>;
  mine: boolean;
  link: string | null;
  /** Whether something is on its way to the server. */
  sending: boolean;
  /** What is wrong with sharing. */
  wrong: string;
  /** Whether nobody is signed in by now. */
  signedOut: boolean;
}

export interface Notes {
  store: Store<NotesState>;
  writer: string;
  longest: number;
  type(move: number, text: string): void;
  keep(move: number, text: string): Promise<void>;
  share(wanted: boolean): Promise<void>;
  /** Whether something that is written would be lost with the page. */
  wouldBeLost(): boolean;
}

const LOST = "That could not be saved. What you wrote is still here: please try again.";
const SIGNED_OUT = "You are not signed in here any more, so it was not saved. What you wrote is still here.";
const SOMEBODY_ELSE =
  "Somebody else is signed in here by now, so it was not saved. What you wrote is still here, for you alone.";
/** Milliseconds for an answer: on a bad line a request may hang for minutes. */
const PATIENCE = 20_000;
/** Texts without an answer that the server is told of, the newest: with more of them a long note would be refused. */
const MOST_UNSURE = 4;

interface Said {
  lines?: Note[];
  link?: string | null;
  wrong?: string;
}

/** How the server keeps it: one line. */
const asKept = (text: string): string => text.trim().replace(/\s+/g, " ");

/** The moves with something that is written and not kept. */
export const unkept = ({ lines, typed }: NotesState): number[] =>
  Object.entries(typed)
    .filter(([move, text]) => asKept(text) !== textOn(lines, Number(move)))
    .map(([move]) => Number(move));

const textOn = (lines: Note[], move: number): string => lines.find((line) => line.move === move)?.text ?? "";

/** Keep notes at the address that the page names. */
export function createNotes(data: NotesData, page: NotesPage): Notes {
  const { lines, writer, address, link, longest } = data;
  const mine = address !== null;
  let { token } = page;
  const drafts = draftsOf(page);
  const typed = mine ? drafts.all() : {};
  for (const move of Object.keys(typed).map(Number)) {
    if (asKept(typed[move] as string) !== textOn(lines, move)) continue;
    // It has arrived, and only the answer was lost: later it would stand over what is written elsewhere.
    delete typed[move];
    drafts.keep(move, null);
  }
  const rest = { failed: {}, sending: false, wrong: "", signedOut: false };
  const store = createStore<NotesState>({ lines, typed, mine, link, ...rest });
  const say = (part: Partial<NotesState>): void => store.set({ ...store.get(), ...part });
  /** What may be the note on a move although no answer to it came: it may also be still on its way. */
  const unsure = new Map<number, string[]>();
  let before: Promise<unknown> = Promise.resolve();

  const post = (fields: [string, string][]): Promise<Response> =>
    fetch(address ?? "", {
      method: "POST",
      headers: { "X-CSRFToken": token, Accept: "application/json" },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(PATIENCE),
    });

  /** Ask who is signed in by now: why it is not whose page this is, or "", and whether they have another token. */
  const askWho = async (): Promise<[string, boolean]> => {
    const answer = await fetch(page.who, { signal: AbortSignal.timeout(PATIENCE) });
    const told = (await answer.json()) as { token: string; user: string | null };
    const why = told.user === null ? SIGNED_OUT : told.user === page.user ? "" : SOMEBODY_ELSE;
    // With the token of somebody else, what is written here would become theirs.
    const another = !why && told.token !== token;
    if (another) token = told.token;
    say({ signedOut: told.user === null });
    return [why, another];
  };

  /** Send it, and return what is wrong, "" for nothing; null where there was no answer. */
  const send = async (fields: [string, string][]): Promise<string | null> => {
    try {
      let answer = await post(fields);
      // Signing in, in any tab, makes another token; a session may have ended.
      if ([401, 403, 404].includes(answer.status) && !isJson(answer)) {
        const [why, another] = await askWho();
        if (why) return why;
        if (another) answer = await post(fields);
      }
      const said = (await answer.json()) as Said;
      say({ signedOut: false });
      if (said.lines) say({ lines: said.lines, link: said.link ?? null });
      return answer.ok ? "" : (said.wrong ?? LOST);
    } catch {
      return null;
    }
  };
  /** One after another: what was asked for last has to arrive last. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    if (address === null) return Promise.resolve();
    say({ sending: true });
    const done = before.then(act);
    before = done;
    return done.finally(() => {
      if (before === done) say({ sending: false });
    });
  };
  const fails = (move: number, why: string): void => {
    const { [move]: _, ...others } = store.get().failed;
    say({ failed: why ? { ...others, [move]: why } : others });
  };

  return {
    store,
    writer,
    longest,
    type: (move, text) => {
      say({ typed: { ...store.get().typed, [move]: text } });
      drafts.keep(move, asKept(text) === textOn(store.get().lines, move) ? null : text);
    },
    keep: (move, text) => {
      fails(move, "");
      return inTurn(async () => {
        // One that was given up and arrives after this one would take it back: the server is told what may be there.
        const texts = [textOn(store.get().lines, move), ...(unsure.get(move) ?? [])];
        const was = texts.map((one): [string, string] => ["was", one]);
        const wrong = await send([["do", "keep"], ["move", String(move)], ["text", text], ...was]);
        fails(move, wrong ?? LOST);
        if (wrong === null) {
          const others = (unsure.get(move) ?? []).filter((one) => one !== text);
          return void unsure.set(move, [...others, text].slice(-MOST_UNSURE));
        }
        if (wrong) return;
        unsure.delete(move);
        const { [move]: written, ...others } = store.get().typed;
        if (written === text) say({ typed: others });
        drafts.forget(move, text);
      });
    },
    share: (wanted) => {
      say({ wrong: "" });
      return inTurn(async () => say({ wrong: (await send([["do", wanted ? "share" : "hide"]])) ?? UNSHARED }));
    },
    wouldBeLost: () => drafts.areLost() && unkept(store.get()).length > 0,
  };
}

const UNSHARED = "There was no answer, so it may not be done: please try again.";

const isJson = (answer: Response): boolean => answer.headers.get("Content-Type")?.includes("json") ?? false;

/** What this browser keeps of what is written, by move. */
function draftsOf({ match, user, storage }: NotesPage) {
  const prefix = `ragtag-fleet.note.${match}.${user}.`;
  let lost = storage === null;
  return {
    all(): Record<number, string> {
      const found: Record<number, string> = {};
      for (let place = 0; place < (storage?.length ?? 0); place++) {
        const key = storage?.key(place) ?? "";
        if (key.startsWith(prefix)) found[Number(key.slice(prefix.length))] = storage?.getItem(key) ?? "";
      }
      return found;
    },
    keep(move: number, text: string | null): void {
      try {
        if (text === null) storage?.removeItem(prefix + move);
        else storage?.setItem(prefix + move, text);
      } catch {
        lost = true; // full, or not to be written to
      }
    },
    /** Forget what has arrived, but not what another window has written since. */
    forget(move: number, text: string): void {
      if (storage?.getItem(prefix + move) === text) storage.removeItem(prefix + move);
    },
    areLost: () => lost,
  };
}
