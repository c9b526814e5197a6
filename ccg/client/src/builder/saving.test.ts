import { describe, expect, it, vi } from "vitest";
import { type Content, EMPTY, withCopies } from "./content";
import { deletedOf } from "./deleted";
import {
  begunHere,
  broughtBack,
  type Copy,
  contentOf,
  copies,
  forget,
  goingOn,
  isBegun,
  lastHeard,
  savedOf,
} from "./kept-copies";
import { clock, page, type Sent, Server, Shelf } from "./saving.testing";
import type { Change } from "./unsaved-changes";

/** A page whose deck has four of a card, which the server has. */
async function saved(server: Server, shelf: Shelf) {
  const opened = page(server, shelf);
  opened.put("A-1", 4);
  await opened.wait();
  return opened;
}

/** Let the answer to the next request wait; returns what lets it arrive. */
function holdBack(server: Server): () => void {
  const { answer } = server;
  let release = (): void => undefined;
  server.answer = async (address, options) => {
    server.answer = answer;
    const told = await answer(address, options);
    await new Promise<void>((done) => (release = done));
    return told;
  };
  return () => release();
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

  it("does not say that a new deck is saved before there is anything of it", async () => {
    const server = new Server();
    const { put, wait, saver } = page(server, new Shelf());
    expect(saver.state.get().kind).toBe("new");
    await saver.refresh();
    expect(saver.state.get().kind).toBe("new");
    put("A-1", 4);
    await wait();
    expect(saver.state.get().kind).toBe("saved");
    server.parent = 1; // a deck that was never edited is as it was published
    expect(page(server, new Shelf()).saver.state.get().kind).toBe("saved");
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
    const sent: Sent[] = [];
    server.answer = (_, { body, signal } = {}) => {
      sent.push(JSON.parse(String(body)));
      return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
    };
    put("A-1", 4);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "saving", changes: 1 });
    server.answer = (address, options = {}) => {
      sent.push(JSON.parse(String(options.body)));
      return answer(address, options);
    };
    for (const one of given) one.abort();
    await wait();
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 4 });
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    expect(sent[1]?.changes, "the server knows that it is the same").toEqual(sent[0]?.changes);
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
    server.elsewhere({ base: "B-1" });
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
    clock.now += 1_000_000;
    before.put("A-1", 4);
    await before.wait();
    await arrived;
    before.saver.stop();
    server.answer = answer;
    server.elsewhere({ base: "B-1" });

    clock.now -= 1_000_000;
    const { revision, content, made } = server;
    Object.assign(server, { revision: 0, content: EMPTY, made: {} }); // the page is made for a new deck
    const after = page(server, shelf);
    Object.assign(server, { revision, content, made });
    after.put("A-2", 2);
    await after.wait();
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 4, "A-2": 2 } });
    expect(after.saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    const { base } = after.editor.store.get().content;
    expect([base, after.counts()]).toEqual(["B-1", { "A-1": 4, "A-2": 2 }]);
    expect(after.editor.store.get().notice?.brought?.map(({ part }) => part)).toEqual(["base"]);
  });

  it("goes on after what it brings back after a backup that was restored, where its clock was set back since", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const before = await saved(server, shelf);
    const { revision, content, made } = server.now();
    for (const card of ["A-2", "A-3"]) before.put(card, 1);
    await before.wait();
    server.reachable = false;
    clock.now += 1_000_000;
    before.put("A-4", 1);
    before.saver.stop();
    clock.now -= 1_000_000;
    Object.assign(server, { reachable: true, revision, content, made });

    const after = page(server, shelf);
    const { answer } = server;
    server.answer = async (address, options) => {
      server.answer = answer;
      const told = await answer(address, options);
      after.put("A-5", 1); // which the answer does not know of
      return told;
    };
    for (let waits = 0; waits < 3; waits++) await after.wait();
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 1, "A-3": 1, "A-4": 1, "A-5": 1 });
    expect(after.editor.store.get().notice).toBeNull();
  });

  it("goes on with what was done last of two windows, where the clock was set back between them", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const one = await saved(server, shelf);
    server.reachable = false;
    clock.now += 1_000_000;
    one.put("A-1", 2);
    clock.now -= 1_000_000;
    const other = page(server, shelf, { sender: "window-2" });
    expect(other.counts()).toEqual({ "A-1": 2 });
    other.put("A-1", 3);
    await one.wait(); // it tries again, and keeps its own copy
    for (const { saver } of [one, other]) saver.stop();
    server.reachable = true;

    const after = page(server, shelf, { sender: "window-3" });
    expect(after.counts()).toEqual({ "A-1": 3 });
    await after.wait();
    expect(server.content.counts).toEqual({ "A-1": 3 });
    expect(after.saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
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
    server.elsewhere({ base: "B-1" });

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

  it("tells whoever stands over what another device has changed of the same, whenever they hear of it", async () => {
    const dispute = { part: "counts", card: "A-1", was: 4, now: 3, kept: 2 };
    for (const hearsFirst of [false, true]) {
      const server = new Server();
      const { put, wait, saver, editor, counts } = await saved(server, new Shelf());
      server.elsewhere({ counts: { "A-1": 3 } });
      if (hearsFirst) {
        const { answer } = server;
        server.answer = async (address, options) => {
          server.answer = answer;
          const told = await answer(address, options);
          put("A-1", 2); // which the answer to it does not know of
          return told;
        };
        await saver.refresh();
      } else put("A-1", 2);
      await wait();
      expect([counts(), server.content.counts]).toEqual([{ "A-1": 2 }, { "A-1": 2 }]);
      expect(editor.store.get().notice?.brought).toEqual([dispute]);
    }
  });

  it("goes back step by step to what another device made of a card, and not to what it was before that", async () => {
    const server = new Server();
    const { put, wait, editor, counts } = await saved(server, new Shelf());
    put("A-1", 2);
    put("A-1", 1);
    server.elsewhere({ counts: { "A-1": 3 } });
    await wait();
    expect(editor.store.get().notice?.brought).toEqual([{ part: "counts", card: "A-1", was: 4, now: 3, kept: 1 }]);
    const undone: Content["counts"][] = [];
    for (let steps = 0; steps < 2; steps++) {
      editor.undo();
      undone.push(counts());
    }
    expect(undone).toEqual([{ "A-1": 2 }, { "A-1": 3 }]);
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 3 });
  });

  it("tells what others did until that is closed, whatever is done and heard meanwhile", async () => {
    const server = new Server();
    const { put, wait, saver, editor } = await saved(server, new Shelf());
    const told = () => editor.store.get().notice?.brought?.map(({ part, card, was, now }) => [part, card, was, now]);
    server.elsewhere({ base: "B-1", counts: { "A-1": 3 } });
    await saver.refresh();
    put("A-2", 1);
    editor.undo();
    await wait();
    server.elsewhere({ name: "Wing", counts: { "A-1": 2 } });
    await saver.refresh();
    expect(told()).toEqual([
      ["base", "", "", "B-1"],
      ["name", "", "", "Wing"],
      ["counts", "A-1", 4, 2],
    ]);
    put("A-1", 1);
    await wait();
    server.elsewhere({ base: "", name: "Wings", counts: { "A-1": 4 } });
    await saver.refresh();
    expect(told()).toEqual([
      ["name", "", "", "Wings"],
      ["base", "", "", ""],
      ["counts", "A-1", 1, 4], // it was changed here in between
    ]);
    editor.show({ notice: null });
    put("A-2", 1);
    await wait();
    expect(told()).toBeUndefined();
  });

  it("does not tell as a dispute what it had sent itself before more was typed", async () => {
    for (const isLost of [false, true]) {
      const server = new Server();
      const { wait, editor, saver } = await saved(server, new Shelf());
      const type = (name: string): void => editor.amend({ ...editor.store.get().content, name });
      const { answer } = server;
      server.answer = async (address, options) => {
        server.answer = answer;
        const told = await answer(address, options);
        for (let letters = 6; letters <= 27; letters++) type("Viper Wing Alpha Beta Gamma".slice(0, letters));
        if (isLost) throw new TypeError("given up");
        return told;
      };
      type("Viper");
      await saver.flush();
      await wait();
      expect(server.content.name).toBe("Viper Wing Alpha Beta Gamma");
      expect(editor.store.get().notice).toBeNull();
    }
  });

  it("takes another name of another device, also where a space was typed behind the one here", async () => {
    const server = new Server();
    const { put, wait, editor, saver } = await saved(server, new Shelf());
    const name = (): string => editor.store.get().content.name;
    editor.amend({ ...editor.store.get().content, name: "Viper " });
    await wait();
    put("A-2", 1);
    await wait();
    expect([name(), server.content.name]).toEqual(["Viper ", "Viper"]);
    server.elsewhere({ name: "Raptor" });
    await saver.refresh();
    await wait();
    expect([name(), server.content.name]).toEqual(["Raptor", "Raptor"]);
    expect(editor.store.get().notice?.brought?.map(({ part }) => part)).toEqual(["name"]);
  });

  it("sends a name as the server keeps it, and once, whatever space is in it", async () => {
    const server = new Server();
    const { wait, editor, saver } = await saved(server, new Shelf());
    const { take } = server;
    server.take = (sent) => {
      const told = take.call(server, sent);
      server.content = { ...server.content, name: server.content.name.split(/\s+/).join(" ").trim() };
      return { ...told, content: server.content };
    };
    editor.amend({ ...editor.store.get().content, name: "Viper  Wing " });
    for (let waits = 0; waits < 4; waits++) await wait();
    expect(server.content.name).toBe("Viper Wing");
    expect(editor.store.get().content.name).toBe("Viper  Wing "); // as it is being typed
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    expect(server.asked.filter((one) => one.startsWith("PUT"))).toHaveLength(2);
  });

  it("hears the answer to what it has sent as the page was hidden", async () => {
    const server = new Server();
    const { put, wait, saver, editor } = await saved(server, new Shelf());
    server.elsewhere({ base: "B-1", counts: { "A-1": 3 } });
    put("A-1", 2);
    saver.leave();
    await new Promise((done) => setTimeout(done));
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    await wait();
    expect(server.content).toMatchObject({ base: "B-1", counts: { "A-1": 2 } });
    expect(editor.store.get().notice?.brought).toEqual([
      { part: "base", card: "", was: "", now: "B-1", kept: null },
      { part: "counts", card: "A-1", was: 4, now: 3, kept: 2 },
    ]);
  });

  it("does not go back to the answer to what it has sent as the page was hidden, where it has heard more since", async () => {
    for (const isLeft of [true, false]) {
      const server = new Server();
      const { put, wait, saver, counts, editor } = await saved(server, new Shelf());
      const release = holdBack(server);
      put("A-2", 2);
      const first = isLeft ? saver.leave() : saver.flush();
      await Promise.resolve();
      server.elsewhere({ counts: { "A-1": 4, "A-2": 3 } });
      put("A-3", 1);
      if (isLeft) await wait();
      else saver.leave();
      await new Promise((done) => setTimeout(done));
      expect(counts()).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
      release();
      await first;
      await wait();
      expect(counts()).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
      expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
      expect(editor.store.get().notice?.brought?.map(({ card, now }) => [card, now])).toEqual([["A-2", 3]]);
    }
  });

  it("tells what it has replaced also where the answer that says so comes after a later one", async () => {
    for (const [isLeft, more] of [
      [true, {}],
      [false, {}],
      [true, { "A-1": 1 }],
    ] as [boolean, Content["counts"]][]) {
      const server = new Server();
      const { put, wait, saver, editor, counts } = await saved(server, new Shelf());
      server.elsewhere({ counts: { "A-1": 3 } });
      const release = holdBack(server);
      put("A-1", 2);
      const first = isLeft ? saver.leave() : saver.flush();
      await Promise.resolve();
      for (const [card, copies] of Object.entries({ "A-2": 1, ...more })) put(card, copies);
      if (isLeft) await wait();
      else saver.leave();
      await new Promise((done) => setTimeout(done));
      expect(server.content.counts).toEqual({ "A-1": 2, "A-2": 1, ...more });
      release();
      await first;
      await wait();
      expect(counts()).toEqual({ "A-1": 2, "A-2": 1, ...more });
      const kept = counts()["A-1"];
      expect(editor.store.get().notice?.brought).toEqual([{ part: "counts", card: "A-1", was: 4, now: 3, kept }]);
      for (let steps = 0; steps < 2 + Object.keys(more).length; steps++) editor.undo();
      expect(counts(), "undo leads back to what the other device made of it").toEqual({ "A-1": 3 });
    }
  });

  it("is saved where what was sent as the page was left is answered before the save on its way is given up", async () => {
    const server = new Server();
    const { put, wait, saver } = await saved(server, new Shelf());
    const { answer } = server;
    let giveUp = (): void => undefined;
    server.answer = () => {
      server.answer = answer;
      return new Promise((_, fail) => (giveUp = () => fail(new TypeError("given up"))));
    };
    put("A-2", 2);
    const saving = saver.flush();
    await Promise.resolve();
    saver.leave();
    await new Promise((done) => setTimeout(done));
    giveUp();
    expect(await saving).toBe(true);
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
    const asked = server.asked.length;
    await wait();
    expect(server.asked).toHaveLength(asked);
  });

  it("has the browser send when the page is gone no more than it does", async () => {
    const server = new Server();
    const { editor, saver } = await saved(server, new Shelf());
    const { answer } = server;
    const alive: (boolean | undefined)[] = [];
    server.answer = (address, options) => {
      alive.push(options?.keepalive);
      return answer(address, options);
    };
    for (const cards of [10, 500]) {
      const counts = Object.fromEntries(Array.from({ length: cards }, (_, at) => [`SET-0000-${at}`, 1]));
      editor.change({ ...EMPTY, counts, considering: counts });
      saver.leave();
    }
    expect(alive).toEqual([true, false]);
  });

  it("goes on trying where it is refused although whoever has built the deck is signed in", async () => {
    const server = new Server();
    const { put, wait, saver } = await saved(server, new Shelf());
    const { answer } = server;
    server.answer = async (address, options) =>
      options?.method === "PUT" ? new Response("{}", { status: 403 }) : answer(address, options);
    put("A-2", 2);
    await wait();
    expect(saver.state.get()).toMatchObject({ kind: "offline", changes: 1 });
    server.answer = answer;
    await wait();
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
  });

  it("sends all again after a backup was restored until the server itself has answered", async () => {
    const server = new Server();
    const { put, wait, saver, counts } = await saved(server, new Shelf());
    const { revision, content } = server;
    put("A-2", 2);
    await wait();
    Object.assign(server, { revision, content });
    const { answer } = server;
    server.answer = async (address, options) =>
      options?.method === "PUT" ? new Response("<h1>Pay for this line first</h1>") : answer(address, options);
    await saver.refresh();
    expect(saver.state.get()).toMatchObject({ kind: "offline" });
    server.answer = answer;
    await wait();
    expect([counts(), server.content.counts]).toEqual([
      { "A-1": 4, "A-2": 2 },
      { "A-1": 4, "A-2": 2 },
    ]);
  });

  it("hears of what another window saved while an answer was on its way", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, saver, editor } = page(server, shelf);
    put("A-1", 4);
    const sending = saver.flush();
    server.elsewhere({ base: "B-1" });
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
      await saver.refresh();
      expect(counts()).toEqual({ "A-1": 4, "A-2": 2 });
      expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
      expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
      expect(editor.store.get().notice).toBeNull();
      expect(saver.parent()).toBe(parent);
    }
  });

  it("hears of what another window made of a backup that was restored, also where it has saved as often", async () => {
    const server = new Server();
    const { put, wait, saver, counts, editor } = await saved(server, new Shelf());
    put("A-2", 2);
    await wait();
    server.content = withCopies({ ...EMPTY, counts: { "A-1": 4 } }, "counts", "A-3", 1);
    await saver.refresh();
    expect([counts(), saver.revision()]).toEqual([{ "A-1": 4, "A-3": 1 }, 2]);
    expect(editor.store.get().notice?.brought?.map(({ card }) => card)).toEqual(["A-2", "A-3"]);
    expect(saver.state.get()).toMatchObject({ kind: "saved", changes: 0 });
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
    expect(copies(shelf, "7").map((copy) => contentOf(copy).counts)).toEqual([{ "A-1": 3 }]);
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
    const begun = begunHere(copies(shelf, "7")) as Copy;
    expect([begun.uid, contentOf(begun).counts]).toEqual(["new", { "A-1": 4, "A-2": 2 }]);
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
    expect(contentOf(begunHere(copies(shelf, "7")) as Copy).counts).toEqual({ "A-1": 4 });
  });

  it("keeps what is here for whoever goes on as a guest after a session has ended", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const { put, wait, saver } = await saved(server, shelf);
    server.user = null;
    put("A-1", 3);
    await wait();
    expect(saver.keepAsNew("")).toBe(true);
    const begun = begunHere(copies(shelf, "9")) as Copy;
    expect([begun.uid, contentOf(begun).counts]).toEqual(["new", { "A-1": 3 }]);
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
    expect(contentOf(begunHere(copies(shelf, "9")) as Copy).counts).toEqual({ "A-1": 4 });
  });

  it("leaves out what was taken out since a save without an answer, also after the page was opened again", async () => {
    for (const more of [{}, { "A-3": 1 }]) {
      const [server, shelf] = [new Server(), new Shelf()];
      const before = await saved(server, shelf);
      const answer = server.loseAnswers();
      before.put("A-2", 2);
      await before.wait();
      expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
      before.put("A-2", 0);
      for (const [card, copies] of Object.entries(more)) before.put(card, copies);
      before.saver.stop();
      server.answer = answer;
      server.elsewhere({ base: "B-1" });

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
      server.elsewhere({ counts: theirs });

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
    server.elsewhere({ counts: { "A-1": 4 } });

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
    server.elsewhere({ base: "B-1" });

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
    const answer = server.loseAnswers();
    first.put("A-2", 2);
    await first.wait();
    first.saver.stop();
    server.elsewhere({ counts: { "A-1": 4 } });

    const second = page(server, shelf);
    server.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(second.counts()).toEqual({ "A-1": 4 });
    second.put("A-3", 1);
    await second.wait();
    second.saver.stop();
    server.elsewhere({ counts: { "A-1": 4, "A-2": 3 } });

    server.answer = answer;
    const third = page(server, shelf);
    expect(third.counts()).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
    await third.wait();
    expect(server.content.counts).toEqual({ "A-1": 4, "A-2": 3, "A-3": 1 });
  });

  it("lets stand what others did to a deck that was begun here, whose first save had no answer", async () => {
    const [server, shelf] = [new Server(), new Shelf()];
    const empty = server.now();
    const before = page(server, shelf);
    before.put("A-1", 4);
    before.put("A-2", 2);
    before.saver.leave();
    before.saver.stop();
    server.elsewhere({ counts: { "A-1": 4, "A-3": 1 } });

    const ask = ((address, options) => server.answer(String(address), options)) as typeof fetch;
    const begun = begunHere(copies(shelf, "7")) as Copy;
    const now = (await savedOf(begun.uid, empty, ask)) ?? empty;
    expect(now.revision).toBe(2);
    expect(goingOn(now, copies(shelf, "7"))).toEqual({ content: server.content, disputed: [] });
    server.reachable = false;
    expect(await savedOf(begun.uid, empty, ask)).toBe(empty);
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
  const copy: Copy = { uid: "u", sender: "w1", user: "", revision: 1, known: EMPTY, changes: [], changed: 1 };
  shelf.setItem("ragtag-fleet.draft.u.w1", JSON.stringify(copy));
  shelf.setItem("ragtag-fleet.draft.u.w2", JSON.stringify({ ...copy, sender: "w2", changed: 2 }));
  shelf.setItem("ragtag-fleet.draft.u.w3", "no copy at all");
  forget(shelf, [copy]);
  expect(copies(shelf, "").map(({ changed }) => changed)).toEqual([2]);
});

it("tells, of what comes back, where somebody else had changed the same meanwhile", () => {
  const known = withCopies(withCopies(EMPTY, "counts", "A", 1), "counts", "B", 1);
  const change: Change = { sender: "w1", number: 5, part: "counts", card: "A", now: 4, was: [1] };
  const copy: Copy = { uid: "u", sender: "w1", user: "7", revision: 1, known, changes: [change], changed: 5 };
  const meanwhile = withCopies(withCopies(known, "counts", "A", 2), "counts", "B", 3);

  const { content, disputed } = goingOn({ revision: 2, content: meanwhile, made: {} }, [copy]);

  expect(content.counts).toEqual({ A: 4, B: 3 });
  expect(disputed).toEqual([{ part: "counts", card: "A", was: 1, now: 2, kept: 4 }]);
  expect(goingOn({ revision: 2, content, made: {} }, [copy]).disputed).toEqual([]);
});

it("tells once of what comes back and stands over what somebody else did meanwhile: as the page is opened", async () => {
  const [server, shelf] = [new Server(), new Shelf()];
  const before = await saved(server, shelf);
  server.reachable = false;
  before.put("A-1", 2);
  before.saver.stop();
  server.reachable = true;
  server.elsewhere({ counts: { "A-1": 3 } });
  const after = page(server, shelf);
  await after.wait();
  expect(server.content.counts).toEqual({ "A-1": 2 });
  expect(after.editor.store.get().notice).toBeNull(); // the page tells it
});

it("goes on with copies from before changes were kept, and with what they know beyond a backup that was restored", () => {
  const shelf = new Shelf();
  const known = withCopies(EMPTY, "counts", "A", 1);
  const content = withCopies(known, "counts", "B", 2);
  const old = { uid: "u", user: "7", revision: 3, known, content, changed: 9, sent: [{ first: 1, last: 1, content }] };
  shelf.setItem("ragtag-fleet.draft.u.w1", JSON.stringify(old));

  const [copy] = copies(shelf, "7") as [Copy];
  const there = withCopies(known, "counts", "C", 1);
  expect(contentOf(copy).counts).toEqual({ A: 1, B: 2 });
  expect(goingOn({ revision: 4, content: there, made: {} }, [copy]).content.counts).toEqual({ A: 1, B: 2, C: 1 });
  expect(goingOn({ revision: 2, content: EMPTY, made: {} }, [copy]).content.counts).toEqual({ A: 1, B: 2 });
});

it("takes of copies from before changes were kept only what has not arrived, and takes back what was taken back", () => {
  const [known, shelf] = [withCopies(EMPTY, "counts", "A", 1), new Shelf()];
  const two = withCopies(withCopies(known, "counts", "B", 2), "counts", "C", 3);
  const content = withCopies(withCopies(known, "counts", "C", 3), "counts", "D", 4);
  const kept = { uid: "u", sender: "w1", user: "7", revision: 3, known, changed: 20 };
  const sent = [{ first: 10, last: 11, content: two }];
  const goOn = (copy: object, there: Content["counts"], made: number): Content["counts"] => {
    shelf.setItem("ragtag-fleet.draft.u.w1", JSON.stringify({ ...kept, ...copy }));
    return goingOn({ revision: 4, content: { ...EMPTY, counts: there }, made: { w1: made } }, copies(shelf, "7"))
      .content.counts;
  };

  const since = { A: 1, C: 1 }; // another device has changed the same since the save without an answer
  expect(goOn({ content: two, sent }, since, 11), "all of it has arrived").toEqual(since);
  expect(goOn({ content: two, sent }, { A: 1 }, 9), "nothing has").toEqual({ A: 1, B: 2, C: 3 });
  expect(goOn({ content, sent }, { A: 1, B: 2, C: 3 }, 10), "B was taken back").toEqual({ A: 1, C: 3, D: 4 });
  expect(goOn({ content, sent }, { A: 1 }, 9)).toEqual({ A: 1, C: 3, D: 4 });
  expect(goOn({ content }, { A: 1 }, 9)).toEqual({ A: 1, C: 3, D: 4 });
  const known2 = withCopies(known, "counts", "E", 5); // heard of after it was sent
  const heard = { known: known2, sent: [{ ...sent[0], known }], content: withCopies(content, "counts", "E", 5) };
  expect(goOn(heard, { A: 1, B: 2, C: 3, E: 1 }, 10)).toEqual({ A: 1, C: 3, D: 4, E: 1 });
});

it("goes on with what this browser has heard of last where what the page brings is older and the server cannot be asked", () => {
  const known = withCopies({ ...EMPTY, counts: { A: 1 } }, "counts", "B", 2); // which another device had put in
  const change: Change = { sender: "w1", number: 5, part: "counts", card: "A", now: 4, was: [1] };
  const copy: Copy = { uid: "u", sender: "w1", user: "7", revision: 6, known, changes: [change], changed: 5 };
  const page = { revision: 5, content: { ...EMPTY, counts: { A: 1 } }, made: {} };

  const there = lastHeard(page, [copy]);
  expect([there.revision, goingOn(there, [copy]).content.counts]).toEqual([6, { A: 4, B: 2 }]);
  expect(broughtBack(there, [copy]), "what others did is nothing to save").toEqual([change]);
  expect(lastHeard({ ...page, revision: 7 }, [copy]).revision).toBe(7);
});

it("has what a closed window had not saved of a draft that was deleted on another device since", async () => {
  const [server, shelf] = [new Server(), new Shelf()];
  const before = await saved(server, shelf);
  const ask = ((address, options) => server.answer(String(address), options)) as typeof fetch;
  const deleted = () =>
    deletedOf(shelf, copies(shelf, "7"), new Server().now(), ask, { forget, goingOn, isBegun, lastHeard, savedOf });
  expect(await deleted()).toBeUndefined();
  server.reachable = false;
  before.put("A-2", 2);
  before.saver.stop();
  expect(await deleted(), "nobody knows").toBeUndefined();
  server.reachable = true;
  expect(await deleted(), "its own page goes on with it").toBeUndefined();

  server.gone = true;
  const offered = await deleted();
  expect(offered?.content.counts).toEqual({ "A-1": 4, "A-2": 2 });
  offered?.notice.closed?.();
  expect(shelf.length).toBe(0);
});
