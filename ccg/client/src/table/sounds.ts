/**
 * Small sounds for what happens, made by the browser: no recordings. Loaded only for who has switched them on.
 *
 * What is played out in the middle of the table sounds as it appears there; the rest as the table shows it. Of much at
 * once only the most important is heard.
 */

import type { Store } from "../store";
import { freshLine } from "./chat";
import { mayChoose, type TableState } from "./store";
import type { EventView, Seat } from "./types";

export type Sound =
  | "line"
  | "low"
  | "turn"
  | "card"
  | "challenge"
  | "mystic"
  | "defeat"
  | "threat"
  | "gain"
  | "loss"
  | "won"
  | "lost";

/** A tone: when it begins and how long it lasts, in seconds, from which pitch to which, in hertz, and how loud. */
interface Tone {
  at: number;
  length: number;
  from: number;
  to: number;
  loud: number;
  wave: OscillatorType;
}

const tone = (
  at: number,
  length: number,
  from: number,
  to = from,
  loud = 0.5,
  wave: OscillatorType = "sine",
): Tone => ({
  at,
  length,
  from,
  to,
  loud,
  wave,
});

export const SOUNDS: Record<Sound, Tone[]> = {
  line: [tone(0, 0.06, 520, 480, 0.3)],
  low: [tone(0, 0.1, 740), tone(0.18, 0.1, 740), tone(0.36, 0.16, 740)],
  turn: [tone(0, 0.12, 660), tone(0.1, 0.2, 880)],
  card: [tone(0, 0.07, 320, 420, 0.4, "triangle")],
  challenge: [tone(0, 0.14, 220, 330, 0.5, "triangle"), tone(0.12, 0.2, 330, 440, 0.5, "triangle")],
  mystic: [tone(0, 0.3, 1046, 1046, 0.25), tone(0.06, 0.34, 1318, 1318, 0.2)],
  defeat: [tone(0, 0.32, 160, 60, 0.6, "triangle")],
  threat: [tone(0, 0.22, 98, 92, 0.5, "sawtooth"), tone(0.26, 0.3, 98, 88, 0.5, "sawtooth")],
  gain: [tone(0, 0.12, 523), tone(0.1, 0.22, 659)],
  loss: [tone(0, 0.12, 440), tone(0.1, 0.24, 349)],
  won: [tone(0, 0.16, 523), tone(0.14, 0.16, 659), tone(0.28, 0.4, 784)],
  lost: [tone(0, 0.2, 392), tone(0.18, 0.2, 330), tone(0.36, 0.44, 262)],
};

/** The more important, the later. */
const RANK: Sound[] = [
  "line",
  "card",
  "turn",
  "mystic",
  "gain",
  "loss",
  "defeat",
  "challenge",
  "threat",
  "lost",
  "won",
  "low",
];

const OF_KIND: Record<string, Sound> = {
  play: "card",
  resolve: "card",
  use: "card",
  asset: "card",
  supply: "card",
  challenge: "challenge",
  defend: "challenge",
  mystic: "mystic",
  defeat: "defeat",
  sacrifice: "defeat",
  attack: "threat",
  red: "threat",
  jump: "threat",
};

/** The sound of an event for who sits in seat `you`; null for none. */
export function soundOf(event: EventView, you: Seat | null): Sound | null {
  const mine = you === null || event.player === you;
  switch (event.kind) {
    case "gain":
      return mine ? "gain" : "loss";
    case "lose influence":
      return mine ? "loss" : "gain";
    case "win":
      return mine ? "won" : "lost";
    default:
      return OF_KIND[event.kind] ?? null;
  }
}

/** The most important of several sounds. */
export function foremost(sounds: (Sound | null)[]): Sound | null {
  return sounds.reduce((best, one) => (one && (!best || RANK.indexOf(one) > RANK.indexOf(best)) ? one : best), null);
}

/** Play what happens at a table until the returned function is called. */
export function startSounds(store: Store<TableState>, play: (sound: Sound) => void = speaker()): () => void {
  let before = store.get();
  return store.subscribe((now) => {
    const sound = soundBetween(before, now);
    before = now;
    if (sound) play(sound);
  });
}

/** Play one sound, for what only time brings about. */
export function playOnce(sound: Sound): void {
  speaker()(sound);
}

/** What is heard as the table goes from one state to the next. */
export function soundBetween(before: TableState, now: TableState): Sound | null {
  const { you } = now;
  if (now.settings.chatSound === "on" && freshLine(before, now)) return "line";
  if (now.staged.length > before.staged.length) {
    return foremost(now.staged.slice(before.staged.length).map((event) => soundOf(event, you)));
  }
  const begun = before.version !== null && now.version !== null && now.version > before.version;
  const heard = new Set(before.staged);
  const fresh = begun ? newLines(before, now).filter((event) => !heard.has(event)) : [];
  const asked = mayChoose(now) && !mayChoose(before) && before.view?.decision?.seat !== you;
  return foremost([...fresh.map((event) => soundOf(event, you)), asked ? "turn" : null]);
}

function newLines(before: TableState, now: TableState): EventView[] {
  const last = before.log.at(-1)?.id;
  const from = now.log.findIndex((line) => line.id === last);
  return now.log.slice(from + 1).map((line) => line.event);
}

const LOUDEST = 0.12;

/** What plays sounds in this browser. It stays silent until the page was touched: browsers want it so. */
function speaker(): (sound: Sound) => void {
  let context: AudioContext | null = null;
  return (sound) => {
    try {
      context ??= new AudioContext();
      if (context.state === "suspended") void context.resume();
      for (const one of SOUNDS[sound]) playTone(context, one);
    } catch {
      // A browser without sound plays on.
    }
  };
}

function playTone(context: AudioContext, { at, length, from, to, loud, wave }: Tone): void {
  const begin = context.currentTime + at;
  const source = context.createOscillator();
  const volume = context.createGain();
  source.type = wave;
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(to, begin + length);
  volume.gain.setValueAtTime(0.0001, begin);
  volume.gain.exponentialRampToValueAtTime(loud * LOUDEST, begin + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + length + 0.02);
}
