/**
 * A model of saving on bad lines: windows of two devices change a deck at random, while requests and answers are lost, given
 * up and late, and pages are loaded again, closed and opened. It remembers what everybody did and was told;
 * `saving.model.test.ts` asks whether that is right.
 */

import { type Content, cleanName, EMPTY, MAX_COPIES, withCopies } from "./content";
import { type Copy, copies, goingOn } from "./kept-copies";
import type { Brought } from "./merging";
import type { Saved } from "./saving";
import { begunWith, clock, PageShelf, page, type Sent, Server, Shelf, turn } from "./saving.testing";

/** What may happen beside what the line does. */
export type Trouble =
  | "undo"
  | "stale pages"
  | "clocks"
  | "reverts"
  | "full stores"
  | "emptied stores"
  | "backups"
  | "deletion";

/** How often each happens in a step, and what that is. */
const TROUBLES: Record<Trouble, [often: number, happens: (world: World, place: string) => void]> = {
  undo: [0.07, (world, place) => world.undo(place)],
  "stale pages": [0.1, (world, place) => world.reloadLate(place)],
  clocks: [0.05, (world, place) => world.setClock(place)],
  reverts: [0.03, (world) => world.revert()],
  "full stores": [0.05, (world, place) => world.fillOrClear(place)],
  "emptied stores": [0.02, (world, place) => world.deviceOf(place).shelf.kept.clear()],
  backups: [0.07, (world) => world.backUpOrRestore()],
  deletion: [0.03, (world) => world.server.delete()],
};

const SHARED = ["shared-1", "shared-2"] as const;

export const ALL_TROUBLES = Object.keys(TROUBLES) as Trouble[];

/** Steps that it takes until the page of a window comes that is loaded again over a slow line. */
const LATE = 8;

/** What the clocks begin with, however far back one is set. */
const NOON = 1_000_000;

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

/** A line that may lose a request or its answer, or let it arrive when nobody waits any more. */
class Line {
  isBad = true;
  private readonly late: (() => void)[] = [];
  /** How much of what it carries badly is lost; the rest is late. */
  private readonly loss: number;

  constructor(private readonly random: () => number) {
    this.loss = random();
  }

  async carry(answer: () => Promise<Response>): Promise<Response> {
    if (!this.isBad || this.random() < 0.3) return answer();
    return this.random() < this.loss ? this.lose(answer) : this.keepBack(answer);
  }

  private async lose(answer: () => Promise<Response>): Promise<Response> {
    const dice = this.random();
    if (dice < 0.4)
      this.late.push(() => void answer()); // it arrives when nobody waits any more
    else if (dice < 0.7) await answer();
    throw new TypeError("given up");
  }

  private async keepBack(answer: () => Promise<Response>): Promise<Response> {
    const isAnswerLate = this.random() < 0.5;
    if (!isAnswerLate) await this.delay();
    const given = await answer();
    if (isAnswerLate) await this.delay();
    return given;
  }

  private delay = (): Promise<void> => new Promise((done) => this.late.push(done));

  /** Let one of what is late arrive. */
  deliver(): void {
    this.late.splice(Math.floor(this.random() * this.late.length), 1)[0]?.();
  }

  /** Be good from now on: all that is late arrives. */
  async mend(): Promise<void> {
    this.isBad = false;
    while (this.late.length > 0) {
      for (const arrive of this.late.splice(0)) arrive();
      await turn(); // an answer that is late may come of one
    }
  }
}

/** A card or the name of a deck, with what somebody made of it. */
type Values = Map<string, string | number>;

/** The key of what a notice tells, as `Values` have it. */
export const keyOf = ({ part, card }: Pick<Brought, "part" | "card">): string => card || part;

/** What a content has of a card or as its name. */
export const valueIn = ({ name, counts }: Content, key: string): string | number =>
  key === "name" ? cleanName(name) : (counts[key] ?? 0);

/** The cards of which two contents differ, and whether their names do. */
const differing = (one: Content, other: Content): string[] =>
  [...new Set(["name", ...Object.keys(one.counts), ...Object.keys(other.counts)])].filter(
    (key) => valueIn(one, key) !== valueIn(other, key),
  );

class Device {
  readonly shelf = new Shelf();
  /** How far its clock is from the right time. */
  offset = 0;
  /** Of each card, and of the name, the values that any of its windows has shown or told. */
  private readonly known = new Set<string>();

  learn = (key: string, value: string | number): void => void this.known.add(`${key} ${value}`);
  /** Of those, the values that somebody has made of it here. */
  private readonly made = new Set<string>();

  make = (key: string, value: string | number): void => void this.made.add(`${key} ${value}`);
  hasMade = (key: string, value: string | number): boolean => this.made.has(`${key} ${value}`);
  knows = (key: string, value: string | number): boolean => this.known.has(`${key} ${value}`);
}

/** A window that is open, or was. */
export interface Opened extends ReturnType<typeof page> {
  place: string;
  store: PageShelf;
  /** What was changed in it, apart from what its page began with. */
  hasDone: Set<string>;
}

/** A value of another device, of which a window has told or has to tell. */
export interface Others {
  window: Opened;
  key: string;
  value: string | number;
}

const contentOf = ({ editor }: Opened): Content => editor.store.get().content;

export class World {
  readonly server = new Server();
  readonly devices = [new Device(), new Device()] as const;
  /** The windows that are open: by the person's place at a device, which is the same when a page is loaded again. */
  readonly windows = new Map<string, Opened>();
  /** What each place has last made of each card and of the name. */
  readonly done = new Map<string, Values>();
  /** What windows have told of others, and what of it they have to: an answer says that they have replaced it, unseen. */
  readonly told: Others[] = [];
  readonly replaced: Others[] = [];
  /** The places where a page once began with less than its window had heard of, as the server could not be asked. */
  readonly behind = new Set<string>();
  /** What windows have sent as changes that nobody had made on their device. */
  readonly foreign: string[] = [];
  /** What undoing has changed in a window in which nobody had changed it. */
  readonly strayed: string[] = [];
  private readonly random: () => number;
  private readonly line: Line;
  /** The ids of the windows, and the revisions of which they have heard last. */
  private readonly ids = new Map<string, string>();
  private readonly heard = new Map<string, number>();
  /** Pages that are on their way to windows that load them again. */
  private readonly coming = new Map<string, { html: Saved; steps: number }>();
  private restore: (() => void) | null = null;
  private senders = 0;

  constructor(
    seed: number,
    readonly places: readonly string[],
    readonly troubles: readonly Trouble[] = [],
  ) {
    clock.now = NOON;
    this.random = chance(seed);
    this.line = new Line(this.random);
  }

  deviceOf = (place: string): Device => this.devices[place.startsWith("0") ? 0 : 1];
  private pick = <T>(from: readonly T[]): T => from[Math.floor(this.random() * from.length)] as T;
  private isNow = (often: number): boolean => this.random() < often;

  async step(): Promise<void> {
    const place = this.pick(this.places);
    for (const trouble of this.troubles) {
      const [often, happens] = TROUBLES[trouble];
      if (this.isNow(often)) happens(this, place);
    }
    await this.letPagesCome();
    const window = this.windows.get(place);
    if (window) await this.act(window);
    else await this.open(place, this.isNow(0.5));
    if (this.isNow(0.3)) await turn();
  }

  private async act(window: Opened): Promise<void> {
    const dice = this.random();
    if (dice < 0.4) this.change(window);
    else if (dice < 0.52) await window.wait();
    else if (dice < 0.57) void window.saver.refresh();
    else if (dice < 0.7) window.saver.leave();
    else if (dice < 0.77) this.close(window.place);
    else if (dice < 0.84) await this.reload(window.place, this.server.now());
    else this.line.deliver();
  }

  /** The line is good again: what is late arrives, each device opens the deck, and everybody hears of it. */
  async settle(): Promise<void> {
    for (const { shelf } of this.devices) shelf.isFull = false;
    await this.line.mend();
    for (const place of ["0c", "1c"]) await this.open(place, false); // what closed windows have left is gone on with
    for (let round = 0; round < 4; round++)
      for (const window of this.windows.values()) {
        for (let waits = 0; waits < 3; waits++) await window.wait();
        await window.saver.refresh();
      }
  }

  /** Open the deck at a place: in the window that was there, or a new one. */
  private async open(place: string, isSame: boolean, html = this.server.now()): Promise<void> {
    if (!isSame) this.heard.delete(place);
    const sender = (isSame && this.ids.get(place)) || `window-${++this.senders}`;
    this.ids.set(place, sender);
    const device = this.deviceOf(place);
    const store = new PageShelf(device.shelf);
    const broughtBack = copies(store, "7");
    const heard = this.heard.get(place) ?? 0;
    const saved = await begunWith(html, broughtBack, heard, shortly(this.ask));
    const window: Opened = {
      ...page(this.server, store, {
        sender,
        saved,
        broughtBack,
        now: () => ++clock.now + device.offset,
        onSaved: ({ revision }) => void (store.isOpen && this.heard.set(place, revision)),
        fetch: async (address, options) => {
          if (options?.method === "PUT") this.noteSent(place, JSON.parse(String(options.body)));
          const answer = await this.ask(address, options);
          if (options?.method === "PUT" && answer.ok) this.noteReplaced(window, await answer.clone().json());
          return answer;
        },
      }),
      place,
      store,
      hasDone: new Set(),
    };
    this.windows.set(place, window);
    if (saved.revision < heard) this.behind.add(place);
    // Of a backup that was restored nobody can tell what others have made of it since: what a copy has stands over that,
    // and it is not told (docs/decisions/0022).
    if (this.hasForgotten(saved, broughtBack)) this.noteShown(window, EMPTY, saved.content);
    this.listen(window, goingOn(saved, broughtBack).disputed);
  }

  private hasForgotten = (saved: Saved, mine: readonly Copy[]): boolean =>
    this.troubles.includes("backups") && mine.some(({ revision }) => revision > saved.revision);

  private ask: typeof fetch = (address, options) => this.line.carry(() => this.server.answer(String(address), options));

  /** Remember what a window shows and tells, which begins with `disputed`. */
  private listen(window: Opened, disputed: readonly Brought[]): void {
    const { editor, store } = window;
    this.noteShown(window, EMPTY, contentOf(window));
    this.noteTold(window, disputed);
    editor.store.subscribe(({ content, notice }, before) => {
      if (!store.isOpen) return;
      this.noteShown(window, before.content, content);
      if (notice !== before.notice) this.noteTold(window, notice?.brought ?? []);
    });
  }

  private noteShown({ place }: Opened, before: Content, after: Content): void {
    for (const key of differing(before, after))
      for (const content of [before, after]) this.deviceOf(place).learn(key, valueIn(content, key));
  }

  private noteTold(window: Opened, brought: readonly Brought[]): void {
    for (const { now, ...one } of brought) {
      const [key, value] = [keyOf(one), plain(one, now)];
      this.told.push({ window, key, value });
      this.deviceOf(window.place).learn(key, value);
    }
  }

  /** Remember which of the changes that are sent were not made on the device. */
  private noteSent(place: string, { changes }: Sent): void {
    for (const one of changes) {
      const [key, value] = [keyOf(one), plain(one, one.now)];
      if (!this.deviceOf(place).hasMade(key, value)) this.foreign.push(`${place}: ${key} ${value}`);
    }
  }

  /** Remember what a window hears that its changes have replaced, if its device does not know of it. */
  private noteReplaced(window: Opened, { replaced }: Saved): void {
    for (const one of replaced) {
      const [key, value] = [keyOf(one), plain(one, one.value)];
      const isKnown = this.deviceOf(window.place).knows(key, value) || value === valueIn(contentOf(window), key);
      if (!isKnown) this.replaced.push({ window, key, value });
    }
  }

  private close(place: string): void {
    const window = this.windows.get(place);
    if (!window) return;
    if (this.isNow(0.6)) window.saver.leave();
    window.saver.stop();
    window.store.isOpen = false;
    this.windows.delete(place);
    this.coming.delete(place);
  }

  private async reload(place: string, html: Saved): Promise<void> {
    this.close(place);
    await this.open(place, true, html);
  }

  /** Let pages arrive that have been on their way long enough. */
  private async letPagesCome(): Promise<void> {
    for (const [place, one] of this.coming) if (one.steps-- === 0) await this.reload(place, one.html);
  }

  /** Change a card or the name of the deck; of the cards some are of this place alone. */
  private change(window: Opened): void {
    const [name, card, copies] = [this.someName(), this.someCard(window.place), this.someCopies()];
    const { editor, put, hasDone } = window;
    const type = (): void => editor.amend({ ...editor.store.get().content, name });
    for (const key of this.noting(window, this.isNow(0.1) ? type : () => put(card, copies))) hasDone.add(key);
  }

  private someCard = (place: string): string =>
    this.isNow(0.4) ? `own-${place}-${this.pick([1, 2])}` : this.pick(SHARED);

  /** Some number of copies: often one that was there before, often one that nobody has had yet. */
  private someCopies = (): number => Math.floor(this.random() * (this.isNow(0.5) ? 4 : MAX_COPIES));

  /** Some name, perhaps with spaces that the server does not keep. */
  private someName = (): string => `${this.pick(["Viper", "Raptor", ""])}${this.pick(["", " ", "  W", "  W "])}`;

  /** Let something be done in a window. Returns what it has changed, of which the place remembers what it made last. */
  private noting(window: Opened, act: () => void): string[] {
    const before = contentOf(window);
    act();
    const after = contentOf(window);
    const keys = differing(before, after);
    for (const key of keys) {
      this.deviceOf(window.place).make(key, valueIn(after, key));
      this.noteDone(window.place, key, valueIn(after, key));
    }
    return keys;
  }

  private noteDone(place: string, key: string, value: string | number): void {
    this.done.set(place, (this.done.get(place) ?? new Map<string, string | number>()).set(key, value));
  }

  undo(place: string): void {
    const window = this.windows.get(place);
    if (!window) return;
    const changed = this.noting(window, this.isNow(0.6) ? window.editor.undo : window.editor.redo);
    this.strayed.push(...changed.filter((key) => !window.hasDone.has(key)));
  }

  reloadLate(place: string): void {
    const isOpen = this.windows.has(place);
    if (isOpen && !this.coming.has(place)) this.coming.set(place, { html: this.server.now(), steps: LATE });
  }

  setClock(place: string): void {
    this.deviceOf(place).offset = Math.floor((this.random() - 0.5) * 100_000);
  }

  fillOrClear(place: string): void {
    const { shelf } = this.deviceOf(place);
    shelf.isFull = !shelf.isFull;
  }

  backUpOrRestore(): void {
    this.restore?.();
    this.restore = this.restore ? null : this.server.backup();
  }

  /** Revert the deck on its page: that is done by nobody's window. */
  revert(): void {
    if (this.server.revision === 0) return;
    const [card, copies] = [this.pick(["reverted", ...SHARED]), Math.floor(this.random() * MAX_COPIES)];
    this.server.revert(withCopies(this.server.content, "counts", card, copies));
    this.noteDone("deck", card, copies);
  }
}

/** A value as `valueIn` gives it. */
const plain = ({ part }: Pick<Brought, "part">, value: Brought["now"]): string | number =>
  typeof value === "string" || typeof value === "number" ? value : part === "name" ? "" : 0;

/** Ask as a page does that is being opened: it does not wait for long. */
const shortly =
  (ask: typeof fetch): typeof fetch =>
  (address, options) =>
    Promise.race([ask(address, options), turn().then(turn).then(givenUp)]);

const givenUp = (): never => {
  throw new TypeError("given up");
};
