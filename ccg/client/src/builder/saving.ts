/**
 * Saving: each change is kept in this browser at once, and on the server soon after.
 *
 * What a page shows is what it knows of the server with its own changes that the server may not have (`unsaved-changes.ts`). All
 * of them are sent with every save, until an answer says that they are made; what the server has beyond them is news.
 */

import { type Pauses, pauseBefore } from "../pauses";
import { createStore, type Store } from "../store";
import { type Content, EMPTY, trimmed } from "./content";
import type { Editor } from "./editor";
import { broughtBack, type Copy, forget, keepCopy, numbersIn, type Shelf } from "./kept-copies";
import { sameContent } from "./merging";
import {
  type Change,
  differing,
  greatest,
  latest,
  type Made,
  newsOf,
  numbersOf,
  type Replaced,
  recorded,
  told,
  unmade,
  withChanges,
} from "./unsaved-changes";

/** A draft as the server has it. */
export interface Saved {
  uid: string;
  revision: number;
  content: Content;
  parent: number;
  made: Made;
  /** Of each change that was sent and is made now, what was there before. */
  replaced: Replaced[];
}

/**
 * `new`: there is nothing of it yet that could be saved. `visitor`: nobody is signed in. `stranger`: somebody else is.
 * `gone`: the deck was deleted in another window. `refused`: it cannot be saved as it is.
 */
export type SaveKind = "new" | "saved" | "saving" | "offline" | "visitor" | "stranger" | "gone" | "refused";

export interface SaveState {
  kind: SaveKind;
  /** How many changes only this browser has. */
  changes: number;
  /** Whether this browser keeps them. */
  kept: boolean;
  /** Why it was refused. */
  why: string;
}

/** What the page around gives: each of it can be another in tests. */
export interface Surroundings {
  fetch: typeof fetch;
  storage: Shelf;
  /** Called after so many milliseconds; gives back what calls it off. */
  later(act: () => void, milliseconds: number): () => void;
  now(): number;
}

const SOON = 700;
/** Milliseconds for an answer: on a bad line a request may hang for minutes, and what follows waits for it. */
const PATIENCE = 20_000;
/** Bytes that browsers go on sending when their page is gone: with more, they would send nothing, open page or not. */
const MOST_KEPT_ALIVE = 60 * 1024;
const RETRIES: Pauses = { first: 2_000, longest: 30_000 };

export interface Saver {
  state: Store<SaveState>;
  revision(): number;
  /** The number of the deck's newest version that this page knows of; 0 for none. */
  parent(): number;
  /** Send what is not saved yet; true when the server has everything. */
  flush(): Promise<boolean>;
  /** Send it while the page is being left, which may go on; nobody waits for the answer. */
  leave(): void;
  /** Ask whether others have saved, and who is signed in where nothing could be saved before. */
  refresh(): Promise<void>;
  /** Have this browser keep what is here as a deck that was begun in it: of who has built it, or a visitor's ("").
   * False if it keeps nothing. */
  keepAsNew(owner?: string): boolean;
  stop(): void;
}

export interface Start {
  uid: string;
  sender: string;
  user: string;
  token: string;
  saved: Saved;
  /** The id of the new deck that becomes of it if this one is deleted elsewhere meanwhile. */
  another: string;
  /** What this browser had kept of the draft and the editor begins with: forgotten once this window keeps it. */
  broughtBack: readonly Copy[];
  /** Called when the server has the draft for the first time and whenever it has a new revision. */
  onSaved?(saved: Saved): void;
  /** Called with the token of somebody who has signed in meanwhile. */
  onToken?(token: string): void;
}

export function startSaving(editor: Editor, start: Start, around: Surroundings): Saver {
  const { uid, sender, another } = start;
  let { user, token } = start;
  let known = { revision: start.saved.revision, parent: start.saved.parent, content: start.saved.content };
  /** What the server may not have: with it, what is known is what the page shows. */
  let changes = told(broughtBack(start.saved, start.broughtBack), start.saved.content);
  let { broughtBack: adopted } = start;
  /** The last changes of windows that this one goes on with: what of them is on its way yet undoes nothing done here. */
  let numbers = numbersIn(adopted);
  let last = greatest(numbers, numbersOf(changes), start.saved.made);
  let sending: Promise<boolean> | null = null;
  let callOff: (() => void) | null = null;
  let failures = 0;
  let ended = false;
  let isNew = false;
  /** How many requests went out: what was asked before another one may be older than the answer to that. */
  let requests = 0;
  /** Whether the server has an older revision than this page: all that is here is sent then, changed or not. */
  let hasForgotten = false;

  const content = (): Content => trimmed(editor.store.get().content);
  const shown = (): Content => trimmed(withChanges(known.content, changes));
  /** The number of the next change: by the clock, but also where that was set back beyond all that is known here. */
  const next = (): number => {
    last = Math.max(last + 1, around.now());
    return last;
  };
  const note = (): void => {
    changes = recorded(changes, shown(), content(), sender, next);
  };
  const isUnsaved = (): boolean => changes.length > 0 || hasForgotten;
  const isOfNothing = (): boolean => known.revision === 0 && known.parent === 0;
  /** What is said where nothing is unsaved. */
  const settled = (): SaveKind => (isOfNothing() ? "new" : "saved");
  const state = createStore<SaveState>({ kind: user ? settled() : "visitor", changes: 0, kept: true, why: "" });
  const say = (part: Partial<SaveState>): void =>
    state.set({ ...state.get(), changes: differing(changes, known.content), ...part });

  const asNew = (owner: string): Copy => {
    const begun = { ...EMPTY, format: content().format };
    const all = recorded([], begun, content(), sender, next);
    return { uid: another, sender, user: owner, revision: 0, known: begun, changes: all, changed: around.now() };
  };

  const keep = (): void => {
    if (state.get().kind === "gone") {
      // No page opens the deck any more: what is kept of it is a deck begun here, which that of a new one goes on with.
      keepCopy(around.storage, uid, sender, null);
      const copy = isNew || changes.length > 0 ? asNew(user) : null;
      say({ kept: keepCopy(around.storage, another, sender, copy) });
      return;
    }
    const { revision } = known;
    const here = { changes, numbers, changed: around.now() };
    const copy: Copy = { uid, sender, user, revision, known: known.content, ...here };
    say({ kept: keepCopy(around.storage, uid, sender, isUnsaved() ? copy : null) });
    if (!state.get().kept) return;
    forget(
      around.storage,
      adopted.filter((one) => one.sender !== sender),
    );
    adopted = [];
  };

  const soon = (milliseconds: number): void => {
    callOff?.();
    callOff = around.later(() => void flush(), milliseconds);
  };

  const ask = (address: string): Promise<Response> =>
    around.fetch(address, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });

  const request = (keepalive = false): Promise<Response> => {
    requests++;
    const sent = { changes: changes.map(({ was: _, ...one }) => one), last: latest(numbers, numbersOf(changes)) };
    const body = JSON.stringify({ sender, revision: known.revision, content: content(), ...sent });
    return around.fetch(`/decks/drafts/${uid}/`, {
      method: "PUT",
      body,
      keepalive: keepalive && new TextEncoder().encode(body).length <= MOST_KEPT_ALIVE,
      signal: AbortSignal.timeout(PATIENCE),
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    });
  };

  /** Take in what the server has, in answer to changes that were sent or to none. */
  const take = (saved: Saved, answered: readonly Change[] = []): void => {
    requests++; // what was asked before may be older
    note();
    const before = shown();
    const left = unmade(changes, saved.made).filter((one) => !answered.includes(one));
    const arrived = changes.filter((one) => !left.includes(one));
    const { content: there, replaced = [] } = saved;
    const news = newsOf({ known: known.content, there, arrived, left, answered, replaced });
    known = { revision: saved.revision, parent: saved.parent, content: there };
    changes = told(left, there);
    last = Math.max(last, greatest(saved.made));
    failures = 0;
    editor.heardOf(before, shown(), news);
    start.onSaved?.(saved);
  };

  /** Take in an answer; of one that comes after another one that knew of more, what it alone tells: what was replaced. */
  const hear = (saved: Saved, sent: readonly Change[]): void => {
    if (isOlder(saved)) {
      note();
      const heard = { known: known.content, there: known.content, arrived: [], left: changes };
      editor.heardOf(shown(), shown(), newsOf({ ...heard, answered: sent, replaced: saved.replaced ?? [] }));
    } else take(saved, sent);
  };

  /** Whether another answer has come before this one that knew of more: one to what was sent as the page was hidden. */
  const isOlder = ({ revision, parent }: Saved): boolean =>
    revision < known.revision || (revision === known.revision && parent < known.parent);

  /** Whether it is another than what is known. A revert of the deck changes its draft as well, whose revision stays; and
   * after a backup was restored, another window may have saved as often as this one had before. */
  const isNews = ({ revision, parent, content: there }: Saved): boolean =>
    revision > known.revision || parent !== known.parent || !sameContent(there, known.content);

  const isShutOut = (): boolean => ["visitor", "stranger"].includes(state.get().kind);

  /** Learn who is signed in now, and with which token they save. */
  const askWho = async (): Promise<boolean> => {
    const answer = await ask("/decks/drafts/token/");
    if (!answer.ok) throw new Error("later");
    const told = (await answer.json()) as { token: string; user: string | null };
    const isOthers = told.user !== null && user !== "" && told.user !== user;
    const again = told.user !== null && !isOthers && told.token !== token;
    // With the token of somebody else, what is built here would become theirs.
    if (!isOthers) {
      token = told.token;
      start.onToken?.(token);
    }
    if (told.user === null) say({ kind: "visitor" });
    else if (isOthers) say({ kind: "stranger" });
    else {
      user = told.user;
      if (isShutOut()) say({ kind: changes.length > 0 ? "saving" : settled() });
    }
    return again;
  };

  /** The server does not have this draft: it is somebody else's who has signed in, or was deleted. */
  const missing = async (): Promise<void> => {
    await askWho();
    if (!isShutOut()) say({ kind: "gone" });
  };

  const attempt = async (mayAsk: boolean): Promise<boolean> => {
    const sent = changes;
    const answer = await request();
    if (answer.ok) {
      const saved = (await answer.json()) as Saved; // which a broken line may cut off, and something between write itself
      hasForgotten = false;
      numbers = {};
      hear(saved, sent);
      return true;
    }
    if (answer.status === 401 || answer.status === 403) {
      if (mayAsk && (await askWho())) return attempt(false);
      // Who may save and is refused, as where somebody signs in at this moment, may not be later.
      if (!isShutOut()) throw new Error("later");
      return false;
    }
    if (answer.status === 404) await missing();
    else if (answer.status >= 500 || answer.status === 429) throw new Error("later");
    else say({ kind: "refused", why: await whyOf(answer) });
    return false;
  };

  const send = async (): Promise<boolean> => {
    say({ kind: "saving" });
    try {
      const done = await attempt(true);
      const isDone = done && changes.length === 0;
      if (done && !isDone) soon(SOON);
      if (done) say({ kind: isDone ? settled() : "saving", why: "" });
      keep();
      return isDone;
    } catch {
      keep();
      if (!isUnsaved()) {
        // What was sent as the page was left had an answer.
        say({ kind: settled() });
        return true;
      }
      say({ kind: "offline" });
      soon(pauseBefore(failures++, RETRIES));
      return false;
    }
  };

  /** Take in the answer to what was sent as the page was left, where it is there still: it may have been hidden. */
  const takeLate = async (answer: Response, sent: readonly Change[]): Promise<void> => {
    if (!answer.ok) return;
    const saved = (await answer.json()) as Saved;
    if (ended || state.get().kind === "gone") return;
    hear(saved, sent);
    keep();
    if (!isUnsaved() && !sending && !isShutOut()) say({ kind: settled() });
  };

  const flush = async (): Promise<boolean> => {
    callOff?.();
    callOff = null;
    // Without a step between: of several that wait for the same answer, one sends, and the others wait for that.
    while (sending) await sending;
    if (state.get().kind === "gone") return false;
    if (ended || !isUnsaved()) return changes.length === 0;
    if (state.get().kind === "visitor" && user === "") return false;
    sending = send().finally(() => {
      sending = null;
    });
    return sending;
  };

  /** Ask for what the server has; null where a save went out meanwhile, whose answer tells it, or where there is none. */
  const newest = async (): Promise<Saved | null> => {
    const before = ++requests;
    const answer = await ask(`/decks/drafts/${uid}/`);
    const saved = answer.ok ? ((await answer.json()) as Saved) : null;
    if (requests !== before) return null;
    // What was never published is made anew by the next save.
    if (answer.status === 404 && known.parent > 0) await missing();
    else if ([401, 403, 404].includes(answer.status)) await askWho();
    keep();
    return saved;
  };

  const stopListening = editor.store.subscribe((now, before) => {
    if (now.content === before.content) return;
    note();
    keep();
    if (state.get().kind === "gone") return;
    if (!isUnsaved() && !sending) say(isShutOut() ? {} : { kind: settled() });
    else if (user && state.get().kind !== "stranger") {
      if (state.get().kind !== "offline") say({ kind: "saving" });
      soon(state.get().kind === "offline" ? pauseBefore(0, RETRIES) : SOON);
    }
  });
  note();
  keep();
  if (isUnsaved() && user) soon(0);

  return {
    state,
    flush,
    revision: () => known.revision,
    parent: () => known.parent,
    leave() {
      if (!isUnsaved() || !user || isShutOut() || state.get().kind === "gone") return;
      const sent = changes;
      void request(true)
        .then((answer) => takeLate(answer, sent))
        .catch(() => undefined);
    },
    async refresh() {
      try {
        while (sending) await sending;
        if (state.get().kind === "gone") return;
        if (isShutOut()) await askWho();
        if (isShutOut()) return;
        // The answer to a save tells what is new as well.
        if (isUnsaved() || isOfNothing()) return void (await flush());
        const saved = await newest();
        if (saved && saved.revision < known.revision) {
          // A backup was restored: what was saved since is here alone, and no news is what it has instead.
          hasForgotten = true;
          keep();
          return void (await flush());
        }
        if (saved && isNews(saved)) take(saved);
        keep();
        if (isUnsaved()) await flush();
        else if (saved) say({ kind: settled() });
      } catch {
        // Offline: what was not heard of now comes with the next save.
      }
    },
    keepAsNew(owner = user) {
      isNew = true;
      return keepCopy(around.storage, another, sender, asNew(owner));
    },
    stop() {
      ended = true;
      callOff?.();
      stopListening();
    },
  };
}

async function whyOf(answer: Response): Promise<string> {
  try {
    const { detail } = (await answer.json()) as { detail?: unknown };
    return typeof detail === "string" ? detail : "";
  } catch {
    return "";
  }
}
