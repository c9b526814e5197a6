import { describe, expect, it, vi } from "vitest";
import { type Content, EMPTY, withCopies } from "./content";
import { createEditor, type Editor } from "./editor";
import { merge } from "./merging";
import {
  begunHere,
  broughtBack,
  type Copy,
  copies,
  forget,
  type Saved,
  type Saver,
  savedOf,
  startSaving,
} from "./saving";

/** A store such as a browser has. */
class Shelf {
  readonly kept = new Map<string, string>();
  get length(): number {
    return this.kept.size;
  }
  key = (at: number): string | null => [...this.kept.keys()][at] ?? null;
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

/** What a page sends. */
interface Sent {
  sender: string;
  revision: number;
  content: Content;
  known: Content;
  made?: number;
}

/** The server, as far as saving needs it: it merges from the content that the sender had. */
class Server {
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
    if (options.method !== "PUT") return json(this.now([]));
    const sent = JSON.parse(String(options.body)) as Sent;
    const last = this.last.get(sent.sender);
    if (last && last.revision > sent.revision && (sent.made ?? 0) < last.made) return json({ code: "stale" }, 409);
    return json(this.take(sent));
  };

  /** What each page sent last, as the server remembers it: the answer may be lost on its way. */
  readonly last = new Map<string, { revision: number; content: Content; made: number }>();

  take({ sender, revision, content, known, made = 0 }: Sent): Saved {
    const last = this.last.get(sender);
    const from = last && last.revision > revision ? last.content : known;
    const merged = merge(from, this.revision === 0 ? from : this.content, content);
    this.content = merged.content;
    this.revision += 1;
    this.last.set(sender, { revision: this.revision, content, made });
    return this.now(merged.brought);
  }

  now = (brought: Saved["brought"]): Saved => ({
    uid: "u",
    revision: this.revision,
    content: this.content,
    parent: this.parent,
    brought,
    made: Object.fromEntries([...this.last].map(([sender, { made }]) => [sender, made])),
  });
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

let clock = 0;

/** A page in which a deck is built; time passes when `wait` says so. */
function page(server: Server, shelf: Shelf, options: { user?: string; sender?: string } = {}) {
  const due = new Set<() => void>();
  const saved = server.now([]);
  const { user = "7", sender = "window-1" } = options;
  const mine = copies(shelf, user);
  const editor: Editor = createEditor(broughtBack(saved, mine).content);
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
      now: () => ++clock,
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

/** A page whose deck has four of a card, which the server has. */
async function saved(server: Server, shelf: Shelf) {
  const opened = page(server, shelf);
  opened.put("A-1", 4);
  await opened.wait();
  return opened;
}

describe("saving", () => {
  it("sends what was changed, and says so", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    put("A-1", 4);
    expect(saver.state.get()).toMatchObject({ kind: "saving", changes: 1 });
    expect(shelf.length).toBe(1);
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 4 });
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    expect(shelf.length).toBe(0);
  });

  it("keeps changes while offline and sends them when the line is back", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    server.reachable = false;
    put("A-1", 4);
    put("A-2", 1);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "offline", changes: 2, kept: true });
    server.reachable = true;
    expect(await saver.flush()).toBe(true);
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 1 });
  });

  it("gives up a save that is never answered, and sends it again", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const given: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      given.push(new AbortController());
      return (given.at(-1) as AbortController).signal;
    });
    const { put, wait, saver } = page(server, shelf);
    const { answer } = server;
    const made: number[] = [];
    server.answer = (_, { body, signal } = {}) => {
      made.push(JSON.parse(String(body)).made);
      return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
    };
    put("A-1", 4);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "saving", changes: 1 });
    server.answer = (address, options = {}) => {
      made.push(JSON.parse(String(options.body)).made);
      return answer(address, options);
    };
    for (const one of given) one.abort();
    await wait();
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 4 });
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    expect(made[1], "the server knows which is the later one").toBeGreaterThan(made[0] as number);
    timeout.mockRestore();
  });

  it("takes back what was taken back here, also from a save that was given up and arrived after all", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    const { answer } = server;
    let late: Promise<Response> | undefined;
    server.answer = (address, options) => {
      late = answer(address, options); // it arrives; the answer to it does not
      return Promise.reject(new TypeError("given up"));
    };
    put("A-1", 4);
    await wait();
    await late;
    expect(server.content.counts).toEqual({ "A-1": 4 });
    server.answer = answer;
    put("A-1", 0);
    for (let waits = 0; waits < 4; waits++) await wait();
    expect(server.content.counts).toEqual({});
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
  });

  it("takes back what was taken back here before it hears what the server made of a save without an answer", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver, counts, editor } = await saved(server, shelf);
    const { answer } = server;
    let late: Promise<Response> | undefined;
    server.answer = (address, options) => {
      late = answer(address, options); // it arrives; the answer to it does not
      return Promise.reject(new TypeError("given up"));
    };
    put("A-2", 2);
    await wait();
    await late;
    server.answer = answer;
    put("A-2", 0);
    server.take({ sender: "phone", revision: 2, known: server.content, content: { ...server.content, base: "B-1" } });
    await saver.refresh();
    expect(counts()).toEqual({ "A-1": 4 });
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4 } });
    expect(editor.store.get().content.base).toBe("B-1");
  });

  it("does not tell as news of others what it had sent itself as the page was left", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, saver, editor, counts } = await saved(server, shelf);
    put("A-2", 2);
    saver.leave();
    await saver.refresh();
    expect(counts()).toEqual({ "A-1": 4, "A-2": 2 });
    expect(editor.store.get().notice).toBeNull();
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
  });

  it("takes no news that it had asked for before a save of its own went out that has no answer", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver, counts, editor } = await saved(server, shelf);
    const { answer } = server;
    let release = (): void => undefined;
    server.answer = async (address, options) => {
      if (!options?.method) await new Promise<void>((done) => (release = done)); // the draft is told late
      const told = await answer(address, options);
      if (options?.method) throw new TypeError("given up"); // it arrives; the answer to it does not
      return told;
    };
    const news = saver.refresh();
    await wait();
    put("A-2", 2);
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
    put("A-2", 0);
    server.answer = answer;
    release();
    await news;
    expect(counts()).toEqual({ "A-1": 4 });
    expect(server.content.counts).toEqual({ "A-1": 4 });
    expect(editor.store.get().notice).toBeNull();
  });

  it("takes no news that are older than what it has saved since it asked", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver, counts } = await saved(server, shelf);
    const { answer } = server;
    let release = (): void => undefined;
    server.answer = async (address, options) => {
      const told = await answer(address, options);
      if (!options?.method) await new Promise<void>((done) => (release = done));
      return told;
    };
    const news = saver.refresh();
    await wait();
    server.answer = answer;
    server.parent = 1; // published in another window
    put("A-2", 2);
    await wait();
    release();
    await news;
    expect(counts()).toEqual({ "A-1": 4, "A-2": 2 });
    expect([saver.revision(), saver.parent()]).toEqual([2, 1]);
  });

  it("sends one save at a time, however many wait for the one before", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, saver } = await saved(server, shelf);
    const { answer } = server;
    let [open, most] = [0, 0];
    server.answer = async (address, options) => {
      most = Math.max(most, ++open);
      await new Promise((done) => setTimeout(done));
      open--;
      return answer(address, options);
    };
    put("A-2", 1);
    const first = saver.flush();
    await Promise.resolve();
    put("A-2", 2);
    expect(await Promise.all([first, saver.flush(), saver.flush()])).toEqual([false, true, true]);
    expect(most).toBe(1);
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
  });

  it("takes the news and saves on, where its clock was set back since a save whose answer was lost", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = page(server, shelf);
    const { answer } = server;
    let arrived: Promise<Response> | undefined;
    server.answer = (address, options) => {
      arrived = answer(address, options); // it arrives; the answer to it does not
      return Promise.reject(new TypeError("given up"));
    };
    clock += 1_000_000;
    before.put("A-1", 4);
    await before.wait();
    await arrived;
    before.saver.stop();
    server.answer = answer;
    server.take({ sender: "phone", revision: 1, known: server.content, content: { ...server.content, base: "B-1" } });

    clock -= 1_000_000;
    const { revision, content, last } = server;
    Object.assign(server, { revision: 0, content: EMPTY, last: new Map() }); // the page is made for a new deck
    const after = page(server, shelf);
    Object.assign(server, { revision, content, last });
    after.put("A-2", 2);
    await after.wait();
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4, "A-2": 2 } });
    expect(after.saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    const { base } = after.editor.store.get().content;
    expect([base, after.counts()]).toEqual(["B-1", { "A-1": 4, "A-2": 2 }]);
    expect(after.editor.store.get().notice?.brought?.map(({ part }) => part)).toEqual(["base"]);
  });

  it("brings back what a closed browser had kept, over what the server has by then", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = page(server, shelf);
    before.put("A-1", 4);
    await before.wait();
    server.reachable = false;
    before.put("A-2", 2);
    await before.wait();
    before.saver.stop();
    server.reachable = true;
    server.take({ sender: "phone", revision: 1, known: server.content, content: { ...server.content, base: "B-1" } });

    const after = page(server, shelf, { sender: "window-2" });
    expect(after.counts()).toEqual({ "A-1": 4, "A-2": 2 });
    await after.wait();
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4, "A-2": 2 } });
    expect(shelf.length).toBe(0);
  });

  it("merges two windows card by card, tells of it, and lets undo only what was done here", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const one = page(server, shelf);
    one.put("A-1", 4);
    await one.wait();
    const other = page(server, shelf, { sender: "window-2" });
    other.put("A-2", 2);
    await other.wait();
    one.put("A-3", 1);
    await one.wait();
    expect(one.counts()).toEqual({ "A-1": 4, "A-2": 2, "A-3": 1 });
    expect(one.editor.store.get().notice?.brought?.map(({ card }) => card)).toEqual(["A-2"]);
    one.editor.undo();
    expect(one.counts()).toEqual({ "A-1": 4, "A-2": 2 });
    await other.saver.refresh();
    expect(other.counts()).toEqual({ "A-1": 4, "A-2": 2, "A-3": 1 });
  });

  it("hears of what another window saved while an answer was on its way", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, saver, editor } = page(server, shelf);
    put("A-1", 4);
    const sending = saver.flush();
    server.take({
      sender: "window-2",
      revision: 1,
      known: server.content,
      content: { ...server.content, base: "B-1" },
    });
    const news = saver.refresh();
    await Promise.all([sending, news]);
    expect(editor.store.get().content).toMatchObject({ base: "B-1", counts: { "A-1": 4 } });
    expect(saver.revision()).toBe(2);
  });

  it("hears of a revert of the deck, which is no save of anybody's", async () => {
    const server = new Server();
    const { put, wait, saver, editor } = page(server, new Shelf());
    put("A-1", 4);
    await wait();
    Object.assign(server, { parent: 3, content: withCopies(server.content, "counts", "B-1", 2) });
    await saver.refresh();
    expect(editor.store.get().content.counts).toEqual({ "A-1": 4, "B-1": 2 });
    expect([saver.revision(), saver.parent()]).toEqual([1, 3]);
    expect(editor.store.get().notice?.brought).toHaveLength(1);
  });

  it("saves all that it has again where the server has less, as after a backup that was restored", async () => {
    for (const parent of [0, 1]) {
      const server = new Server();
      const { put, wait, saver, counts, editor } = page(server, new Shelf());
      put("A-1", 4);
      await wait();
      const { revision, content } = server;
      server.parent = 1;
      put("A-2", 2);
      await wait();
      Object.assign(server, { revision, content, parent });
      const { take } = server;
      server.take = (sent) => take.call(server, { ...sent, known: server.content }); // as `drafts.py` does then
      await saver.refresh();
      expect(counts()).toEqual({ "A-1": 4, "A-2": 2 });
      expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
      expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
      expect(editor.store.get().notice).toBeNull();
      expect(saver.parent()).toBe(parent);
    }
  });

  it("keeps what was typed while a save was on its way", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, counts, saver } = page(server, shelf);
    put("A-1", 4);
    const sending = saver.flush();
    put("A-1", 3);
    await sending;
    expect(counts()).toEqual({ "A-1": 3 });
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 3 });
  });

  it("goes on with a new token after signing in again elsewhere", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    server.token = "t2";
    put("A-1", 4);
    await wait();
    expect(saver.state.get().kind).toBe("saved");
    expect(server.asked.filter((one) => one.startsWith("PUT"))).toHaveLength(2);
  });

  it("keeps everything here when the session has ended, or is somebody else's", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    server.user = null;
    put("A-1", 4);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "visitor", changes: 1, kept: true });
    Object.assign(server, { user: "8", token: "t3" });
    put("A-1", 3);
    await wait();
    expect(saver.state.get().kind).toBe("stranger");
    expect(copies(shelf, "8")).toEqual([]);
    expect(copies(shelf, "7").map(({ content }) => content.counts)).toEqual([{ "A-1": 3 }]);
  });

  it("sends nothing in the name of somebody else who has signed in, whatever the page does", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = page(server, shelf);
    Object.assign(server, { user: "8", token: "t3" });
    put("A-1", 4);
    await wait();
    expect(saver.state.get().kind).toBe("stranger");
    saver.leave();
    expect(await saver.flush()).toBe(false);
    put("A-1", 0);
    expect(saver.state.get()).toMatchObject({ kind: "stranger", changes: 0 });
    put("A-1", 3);
    await wait();
    expect(server.content).toEqual(EMPTY);
    Object.assign(server, { user: "7", token: "t4" });
    await saver.refresh();
    expect(server.content.counts).toEqual({ "A-1": 3 });
  });

  it("saves what was kept when somebody has signed in again elsewhere and comes back to the page", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = await saved(server, shelf);
    server.user = null;
    put("A-1", 3);
    await wait();
    expect(saver.state.get().kind).toBe("visitor");
    Object.assign(server, { user: "7", token: "t2" });
    await saver.refresh();
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    expect(server.content.counts).toEqual({ "A-1": 3 });
  });

  it("tells that the session has ended when the page is come back to", async () => {
    const server = new Server();
    const { saver } = await saved(server, new Shelf());
    server.user = null;
    await saver.refresh();
    expect(saver.state.get()).toMatchObject({ kind: "visitor", changes: 0 });
  });

  it("tells that somebody else is signed in when the page is come back to, whether or not there is a version", async () => {
    for (const parent of [0, 1]) {
      const server = new Server();
      server.parent = parent;
      const { saver } = await saved(server, new Shelf());
      Object.assign(server, { user: "8", token: "t3" });
      await saver.refresh();
      expect(saver.state.get().kind).toBe("stranger");
    }
  });

  it("keeps what is built on a deck that was deleted in another window, as one begun here", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = await saved(server, shelf);
    server.gone = true;
    put("A-2", 1);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "gone", changes: 1, kept: true });
    const asked = server.asked.length;
    put("A-2", 2);
    await wait();
    expect(await saver.flush()).toBe(false);
    saver.leave();
    expect(server.asked).toHaveLength(asked);
    expect(copies(shelf, "7")).toHaveLength(1);
    expect(begunHere(copies(shelf, "7"))).toMatchObject({ uid: "new", content: { counts: { "A-1": 4, "A-2": 2 } } });
    expect(copies(shelf, "8")).toEqual([]);
  });

  it("keeps a deck that was deleted and not changed since only if that is wanted", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    server.parent = 1;
    const { saver } = await saved(server, shelf);
    server.gone = true;
    await saver.refresh();
    expect(saver.state.get()).toMatchObject({ kind: "gone", changes: 0 });
    saver.leave();
    expect(copies(shelf, "7")).toEqual([]);
    saver.keepAsNew();
    saver.leave();
    expect(begunHere(copies(shelf, "7"))?.content.counts).toEqual({ "A-1": 4 });
  });

  it("keeps what is here for whoever goes on as a guest after a session has ended", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = await saved(server, shelf);
    server.user = null;
    put("A-1", 3);
    await wait();
    expect(saver.keepAsNew("")).toBe(true);
    expect(begunHere(copies(shelf, "9"))).toMatchObject({ uid: "new", content: { counts: { "A-1": 3 } } });
    expect(
      copies(shelf, "7")
        .map(({ uid }) => uid)
        .sort(),
    ).toEqual(["new", "u"]);
  });

  it("keeps a visitor's deck for whoever signs in next", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const visitor = page(server, shelf, { user: "" });
    visitor.put("A-1", 4);
    await visitor.wait();
    expect(visitor.saver.state.get()).toMatchObject({ kind: "visitor", changes: 1 });
    expect(server.asked).toEqual([]);
    expect(begunHere(copies(shelf, "9"))?.content.counts).toEqual({ "A-1": 4 });
  });

  it("leaves out what was taken out since a save without an answer, also after the page was opened again", async () => {
    for (const more of [{}, { "A-3": 1 }]) {
      const [server, shelf] = [new Server(), new Shelf()];
      const before = await saved(server, shelf);
      const { answer } = server;
      server.answer = async (address, options) => {
        await answer(address, options); // it arrives; the answer to it does not
        throw new TypeError("given up");
      };
      before.put("A-2", 2);
      await before.wait();
      expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
      before.put("A-2", 0);
      for (const [card, copies] of Object.entries(more)) before.put(card, copies);
      before.saver.stop();
      server.answer = answer;
      server.take({ sender: "phone", revision: 2, known: server.content, content: { ...server.content, base: "B-1" } });

      const after = page(server, shelf);
      expect(after.counts()).toEqual({ "A-1": 4, ...more });
      await after.wait();
      expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4, ...more } });
      expect(shelf.length).toBe(0);
    }
  });

  it("takes out what a page had sent as it was left, also where that arrives after the page was opened again", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = await saved(server, shelf);
    const { answer } = server;
    let arrive = (): Promise<unknown> => Promise.resolve();
    server.answer = (address, options) => {
      arrive = () => answer(address, options);
      return new Promise(() => undefined);
    };
    before.put("A-2", 2);
    before.saver.leave();
    before.saver.stop();
    server.answer = answer;

    const after = page(server, shelf);
    expect(after.counts()).toEqual({ "A-1": 4, "A-2": 2 });
    after.put("A-2", 0);
    await arrive();
    await after.wait();
    expect(after.counts()).toEqual({ "A-1": 4 });
    expect(server.content.counts).toEqual({ "A-1": 4 });
    expect(shelf.length).toBe(0);
  });

  it("lets stand what others did since a save that was sent as the page was closed", async () => {
    const since: Content["counts"][] = [{ "A-1": 4 }, { "A-1": 4, "A-2": 3 }];
    for (const theirs of since) {
      const [server, shelf] = [new Server(), new Shelf()];
      const before = await saved(server, shelf);
      before.put("A-2", 2);
      before.saver.leave();
      before.saver.stop();
      const { revision, content } = server;
      server.take({ sender: "phone", revision, known: content, content: { ...content, counts: theirs } });

      const after = page(server, shelf, { sender: "window-2" });
      expect(after.counts()).toEqual(theirs);
      await after.wait();
      expect(server.content.counts).toEqual(theirs);
      expect(after.editor.store.get().notice).toBeNull();
      expect(shelf.length).toBe(0);
    }
  });

  it("lets stand what others did since a save that was on its way as the browser ended", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = await saved(server, shelf);
    const { answer } = server;
    server.answer = async (address, options) => {
      await answer(address, options);
      return new Promise(() => undefined);
    };
    before.put("A-2", 2);
    await before.wait();
    before.saver.stop();
    const { revision, content } = server;
    server.take({ sender: "phone", revision, known: content, content: { ...content, counts: { "A-1": 4 } } });

    server.answer = answer;
    expect(page(server, shelf).counts()).toEqual({ "A-1": 4 });
  });

  it("takes out what a page before the last one had sent, also where only that arrives", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const first = await saved(server, shelf);
    const { answer } = server;
    let arrive = (): Promise<unknown> => Promise.resolve();
    server.answer = (address, options) => {
      arrive = () => answer(address, options);
      return new Promise(() => undefined);
    };
    first.put("A-2", 2);
    first.saver.leave();
    first.saver.stop();
    const [{ revision, content }, known] = [server, server.content];
    server.take({ sender: "phone", revision, known, content: { ...content, base: "B-1" } });

    const second = page(server, shelf);
    server.answer = () => new Promise(() => undefined);
    await second.wait();
    second.put("A-2", 0);
    await arrive();
    second.saver.leave();
    second.saver.stop();
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4, "A-2": 2 } });

    server.answer = answer;
    const third = page(server, shelf);
    expect(third.editor.store.get().content).toEqual({ ...EMPTY, base: "B-1", counts: { "A-1": 4 } });
    await third.wait();
    expect(server.content).toEqual({ ...EMPTY, base: "B-1", counts: { "A-1": 4 } });
    expect(shelf.length).toBe(0);
  });

  it("lets stand what others did anew of what a page before the last one had sent, which the last one knew of", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const first = await saved(server, shelf);
    const { answer } = server;
    server.answer = async (address, options) => {
      await answer(address, options); // it arrives; the answer to it does not
      throw new TypeError("given up");
    };
    first.put("A-2", 2);
    await first.wait();
    first.saver.stop();
    const phone = (counts: Content["counts"]): void => {
      const { revision, content } = server;
      server.take({ sender: "phone", revision, known: content, content: { ...content, counts } });
    };
    phone({ "A-1": 4 });

    const second = page(server, shelf);
    server.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(second.counts()).toEqual({ "A-1": 4 });
    second.put("A-3", 1);
    await second.wait();
    second.saver.stop();
    phone({ "A-1": 4, "A-2": 3 });

    server.answer = answer;
    const third = page(server, shelf);
    expect(third.counts()).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
    await third.wait();
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
  });

  it("lets stand what others did to a deck that was begun here, whose first save had no answer", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const empty = server.now([]);
    const before = page(server, shelf);
    before.put("A-1", 4);
    before.put("A-2", 2);
    before.saver.leave();
    before.saver.stop();
    const [revision, known] = [server.revision, server.content];
    server.take({ sender: "phone", revision, known, content: { ...known, counts: { "A-1": 4, "A-3": 1 } } });

    const ask = ((address, options) => server.answer(String(address), options)) as typeof fetch;
    const begun = begunHere(copies(shelf, "7")) as Copy;
    const now = await savedOf(begun, empty, ask);
    expect(now.revision).toBe(2);
    expect(broughtBack(now, copies(shelf, "7"))).toEqual({ content: server.content, disputed: [] });
    server.reachable = false;
    expect(await savedOf(begun, empty, ask)).toBe(empty);
    expect(await savedOf({ ...begun, sent: [] }, empty, ask)).toBe(empty);
  });

  it("brings back what a save that never arrived had, after the page was opened again", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = await saved(server, shelf);
    server.reachable = false;
    before.put("A-2", 2);
    await before.wait();
    before.put("A-2", 3);
    before.put("A-1", 0);
    await before.wait();
    before.put("A-1", 1);
    before.saver.stop();
    server.reachable = true;

    const after = page(server, shelf);
    expect(after.counts()).toEqual({ "A-1": 1, "A-2": 3 });
    await after.wait();
    expect(server.content.counts).toEqual({ "A-1": 1, "A-2": 3 });
  });

  it("leaves out what a visitor took out after the page was opened again", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const first = page(server, shelf, { user: "" });
    first.put("A-1", 4);
    first.put("A-2", 4);
    const second = page(server, shelf, { user: "", sender: "window-2" });
    second.put("A-1", 0);
    expect(page(server, shelf, { user: "", sender: "window-3" }).counts()).toEqual({ "A-2": 4 });
  });

  it("says when this browser keeps nothing", async () => {
    const server = new Server();
    const full = Object.assign(new Shelf(), {
      setItem: () => {
        throw new Error("full");
      },
    });
    const { put, wait, saver } = page(server, full);
    server.reachable = false;
    put("A-1", 4);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "offline", kept: false });
    expect(saver.keepAsNew()).toBe(false);
  });
});

it("forgets no copy that its window has written anew", () => {
  const shelf = new Shelf();
  const copy: Copy = { uid: "u", user: "", revision: 1, known: EMPTY, content: EMPTY, changed: 1 };
  shelf.setItem("ragtag-fleet.draft.u.w1", JSON.stringify(copy));
  shelf.setItem("ragtag-fleet.draft.u.w2", JSON.stringify({ ...copy, changed: 2 }));
  shelf.setItem("ragtag-fleet.draft.u.w3", "no copy at all");
  forget(shelf, [copy]);
  expect(copies(shelf, "").map(({ changed }) => changed)).toEqual([2]);
});

it("tells, of what comes back, where somebody else had changed the same meanwhile", () => {
  const known = withCopies(withCopies(EMPTY, "counts", "A", 1), "counts", "B", 1);
  const copy = { uid: "u", user: "7", revision: 1, known, content: withCopies(known, "counts", "A", 4), changed: 1 };
  const meanwhile = withCopies(withCopies(known, "counts", "A", 2), "counts", "B", 3);

  const { content, disputed } = broughtBack({ content: meanwhile, made: {} }, [copy as Copy]);

  expect(content.counts).toEqual({ A: 4, B: 3 });
  expect(disputed).toEqual([{ part: "counts", card: "A", was: 1, now: 2, kept: 4 }]);
  expect(broughtBack({ content, made: {} }, [copy as Copy]).disputed).toEqual([]);
});
