/**
 * Saving on bad lines: windows of two devices change a deck at random, while requests and answers are lost, given up and
 * late, and pages are loaded again, closed and opened. When the line is good again, all have the same, and nothing that
 * somebody did last is undone.
 */

import { expect, it } from "vitest";
import { cleanName } from "./content";
import { page, Server, Shelf } from "./saving.testing";

const RUNS = process.env.AT_LENGTH ? 20_000 : 100;
/** Milliseconds after which the test is given up. */
const AT_MOST = 60 * RUNS + 60_000;
const STEPS = 60;

/** Numbers from 0 to below 1 that a seed makes (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A store as one page sees it: what it would do after it was closed does not happen. */
class PageShelf extends Shelf {
  isOpen = true;
  override setItem = (key: string, value: string): void => {
    if (this.isOpen) this.kept.set(key, value);
  };
  override removeItem = (key: string): void => {
    if (this.isOpen) this.kept.delete(key);
  };
}

class World {
  readonly server = new Server();
  readonly shelves = [new Shelf(), new Shelf()];
  /** The windows that are open: by the person's place at a device, which is the same when a page is loaded again. */
  readonly windows = new Map<string, ReturnType<typeof page> & { shelf: PageShelf; hasDone: Set<string> }>();
  /** What each place has last made of each card. */
  readonly done = new Map<string, Map<string, number>>();
  /** The name that each place has last given the deck. */
  readonly names = new Map<string, string>();
  readonly late: (() => void)[] = [];
  readonly told: string[] = [];
  isBad = true;
  senders = 0;
  readonly ids = new Map<string, string>();

  constructor(
    readonly random: () => number,
    readonly places: readonly string[],
  ) {
    const { answer } = this.server;
    this.server.answer = (address, options) => this.carry(() => answer(address, options));
  }

  /** Carry a request over the line, which may lose it or its answer, or let it arrive when nobody waits any more. */
  private async carry(answer: () => Promise<Response>): Promise<Response> {
    const dice = this.isBad ? this.random() : 1;
    if (dice < 0.15) throw new TypeError("lost");
    if (dice < 0.35) {
      this.late.push(() => void answer());
      throw new TypeError("given up");
    }
    if (dice < 0.5) {
      await answer();
      throw new TypeError("the answer is lost");
    }
    if (dice < 0.6) await new Promise<void>((done) => this.late.push(done));
    const given = await answer();
    if (dice < 0.7 && dice >= 0.6) await new Promise<void>((done) => this.late.push(done));
    return given;
  }

  pick = <T>(from: readonly T[]): T => from[Math.floor(this.random() * from.length)] as T;

  open(place: string, isSame: boolean): void {
    const sender = isSame ? (this.ids.get(place) ?? this.newId()) : this.newId();
    this.ids.set(place, sender);
    const shelf = new PageShelf(this.shelves[Number(place[0])]?.kept);
    const opened = { ...page(this.server, shelf, { sender }), shelf, hasDone: new Set<string>() };
    opened.editor.store.subscribe(({ notice }, before) => {
      if (notice === before.notice || !shelf.isOpen) return;
      for (const one of notice?.brought ?? []) if (one.card.startsWith(`own-${place}`)) this.told.push(one.card);
    });
    this.windows.set(place, opened);
  }

  private newId = (): string => `window-${++this.senders}`;

  close(place: string): void {
    const closed = this.windows.get(place);
    if (!closed) return;
    if (this.random() < 0.6) closed.saver.leave();
    closed.saver.stop();
    closed.shelf.isOpen = false;
    this.windows.delete(place);
  }

  change(place: string): void {
    if (this.random() < 0.15) this.type(place);
    const card = this.random() < 0.6 ? `own-${place}-${this.pick([1, 2])}` : `shared-${this.pick([1, 2])}`;
    const copies = Math.floor(this.random() * 4);
    const opened = this.windows.get(place);
    if (!opened) return;
    const before = opened.counts()[card] ?? 0;
    opened.put(card, copies);
    if (copies === before) return;
    opened.hasDone.add(card);
    const mine = this.done.get(place) ?? new Map<string, number>();
    this.done.set(place, mine.set(card, copies));
  }

  /** Type a name, with spaces that the server does not keep. */
  private type(place: string): void {
    const opened = this.windows.get(place);
    if (!opened) return;
    const { content } = opened.editor.store.get();
    const name = `${this.pick(["Viper", "Raptor", ""])}${this.pick(["", " ", "  W", "  W "])}`;
    opened.editor.amend({ ...content, name });
    if (cleanName(name) !== cleanName(content.name)) this.names.set(place, cleanName(name));
  }

  async step(): Promise<void> {
    const place = this.pick(this.places);
    const opened = this.windows.get(place);
    const dice = this.random();
    if (!opened) this.open(place, this.random() < 0.5);
    else if (dice < 0.5) this.change(place);
    else if (dice < 0.65) await opened.wait();
    else if (dice < 0.72) void opened.saver.refresh();
    else if (dice < 0.77) opened.saver.leave();
    else if (dice < 0.83) this.close(place);
    else if (dice < 0.88) {
      this.close(place);
      this.open(place, true);
    } else this.late.splice(Math.floor(this.random() * this.late.length), 1)[0]?.();
    if (this.random() < 0.3) await new Promise((done) => setTimeout(done));
  }

  /** The line is good again: what is late arrives, each device opens the deck, and everybody hears of it. */
  async settle(): Promise<void> {
    this.isBad = false;
    while (this.late.length > 0) {
      for (const arrive of this.late.splice(0)) arrive();
      await new Promise((done) => setTimeout(done)); // an answer that is late may come of one
    }
    for (const place of ["0c", "1c"]) this.open(place, false); // what closed windows have left is gone on with
    for (let round = 0; round < 3; round++)
      for (const opened of this.windows.values()) {
        for (let waits = 0; waits < 3; waits++) await opened.wait();
        await opened.saver.refresh();
      }
  }
}

it("loses and undoes nothing, whatever the line does and however often pages are opened", {
  timeout: AT_MOST,
}, async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const isAlone = seed % 2 === 0; // one window on each device
    const world = new World(chance(seed), isAlone ? ["0a", "1a"] : ["0a", "0b", "1a"]);
    for (let step = 0; step < STEPS; step++) await world.step();
    await world.settle();

    const { counts, name } = world.server.content;
    for (const opened of world.windows.values()) {
      if (opened.saver.revision() === 0) continue; // of a deck that was never saved when it was opened
      expect(opened.counts(), `seed ${seed}: all windows have what the server has`).toEqual(counts);
      expect(cleanName(opened.editor.store.get().content.name), `seed ${seed}`).toBe(name);
      expect(opened.saver.state.get(), `seed ${seed}`).toMatchObject({ kind: "saved", changes: 0 });
    }
    const last = new Map<string, number[]>();
    for (const mine of world.done.values())
      for (const [card, copies] of mine) last.set(card, [...(last.get(card) ?? []), copies]);
    for (const [card, copies] of last)
      expect(copies, `seed ${seed}: ${card} is as somebody left it`).toContain(counts[card] ?? 0);
    if (world.names.size > 0)
      expect([...world.names.values()], `seed ${seed}: the name is one given last`).toContain(name);
    for (const [place, opened] of world.windows) {
      const told = opened.editor.store.get().notice?.brought?.map(({ card }) => card) ?? [];
      for (const [card, copies] of world.done.get(place) ?? [])
        if (opened.hasDone.has(card) && copies !== (counts[card] ?? 0))
          expect(told, `seed ${seed}: ${place} is told that ${card} is another`).toContain(card);
    }
    // A window that goes on with what another one has left may be the other one to that.
    if (isAlone) expect(world.told, `seed ${seed}: nobody is told of what they alone have done`).toEqual([]);
    expect(
      world.shelves.map((shelf) => shelf.length),
      `seed ${seed}: nothing is left over`,
    ).toEqual([0, 0]);
  }
});
