/** What tests of saving have in the place of a browser and a server. */

import { type Content, EMPTY, trimmed, withCopies } from "./content";
import { createEditor, type Editor } from "./editor";
import { copies, goingOn } from "./kept-copies";
import { type Saved, type Saver, startSaving } from "./saving";
import { type Change, latest, valueIn, withChanges } from "./unsaved-changes";

/** A store such as a browser has. */
export class Shelf {
  constructor(readonly kept = new Map<string, string>()) {}
  get length(): number {
    return this.kept.size;
  }
  key = (at: number): string | null => [...this.kept.keys()][at] ?? null;
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

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
    if (options.method !== "PUT") return json(this.now());
    return json(this.take(JSON.parse(String(options.body)) as Sent));
  };

  /** Of each page the number of its last change that is made. */
  made: Record<string, number> = {};

  take({ revision, content, changes, last }: Sent): Saved {
    const knowsMore = this.revision === 0 || revision > this.revision;
    const fresh = changes.filter(({ sender, number }) => knowsMore || number > (this.made[sender] ?? 0));
    if (!knowsMore && fresh.length === 0) {
      this.made = latest(this.made, last);
      return this.now();
    }
    const { content: before } = this;
    this.content = trimmed(knowsMore ? content : withChanges(before, fresh as Change[]));
    this.revision = Math.max(this.revision, revision) + 1;
    this.made = latest(this.made, last);
    return this.now(
      fresh.map(({ part, card, now }) => ({ part, card, value: knowsMore ? now : valueIn(before, { part, card }) })),
    );
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

/** The clock of all pages, which can be set. */
export const clock = { now: 0 };

/** A page in which a deck is built; time passes when `wait` says so. */
export function page(server: Server, shelf: Shelf, options: { user?: string; sender?: string } = {}) {
  const due = new Set<() => void>();
  const saved = server.now();
  const { user = "7", sender = "window-1" } = options;
  const mine = copies(shelf, user);
  const editor: Editor = createEditor(goingOn(saved, mine).content);
  const saver: Saver = startSaving(
    editor,
    { uid: "u", sender, another: "new", user, token: "t1", saved, broughtBack: mine },
    {
      fetch: ((address, options) => server.answer(String(address), options)) as typeof fetch,
      storage: shelf,
      later(act) {
        due.add(act);
        return () => due.delete(act);
      },
      now: () => ++clock.now,
    },
  );
  const wait = async (): Promise<void> => {
    for (const act of [...due]) {
      due.delete(act);
      act();
    }
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    await new Promise((done) => setTimeout(done));
  };
  const put = (card: string, copies: number): void =>
    editor.change(withCopies(editor.store.get().content, "counts", card, copies));
  return { editor, saver, put, wait, counts: () => editor.store.get().content.counts };
}
