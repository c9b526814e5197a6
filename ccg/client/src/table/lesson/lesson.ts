/**
 * A lesson at the table, without a page: which step is due, what it waits for, what it answers to another move.
 *
 * The steps come with the page of the table (`matches/lessons` on the server). Where the match stands in the lesson is
 * told with every table: the number of moves that lead to this position, or null where it has left the lesson.
 */

import { keepIn } from "../../storage";

export interface LessonStep {
  /** The number of moves that have been made when the step is due. */
  at: number;
  /** What is said; `*word*` marks a word of the game. */
  say: string;
  /** What is marked on the table (`places.ts`). */
  point: string[];
  /** The key of the option that it waits for; "" where there is only something to read. */
  option: string;
  /** The move is made for the player, without a word. */
  quiet: boolean;
  /** Options with the answer to each. */
  refused: Record<string, string>;
  /** The answer to every other option. */
  notYet: string;
}

export interface Lesson {
  slug: string;
  title: string;
  steps: LessonStep[];
  next: { title: string } | null;
  /** Where one looks for an opponent. */
  others: string;
}

/** How far the player has come. */
export interface Progress {
  /** The number of steps that have been read or done. */
  read: number;
  /** The player goes on without the lesson. */
  free: boolean;
}

export const BEGINNING: Progress = { read: 0, free: false };

/** `step` at `place` is due; or the computer acts; or the match has left the lesson; or the lesson is over. */
export type Stand = { kind: "step"; place: number; step: LessonStep } | { kind: "wait" | "left" | "done" };

const READ_FIRST = "Not yet: read this first, then press Next.";
const NOT_YET = "Not yet: the lesson needs another move here.";

/** Find what is due at a position, `moves` into the lesson (null: outside it). */
export function standing(lesson: Lesson, moves: number | null, progress: Progress): Stand {
  if (progress.read >= lesson.steps.length) return { kind: "done" };
  if (moves === null) return { kind: "left" };
  const due = lesson.steps.flatMap((step, place) => (step.at === moves ? [{ step, place }] : []));
  // After a move was taken back, steps that have been read are due again: the last one asks for the move.
  const found = due.find(({ place }) => place >= progress.read) ?? due[due.length - 1];
  return found ? { kind: "step", ...found } : { kind: "wait" };
}

/** The place of a step among those that are shown, from 1; and how many there are. */
export function counted(lesson: Lesson, place: number): { number: number; of: number } {
  const shown = (steps: LessonStep[]) => steps.filter((step) => !step.quiet).length;
  return { number: shown(lesson.steps.slice(0, place + 1)), of: shown(lesson.steps) };
}

/** The answer to choosing `option` now; null if the lesson has nothing against it. */
export function answerTo(stand: Stand, progress: Progress, option: string): string | null {
  if (progress.free || stand.kind !== "step") return null;
  const { step } = stand;
  if (step.option === option) return null;
  if (step.option === "") return READ_FIRST;
  return step.refused[option] ?? (step.notYet || NOT_YET);
}

/** Whether nothing may be chosen by itself, as there is something to read or to do first. */
export function holds(stand: Stand, progress: Progress): boolean {
  return !progress.free && (stand.kind === "step" || stand.kind === "wait");
}

/** `*word*` taken apart: text and words of the game in turn. */
export function partsOf(say: string): { text: string; word: boolean }[] {
  return say
    .split("*")
    .map((text, place) => ({ text, word: place % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

const KEY = "ragtag-fleet.lesson";

/** Read how far the player has come in this match; anything missing or strange is the beginning. */
export function readProgress(storage: Pick<Storage, "getItem"> | null, match: string): Progress {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? "null") as Partial<Progress & { match: string }> | null;
    if (kept?.match !== match || !Number.isInteger(kept.read)) return BEGINNING;
    return { read: Math.max(0, kept.read ?? 0), free: kept.free === true };
  } catch {
    return BEGINNING;
  }
}

/** Keep how far the player has come, of the latest lesson only: else all is to be read again after a reload. */
export function saveProgress(storage: Pick<Storage, "setItem"> | null, match: string, progress: Progress): void {
  keepIn(storage, KEY, JSON.stringify({ match, ...progress }));
}
