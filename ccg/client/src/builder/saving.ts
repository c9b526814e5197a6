/**
 * Saving: each change is kept in this browser at once, and on the server soon after.
 *
 * A save names the revision that this page knows and the content that it had, so that the server can merge what
 * others did meanwhile. What could not be sent stays in this browser, a copy for each window, until it was: offline,
 * signed out, after a crash.
 */

import { type Pauses, pauseBefore } from "../pauses";
import { createStore, type Store } from "../store";
import { type Content, EMPTY, isEmpty, trimmed } from "./content";
import type { Editor } from "./editor";
import { arrived, type Brought, differences, merge, sameContent } from "./merging";

/** A draft as the server has it. */
export interface Saved {
  uid: string;
  revision: number;
  content: Content;
  parent: number;
  brought: Brought[];
  /** Of each window that has saved lately, when it made the last save that is in this. */
  made: Readonly<Record<string, number>>;
}

/**
 * `visitor`: nobody is signed in. `stranger`: somebody else is. `gone`: the deck was deleted in another window.
 * `refused`: it cannot be saved as it is.
 */
export type SaveKind = "saved" | "saving" | "offline" | "visitor" | "stranger" | "gone" | "refused";

export interface SaveState {
  kind: SaveKind;
  /** How many changes only this browser has. */
  changes: number;
  /** Whether this browser keeps them. */
  kept: boolean;
  /** Why it was refused. */
  why: string;
}

/** A content that was sent and not answered, by saves that were made from the first to the last of these times. */
export interface Unanswered {
  first: number;
  last: number;
  content: Content;
  /** What was known then; left out where the copy has it. */
  known?: Content;
}

/** What a browser keeps of a draft until the server has it. */
export interface Copy {
  uid: string;
  /** The window that it is of. */
  sender?: string;
  /** Whose it is; "" for a visitor's, which belongs to whoever signs in next. */
  user: string;
  revision: number;
  known: Content;
  content: Content;
  /** What was sent and not answered: the server may have it, or not. */
  sent?: Unanswered[];
  changed: number;
}

/** What the page around gives: each of it can be another in tests. */
export interface Surroundings {
  fetch: typeof fetch;
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> | null;
  /** Called after so many milliseconds; gives back what calls it off. */
  later(act: () => void, milliseconds: number): () => void;
  now(): number;
}

const PREFIX = "ragtag-fleet.draft.";
const SOON = 700;
/** Milliseconds for an answer: on a bad line a request may hang for minutes, and what follows waits for it. */
const PATIENCE = 20_000;
/** Contents without an answer that are remembered; of more, the first, after which the line is dead, and the last. */
const MOST_UNANSWERED = 5;
/** Milliseconds for an answer for which the page waits before it shows anything. */
const QUICKLY = 5_000;
const RETRIES: Pauses = { first: 2_000, longest: 30_000 };

export interface Saver {
  state: Store<SaveState>;
  revision(): number;
  /** The number of the deck's newest version that this page knows of; 0 for none. */
  parent(): number;
  /** Send what is not saved yet; true when the server has everything. */
  flush(): Promise<boolean>;
  /** Send it while the page is being left; nobody waits for the answer. */
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
  let sending: Promise<boolean> | null = null;
  let callOff: (() => void) | null = null;
  let failures = 0;
  let ended = false;
  let isNew = false;
  let { broughtBack } = start;
  let made = 0;
  /** How many saves went out. */
  let saves = 0;
  /** What may have reached the server although no answer came: what is here is sent then, changed or not. */
  let unanswered: Unanswered[] = [];
  /** Whether the page that was here before had sent something that may arrive yet, and what it was in this window. */
  let mayArrive = broughtBack.some(({ sent = [] }) => sent.length > 0);
  let earlier = broughtBack
    .filter((copy) => copy.sender === sender)
    .flatMap(({ known, sent = [] }) => sent.map((one) => ({ known, ...one })))
    // What the server has by now is known, and what is older comes too late.
    .filter(({ first }) => first > (start.saved.made[sender] ?? 0))
    .slice(-MOST_UNANSWERED);
  /** Whether the server has an older revision than this page: what is here is sent then, changed or not. */
  let hasForgotten = false;

  const content = (): Content => trimmed(editor.store.get().content);
  const changes = (): number => differences(known.content, content()).length;
  /** Note that `sent` goes out now. Returns what is noted of it; null where it is what went out before. */
  const remember = (sent: Content): Unanswered | null => {
    // One that was given up may arrive after the next: the server knows by this which is the later one.
    made = Math.max(made + 1, around.now());
    saves++;
    const before = unanswered.at(-1);
    const isAgain = before !== undefined && sameContent(before.content, sent);
    const now = { first: isAgain ? before.first : made, last: made, content: sent };
    unanswered = [...unanswered.slice(0, isAgain ? -1 : MOST_UNANSWERED - 1), now];
    return isAgain ? null : now;
  };
  const isUnsure = (): boolean => unanswered.length > 0 || mayArrive || hasForgotten;
  const isUnsaved = (): boolean => changes() > 0 || isUnsure();
  const state = createStore<SaveState>({ kind: user ? "saved" : "visitor", changes: 0, kept: true, why: "" });
  const say = (part: Partial<SaveState>): void => state.set({ ...state.get(), changes: changes(), ...part });

  const asNew = (owner: string): Copy => {
    const now = content();
    const begun = { ...EMPTY, format: now.format };
    return { uid: another, sender, user: owner, revision: 0, known: begun, content: now, changed: around.now() };
  };

  const keep = (): void => {
    const key = `${PREFIX}${uid}.${sender}`;
    if (state.get().kind === "gone") {
      // No page opens the deck any more: what is kept of it is a deck begun here, which that of a new one goes on with.
      kept(around.storage, key, null);
      const copy = isNew || changes() > 0 ? asNew(user) : null;
      say({ kept: kept(around.storage, `${PREFIX}${another}.${sender}`, copy) });
      return;
    }
    const { revision } = known;
    const here = { content: content(), sent: [...earlier, ...unanswered], changed: around.now() };
    const copy: Copy = { uid, sender, user, revision, known: known.content, ...here };
    say({ kept: kept(around.storage, key, isUnsaved() ? copy : null) });
    if (!state.get().kept) return;
    // Merged with this one again, the copies that it began with would put back what has been taken out since.
    forget(around.storage, broughtBack);
    broughtBack = [];
  };

  const soon = (milliseconds: number): void => {
    callOff?.();
    callOff = around.later(() => void flush(), milliseconds);
  };

  const ask = (address: string): Promise<Response> =>
    around.fetch(address, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });

  const request = (body: string, keepalive = false): Promise<Response> =>
    around.fetch(`/decks/drafts/${uid}/`, {
      method: "PUT",
      body,
      keepalive,
      signal: AbortSignal.timeout(PATIENCE),
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    });

  const body = (sent: Content): string =>
    JSON.stringify({ sender, made, revision: known.revision, content: sent, known: known.content });

  const taken = (sent: Content, saved: Saved): void => {
    known = { revision: saved.revision, parent: saved.parent, content: saved.content };
    failures = 0;
    unanswered = [];
    mayArrive = false;
    hasForgotten = false;
    earlier = [];
    editor.heardOf(sent, saved.content, saved.brought);
    start.onSaved?.(saved);
  };

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
      if (isShutOut()) say({ kind: changes() > 0 ? "saving" : "saved" });
    }
    return again;
  };

  /** The server does not have this draft: it is somebody else's who has signed in, or was deleted. */
  const missing = async (): Promise<void> => {
    await askWho();
    if (!isShutOut()) say({ kind: "gone" });
  };

  /** Take what the server has; what was done here stays, and only what this page did not know counts as news. */
  const takeLater = async (): Promise<void> => {
    const answer = await ask(`/decks/drafts/${uid}/`);
    if (!answer.ok) throw new Error("later");
    const saved = (await answer.json()) as Saved;
    taken(known.content, { ...saved, brought: merge(known.content, saved.content, content()).brought });
  };

  const attempt = async (mayAsk: boolean): Promise<boolean> => {
    const sent = content();
    const noted = remember(sent);
    keep();
    const answer = await request(body(sent));
    if (answer.ok) {
      taken(sent, (await answer.json()) as Saved);
      return true;
    }
    if (answer.status < 500) unanswered = unanswered.filter((one) => one !== noted);
    if (answer.status === 401 || answer.status === 403) return mayAsk && (await askWho()) ? attempt(false) : false;
    // The server has a save that this window's clock says is later, as the clock was set back: go on from that one.
    if (answer.status === 409 && mayAsk) {
      await takeLater();
      return changes() === 0 || attempt(false);
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
      if (done && changes() > 0) soon(SOON);
      if (done) say({ kind: changes() > 0 ? "saving" : "saved", why: "" });
      keep();
      return done && changes() === 0;
    } catch {
      keep();
      say({ kind: "offline" });
      soon(pauseBefore(failures++, RETRIES));
      return false;
    }
  };

  const flush = async (): Promise<boolean> => {
    callOff?.();
    callOff = null;
    // Without a step between: of several that wait for the same answer, one sends, and the others wait for that.
    while (sending) await sending;
    if (state.get().kind === "gone") return false;
    if (ended || !isUnsaved()) return changes() === 0;
    if (state.get().kind === "visitor" && user === "") return false;
    sending = send().finally(() => {
      sending = null;
    });
    return sending;
  };

  const settled = async (): Promise<void> => {
    while (sending) await sending;
  };

  /**
   * The draft as the server has it; asked again if a save went out meanwhile, which it may have or not. None where nobody
   * can tell, as that has no answer.
   */
  const newest = async (): Promise<Saved | null> => {
    while (!isUnsure()) {
      const before = saves;
      const answer = await ask(`/decks/drafts/${uid}/`);
      const saved = answer.ok ? ((await answer.json()) as Saved) : null;
      if (saves === before) {
        if (saved) return saved;
        // What was never published is made anew by the next save, whatever became of it.
        if (answer.status === 404 && known.parent > 0) await missing();
        else if ([401, 403, 404].includes(answer.status)) await askWho();
        keep();
        return null;
      }
      await settled();
    }
    return null;
  };

  const takeNews = (saved: Saved): void => {
    const before = known.content;
    taken(before, { ...saved, brought: differences(before, saved.content) });
    keep();
    if (changes() > 0) soon(SOON);
    else say({ kind: "saved" });
  };

  const stopListening = editor.store.subscribe((now, before) => {
    if (now.content === before.content) return;
    keep();
    if (state.get().kind === "gone") return;
    if (!isUnsaved() && !sending) say(isShutOut() ? {} : { kind: "saved" });
    else if (user && state.get().kind !== "stranger") {
      if (state.get().kind !== "offline") say({ kind: "saving" });
      soon(state.get().kind === "offline" ? pauseBefore(0, RETRIES) : SOON);
    }
  });
  keep();
  if (isUnsaved() && user) soon(0);

  return {
    state,
    flush,
    revision: () => known.revision,
    parent: () => known.parent,
    leave() {
      const isSent = isUnsaved() && user && !sending && state.get().kind !== "gone";
      const sent = content();
      if (isSent) remember(sent);
      keep();
      if (isSent) void request(body(sent), true).catch(() => undefined);
    },
    async refresh() {
      try {
        await settled();
        if (state.get().kind === "gone") return;
        if (isShutOut()) await askWho();
        if (isShutOut()) return;
        if (known.revision === 0 && known.parent === 0) return void (await flush());
        const saved = await newest();
        // What a save without an answer has changed would be taken for news of others: sent once more, it is known.
        if (isUnsure() && !isShutOut()) return void (await flush());
        if (saved && saved.revision < known.revision) {
          // A backup was restored: what was saved since is here alone, and no news is what it has instead.
          hasForgotten = true;
          keep();
          return void (await flush());
        }
        // A revert of the deck changes its draft as well, whose revision stays.
        if (saved && (saved.revision > known.revision || saved.parent !== known.parent)) takeNews(saved);
        else if (saved && changes() > 0) await flush();
      } catch {
        // Offline: what was not heard of now will be merged with the next save.
      }
    },
    keepAsNew(owner = user) {
      isNew = true;
      return kept(around.storage, `${PREFIX}${another}.${sender}`, asNew(owner));
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

function kept(storage: Surroundings["storage"], key: string, copy: Copy | null): boolean {
  try {
    if (copy) storage?.setItem(key, JSON.stringify(copy));
    else storage?.removeItem(key);
    return storage !== null || copy === null;
  } catch {
    return false;
  }
}

/** The copies that this browser keeps of drafts that `user` may go on with, the oldest first. */
export function copies(storage: Surroundings["storage"], user: string): Copy[] {
  const found: Copy[] = [];
  try {
    for (let at = 0; at < (storage?.length ?? 0); at++) {
      const key = storage?.key(at);
      if (!key?.startsWith(PREFIX)) continue;
      const copy = readCopy(storage?.getItem(key) ?? "");
      if (copy && (copy.user === "" || copy.user === user)) found.push(copy);
    }
  } catch {
    return [];
  }
  return found.sort((one, other) => one.changed - other.changed);
}

function readCopy(text: string): Copy | null {
  try {
    const copy = JSON.parse(text) as Copy;
    const whole = (content: Partial<Content> | undefined): Content => ({ ...EMPTY, ...content });
    if (typeof copy.uid !== "string") return null;
    const sent = (copy.sent ?? []).map((one) => ({
      ...one,
      content: whole(one.content),
      ...(one.known && { known: whole(one.known) }),
    }));
    return { ...copy, known: whole(copy.known), content: whole(copy.content), sent };
  } catch {
    return null;
  }
}

/** Forget copies that have been saved; one that its window has written anew meanwhile stays. */
export function forget(storage: Surroundings["storage"], saved: readonly Copy[]): void {
  try {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? "");
    for (const key of keys.filter((one) => one.startsWith(PREFIX))) {
      const copy = readCopy(storage?.getItem(key) ?? "");
      if (saved.some((one) => one.uid === copy?.uid && one.changed === copy.changed)) storage?.removeItem(key);
    }
  } catch {
    // A store that cannot be read keeps nothing either.
  }
}

/**
 * The content of the server with what copies in this browser have changed, each from what the server has of its window;
 * and where the server had another change of the same, which gives way.
 */
export function broughtBack(
  saved: Pick<Saved, "content" | "made">,
  kept: readonly Copy[],
): { content: Content; disputed: Brought[] } {
  const disputed = new Map<string, Brought>();
  const content = kept.reduce((ours, copy) => {
    const merged = merge(hadOf(copy, saved), ours, copy.content);
    for (const one of merged.brought) if (one.kept !== null) disputed.set(`${one.part} ${one.card}`, one);
    return merged.content;
  }, saved.content);
  return { content, disputed: [...disputed.values()] };
}

/** What the server had of the window of a copy: what it had heard, or what it had sent and got no answer to. */
function hadOf({ sender = "", known, sent = [] }: Copy, saved: Pick<Saved, "content" | "made">): Content {
  const made = saved.made[sender] ?? Number.NaN; // a window that has not saved for long is forgotten there
  if (sent.every(({ first }) => made < first)) return known;
  // As the server counts it: what was heard of others since is no change of the window.
  const contentOf = (one: Unanswered): Content => merge(one.known ?? known, known, one.content).content;
  const last = sent.find((one) => one.first <= made && made <= one.last);
  return last ? contentOf(last) : arrived(known, sent.map(contentOf), saved.content);
}

/** What the server has of a deck that was begun here, if a save without an answer has arrived; else `nothing`. */
export async function savedOf({ uid, sent = [] }: Copy, nothing: Saved, ask: typeof fetch): Promise<Saved> {
  if (sent.length === 0) return nothing;
  try {
    const headers = { Accept: "application/json" };
    const answer = await ask(`/decks/drafts/${uid}/`, { headers, signal: AbortSignal.timeout(QUICKLY) });
    return answer.ok ? ((await answer.json()) as Saved) : nothing;
  } catch {
    return nothing;
  }
}

/** The draft that was begun here and never reached the server, as far as is known; of several the newest. */
export const begunHere = (kept: readonly Copy[]): Copy | undefined =>
  kept.filter((copy) => copy.revision === 0 && !isEmpty(copy.content) && sameContent(copy.known, baseOf(copy))).at(-1);

/** A deck that was begun here started with nothing but its format. */
const baseOf = ({ known }: Copy): Content => ({ ...EMPTY, format: known.format });
