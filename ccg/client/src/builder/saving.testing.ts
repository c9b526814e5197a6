/** What tests of saving have in the place of a browser and a server. */

import { type Content, EMPTY, trimmed, withCopies } from "./content";
import { createEditor, type Editor } from "./editor";
import { type Copy, copies, goingOn, lastHeard, savedOf } from "./kept-copies";
import { type Saved, type Saver, type Start, type Surroundings, startSaving } from "./saving";
import { type Change, latest, valueIn, withChanges } from "./unsaved-changes";

/** A store such as a browser has. */
export class Shelf {
  /** Whether it takes no more. */
  isFull = false;
  constructor(readonly kept = new Map<string, string>()) {}
  get length(): number {
    return this.kept.size;
  }
  key = (at: number): string | null => [...this.kept.keys()][at] ?? null;
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.kept.set(key, value);
  };
  removeItem = (key: string): void => void this.kept.delete(key);
}

/** The store of a browser as one of its pages sees it: what a page would do after it was closed does not happen. */
export class PageShelf extends Shelf {
  isOpen = true;
  constructor(readonly shelf: Shelf) {
    super(shelf.kept);
  }
  override setItem = (key: string, value: string): void => {
    if (this.isOpen) this.shelf.setItem(key, value);
  };
  override removeItem = (key: string): void => {
    if (this.isOpen) this.shelf.removeItem(key);
  };
}

/** How much further a draft counts that is made anew, as in `decks/building/drafts.py`. */
const MADE_ANEW = 10_000;

/** What a page sends. */
export interface Sent {
  revision: number;
  content: Content;
  changes: Omit<Change, "was">[];
  last: Record<string, number>;
}

/** The server, as far as saving needs it: it makes each change once, as `decks/building/drafts.py` does. */
export class Server {
  revision = 0;
  parent = 0;
  content: Content = EMPTY;
  user: string | null = "7";
  token = "t1";
  reachable = true;
  gone = false;
  readonly asked: string[] = [];

  answer = async (address: string, options: RequestInit = {}): Promise<Response> => {
    this.asked.push(`${options.method ?? "GET"} ${address}`);
    if (!this.reachable) throw new TypeError("Failed to fetch");
    if (address.endsWith("/token/")) return json({ token: this.token, user: this.user });
    const { "X-CSRFToken": token } = (options.headers ?? {}) as Record<string, string>;
    if (this.gone && this.user !== null) return json({}, 404);
    if (this.user === null || (options.method === "PUT" && token !== this.token)) return json({}, 403);
    if (this.user !== "7" && options.method !== "PUT") return json({}, 404);
    if (options.method !== "PUT") return this.isNew() ? json({}, 404) : json(this.now());
    return json(this.take(JSON.parse(String(options.body)) as Sent));
  };

  /** Of each page the number of its last change that is made. */
  made: Record<string, number> = {};

  take({ revision, content, changes, last }: Sent): Saved {
    const isNew = this.isNew();
    const knowsMore = isNew || revision > this.revision;
    const fresh = changes.filter(({ sender, number }) => knowsMore || number > (this.made[sender] ?? 0));
    if (!knowsMore && fresh.length === 0) {
      this.made = latest(this.made, last);
      return this.now();
    }
    const { content: before } = this;
    this.content = trimmed(knowsMore ? content : withChanges(before, fresh as Change[]));
    this.revision = (isNew && revision > 0 ? revision + MADE_ANEW : Math.max(this.revision, revision)) + 1;
    this.made = latest(this.made, last);
    return this.now(
      fresh.map(({ part, card, now }) => ({ part, card, value: knowsMore ? now : valueIn(before, { part, card }) })),
    );
  }

  /** Whether nobody has saved it, or it was deleted since, and no deck has come of it. */
  private isNew = (): boolean => this.revision === 0 && this.parent === 0;

  /** Somebody deletes the draft, of which no deck has come. */
  delete(): void {
    Object.assign(this, { revision: 0, content: EMPTY, made: {} });
  }

  /** Somebody reverts the deck, and its draft with it, to `content`. */
  revert(content: Content): void {
    this.parent++;
    this.content = content;
  }

  /** Make a backup. Returns what restores it. */
  backup(): () => void {
    const { revision, parent, content, made } = this;
    return () => void Object.assign(this, { revision, parent, content, made });
  }

  /** Let what is sent arrive, and the answers to it not. Returns how it answered before. */
  loseAnswers(): Server["answer"] {
    const { answer } = this;
    this.answer = async (address, options) => {
      await answer(address, options);
      throw new TypeError("given up");
    };
    return answer;
  }

  /** Somebody changes the draft on another device. */
  elsewhere(part: Partial<Content>): void {
    this.content = { ...this.content, ...part };
    this.revision++;
  }

  now = (replaced: Saved["replaced"] = []): Saved => ({
    uid: "u",
    revision: this.revision,
    content: this.content,
    parent: this.parent,
    made: { ...this.made },
    replaced,
  });
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

/**
 * What a page begins with, as `main.tsx` has it: what its HTML brings, or, where this window or a copy has heard of more,
 * what the server has by now; of a server that does not answer, what was heard.
 */
export async function begunWith(html: Saved, mine: readonly Copy[], heard: number, ask: typeof fetch): Promise<Saved> {
  const isOlder = Math.max(heard, ...mine.map(({ revision }) => revision)) > html.revision;
  return isOlder ? ((await savedOf("u", lastHeard(html, mine), ask)) ?? html) : html;
}

/** Let everything that waits for an answer go on. */
export const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** The clock of all pages, which can be set. */
export const clock = { now: 0 };

/** What of a page can be another than usual. */
type PageOptions = Partial<Pick<Start, "user" | "sender" | "saved" | "broughtBack" | "onSaved">> &
  Partial<Pick<Surroundings, "fetch" | "now">>;

/** A page in which a deck is built; time passes when `wait` says so. */
export function page(server: Server, shelf: Shelf, options: PageOptions = {}) {
  const due = new Set<() => void>();
  const { user = "7", sender = "window-1", onSaved } = options;
  const { saved = server.now(), broughtBack = copies(shelf, user) } = options;
  const { now = () => ++clock.now, fetch = (address, sent) => server.answer(String(address), sent) } = options;
  const editor: Editor = createEditor(goingOn(saved, broughtBack).content);
  const saver: Saver = startSaving(
    editor,
    { uid: "u", sender, another: "new", user, token: "t1", saved, broughtBack, ...(onSaved && { onSaved }) },
    {
      fetch,
      now,
      storage: shelf,
      later(act) {
        due.add(act);
        return () => due.delete(act);
      },
    },
  );
  const wait = async (): Promise<void> => {
    for (const act of [...due]) {
      due.delete(act);
      act();
    }
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    await turn();
  };
  const put = (card: string, copies: number): void =>
    editor.change(withCopies(editor.store.get().content, "counts", card, copies));
  return { editor, saver, due, put, wait, counts: () => editor.store.get().content.counts };
}
