/**
 * Checks the published file of a match's shuffles, as docs/fair-shuffles.md describes it: the same as the script
 * `tools/check_shuffles.py`, in the browser.
 */

import type { Note } from "../site/words";

const FAMILY = "ragtag-fleet/shuffles/";
export const FORMAT = `${FAMILY}2`;
const SPAN = 2 ** 32;

export interface Seat {
  seat: number;
  name: string;
  kind: string;
  gave_words: boolean;
  commitment: string | null;
  secret: string | null;
  words: string | null;
  deck: string[] | null;
}

export interface Drawing {
  number: number;
  move: number;
  why: string;
  seat: number;
  at: number;
  size: number;
  before: (string | number)[] | null;
  after: (string | number)[] | null;
}

export interface ShuffleFile {
  format: string;
  match: string;
  state: string;
  seats: Seat[];
  seed: string | null;
  drawings: Drawing[];
  seal: string;
}

/** The file does not hold; the message says where. */
export class Wrong extends Error {}

/** What was found right. */
export interface Found {
  drawings: number;
  withCards: number;
  gaveWords: number;
  /** The seat for which this browser noted commitment and words; null if it noted none of this match. */
  noted: number | null;
}

/** Check everything in `file` that can be; throws `Wrong` where something does not follow. */
export async function check(file: ShuffleFile, notes: Note[] = []): Promise<Found> {
  const older = file.format.startsWith(FAMILY) && file.format !== FORMAT;
  require(!older, `This is a file of another version (${file.format}); this page checks ${FORMAT} alone.`);
  require(file.format === FORMAT, "This is not a file of shuffles in the form that this page knows.");
  require(file.seal === (await sealOf(file)), "The seal is not that of the file: something in it was changed.");
  const over = ["whole", "packing", "without moves"].includes(file.state);
  require(over, "The match is not over: until then there are only commitments.");
  const { seats, drawings } = file;
  await checkSeats(seats);
  const seed = await seedOf(seats);
  require(hexOf(seed) === file.seed, "The seed does not follow from secrets and words.");
  await checkPlaces(seats);
  const noted = notedSeat(seats, file.match, notes);
  const told = file.state === "whole" ? drawings.length >= seats.length : drawings.length === 0;
  require(told, "The match has no shuffles, or some too early.");
  const stream = new Stream(seed);
  for (const [number, drawn] of drawings.entries()) await checkDrawing(number, drawn, stream, seats);
  checkCourse(drawings, seats.length);
  return {
    drawings: drawings.length,
    withCards: drawings.filter((drawn) => drawn.before !== null).length,
    gaveWords: seats.filter((seat) => seat.gave_words).length,
    noted,
  };
}

/** What was found, and what a file cannot show, in sentences. */
export function told(found: Found): string {
  const shuffles = found.drawings === 1 ? "1 drawing follows" : `${found.drawings} drawings follow`;
  const hidden = found.drawings - found.withCards;
  return [
    "All of it holds: each secret is the one that the server was bound to, seats and seed follow from secrets and words,",
    found.drawings > 0 ? `and ${shuffles} from the seed.` : "and no drawings are told, so no order was checked.",
    hidden > 0 ? `Of ${hidden} the cards are private, so only their place in the stream was checked.` : "",
    found.gaveWords === 0 ? "Nobody added words, so nothing kept the server from choosing." : "",
    found.noted !== null
      ? "Commitment and words of your seat are those that this browser noted as you sat down."
      : "This browser noted nothing of this match. If you sat down with it, your words were left out.",
    "A file cannot show that these are all drawings up to the end, in which move each was made and for what, nor which cards went into the later ones: playing the moves again does.",
  ]
    .filter(Boolean)
    .join(" ");
}

function notedSeat(seats: Seat[], match: string, notes: Note[]): number | null {
  for (const note of notes) {
    const seat = seats.find((one) => one.commitment === note.commitment);
    if (!seat) continue;
    require(seat.words === note.words, "The words of your seat are not those that this browser sent.");
    const used = note.match !== undefined && note.match !== match;
    require(!used, `Commitment and words of your seat are those of another match, ${note.match}.`);
    note.match = match;
    return seat.seat;
  }
  return null;
}

/** What seats add is what they could add. */
async function checkSeats(seats: Seat[]): Promise<void> {
  require(seats.length > 1 && seats.every((seat, place) => seat.seat === place), "The seats are not in order.");
  for (const seat of seats) {
    const name = seat.name || `seat ${seat.seat}`;
    const secret = seat.secret === null ? null : bytesOf(seat.secret);
    const bound = secret === null ? null : await commitmentOf(secret);
    require(bound === seat.commitment, `The secret of ${name} is not the one that the server was bound to.`);
    require(secret === null || secret.length === 32, `The secret of ${name} is not 32 bytes.`);
    const gave = (seat.words ?? "") !== "";
    require(seat.gave_words === gave, `${name} is said to have given words and has none, or the reverse.`);
    require(seat.kind === "person" || !gave, `${name} is not a person and has words.`);
    const sorted = seat.deck && [...seat.deck].sort().reverse();
    require(same(sorted, seat.deck), `The deck of ${name} was not brought in order.`);
  }
  const gave = seats.filter((seat) => seat.gave_words);
  const adding = gave.length > 0 ? gave.length : 1;
  const bound = seats.every((seat, place) => (seat.secret !== null) === place < adding);
  require(bound, "A secret without words, words without a secret, or no secret at all.");
}

/** Who gives words sits where secret and words put them. */
async function checkPlaces(seats: Seat[]): Promise<void> {
  const gave = seats.filter((seat) => seat.gave_words);
  const places = await Promise.all(gave.map(placeOf));
  const inOrder = gave.every((seat, place) => seat.seat === place) && same([...places].sort(), places);
  require(inOrder, "The seats are not those that secrets and words give.");
}

const LATER = ["search", "new deck", "discard pile", "put into deck"];

/** The drawings stand in an order to which a match can come. */
function checkCourse(drawings: Drawing[], seats: number): void {
  const redrawn = new Set<number>();
  for (const [number, drawn] of drawings.entries()) {
    const before = drawings[number - 1];
    if (!before || number < seats) continue;
    const name = `Drawing ${number} (${drawn.why})`;
    const lot = drawn.why === "first player";
    const redraw =
      drawn.why === "redraw" && !redrawn.has(drawn.seat) && ["start", "first player", "redraw"].includes(before.why);
    require((lot && number === seats) || redraw || LATER.includes(drawn.why), `${name} cannot come at this place.`);
    require(drawn.move >= before.move && (drawn.move === 0) === lot, `${name} is not of that move.`);
    if (redraw) redrawn.add(drawn.seat);
  }
}

async function checkDrawing(number: number, drawn: Drawing, stream: Stream, seats: Seat[]): Promise<void> {
  const { before, after } = drawn;
  const name = `Drawing ${number} (${drawn.why}, seat ${drawn.seat})`;
  require(drawn.number === number && drawn.at === stream.used, `${name} is not where the one before ended.`);
  const deck = seats[drawn.seat]?.deck ?? null;
  if (number < seats.length) {
    const opening = drawn.why === "start" && drawn.seat === number && drawn.move === 0;
    require(opening && same(before, deck), `${name} is not the first shuffle of the deck that was brought.`);
  }
  if (drawn.why === "first player") {
    const among = Array.isArray(before) ? seats.map((seat) => seat.seat).filter((seat) => before.includes(seat)) : [];
    require(among.length > 1 &&
      among.length === drawn.size &&
      same(before, among), `${name} is not a lot among seats.`);
    const fell = before?.[await stream.below(among.length)];
    require(fell === drawn.seat && same(after, [fell]), `${name} fell on another seat.`);
    return;
  }
  const order = await stream.shuffled(drawn.size);
  if (!before || !deck) {
    require(!before && !deck && !after, `${name} shows part of a private deck.`);
    return;
  }
  const right =
    before.length === drawn.size &&
    same(
      after,
      order.map((place) => before[place] ?? ""),
    );
  require(right, `${name} gives another order.`);
  const left = counted(deck);
  const held = before.every((card) => (left.set(card, (left.get(card) ?? 0) - 1).get(card) ?? -1) >= 0);
  require(held, `${name} has cards that the deck had not.`);
  const whole = drawn.why !== "start" && drawn.why !== "redraw";
  require(whole || before.length === deck.length, `${name} does not have the whole deck.`);
}

function counted(cards: (string | number)[]): Map<string | number, number> {
  const counts = new Map<string | number, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

function same(one: unknown[] | null, other: unknown[] | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The hash by which the server is bound to `secret`. */
export async function commitmentOf(secret: Uint8Array): Promise<string> {
  return hexOf(await hash("SHA-256", join([utf8(`${FORMAT} commitment\n`), secret])));
}

/** By what seats that give words are sorted, in hexadecimal. */
async function placeOf(seat: Pick<Seat, "secret" | "words">): Promise<string> {
  return hexOf(await hash("SHA-256", join([utf8(`${FORMAT} seat\n`), ...partOf(seat)])));
}

/** The 64 bytes from which all orders follow. */
export async function seedOf(seats: Pick<Seat, "secret" | "words">[]): Promise<Uint8Array> {
  return hash("SHA-512", join([utf8(`${FORMAT} seed\n`), ...seats.flatMap(partOf)]));
}

/** Secret and words, each behind its length in two bytes. */
function partOf(seat: Pick<Seat, "secret" | "words">): Uint8Array[] {
  return [bytesOf(seat.secret ?? ""), utf8(seat.words ?? "")].flatMap((piece) => [
    new Uint8Array([piece.length >> 8, piece.length & 255]),
    piece,
  ]);
}

/** SHA-256 over the file as JSON without its seal: keys in order, no spaces. */
export async function sealOf(file: ShuffleFile): Promise<string> {
  const { seal: _, ...rest } = file;
  return hexOf(await hash("SHA-256", utf8(JSON.stringify(rest, (_key, value: unknown) => inOrder(value)))));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Words of 32 bits: eight from each SHA-256 of the seed and the number of the block. */
export class Stream {
  used = 0;
  private block: DataView | null = null;

  constructor(private readonly seed: Uint8Array) {}

  async word(): Promise<number> {
    const place = this.used % 8;
    if (place === 0 || !this.block) {
      const number = new DataView(new ArrayBuffer(8));
      number.setBigUint64(0, BigInt(Math.floor(this.used / 8)));
      const hashed = await hash("SHA-256", join([this.seed, new Uint8Array(number.buffer)]));
      this.block = new DataView(hashed.buffer);
    }
    this.used += 1;
    return this.block.getUint32(4 * place);
  }

  /** A number below `limit`, each equally likely: words of the uneven rest are passed over. */
  async below(limit: number): Promise<number> {
    const fair = SPAN - (SPAN % limit);
    for (;;) {
      const word = await this.word();
      if (word < fair) return word % limit;
    }
  }

  /** Fisher and Yates over the numbers below `size`. */
  async shuffled(size: number): Promise<number[]> {
    const cards = Array.from({ length: size }, (_, place) => place);
    for (let last = size - 1; last > 0; last -= 1) {
      const other = await this.below(last + 1);
      [cards[last], cards[other]] = [cards[other] as number, cards[last] as number];
    }
    return cards;
  }
}

function require(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Wrong(otherwise);
}

async function hash(name: string, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest(name, data));
}

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  require(/^([0-9a-f]{2})*$/.test(hex), "A secret is not written in hexadecimal digits.");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Hexadecimal digits, in small letters. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
