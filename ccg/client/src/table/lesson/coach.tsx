/**
 * The coach: tells the steps of a lesson beside the table, marks what they speak of, and answers moves that are not
 * due. It lies in the flow of the page, so it never covers anything.
 */

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../cards";
import { createStore, type Store, useStore } from "../../store";
import { mayChoose } from "../store";
import type { Table } from "../table";
import { useNow } from "../tiles";
import type { ClientMessage, View } from "../types";
import "./coach.css";
import {
  answerTo,
  counted,
  holds,
  type Lesson,
  type Progress,
  partsOf,
  readProgress,
  type Stand,
  saveProgress,
  standing,
} from "./lesson";
import { found } from "./places";

/** How long a move that is made for the player waits, so that one sees what came before. */
const QUIET_PAUSE = 350;

interface CoachState {
  progress: Progress;
  /** The step that is shown; it stays while the computer acts. */
  stand: Stand;
  /** The answer to a move that was not due. */
  answer: string | null;
}

export interface Coach {
  lesson: Lesson;
  store: Store<CoachState>;
  /** The answer to a choice that is being made; null lets it pass. */
  guard(message: ClientMessage): string | null;
  /** Whether nothing may be passed by itself. */
  holds(): boolean;
  next(): void;
  leave(): void;
  comeBack(): void;
}

/** Begin to coach at `table`. The place in the lesson is kept in `storage` under the id of the match. */
export function createCoach(table: Table, lesson: Lesson, match: string, storage: Storage | null): Coach {
  const progress = readProgress(storage, match);
  const store = createStore<CoachState>({ progress, stand: { kind: "wait" }, answer: null });
  let making: ReturnType<typeof setTimeout> | null = null;

  const keep = (next: Progress): void => {
    store.set({ ...store.get(), progress: next, answer: null });
    saveProgress(storage, match, next);
    look();
  };
  const look = (): void => {
    const shown = table.store.get();
    if (!shown.view || shown.queue.length > 0) return;
    const { progress, stand: before, answer } = store.get();
    const stand = standing(lesson, shown.lesson, progress);
    const same = stand.kind === before.kind && placeOf(stand) === placeOf(before);
    if (!same) store.set({ progress, stand, answer: stand.kind === "wait" ? answer : null });
    makeQuietly();
  };
  const due = () => {
    const { stand, progress } = store.get();
    const quiet = stand.kind === "step" && stand.step.quiet && !progress.free;
    return quiet && mayChoose(table.store.get()) ? stand.step.option : null;
  };
  const makeQuietly = (): void => {
    if (making !== null || due() === null) return;
    making = setTimeout(() => {
      making = null;
      const option = due();
      if (option !== null) table.choose(option);
    }, QUIET_PAUSE);
  };
  const current = (): Stand => standing(lesson, table.store.get().lesson, store.get().progress);

  table.store.subscribe(look);
  look();
  return {
    lesson,
    store,
    guard(message) {
      if (message.type !== "choose") return null;
      const stand = current();
      const { progress } = store.get();
      const answer = answerTo(stand, progress, message.option);
      store.set({ ...store.get(), answer });
      if (answer === null && stand.kind === "step" && !progress.free) {
        const next = { ...progress, read: Math.max(progress.read, stand.place + 1) };
        store.set({ ...store.get(), progress: next });
        saveProgress(storage, match, next);
      }
      return answer;
    },
    holds: () => holds(current(), store.get().progress),
    next() {
      const { stand, progress } = store.get();
      if (stand.kind === "step" && stand.step.option === "") keep({ ...progress, read: stand.place + 1 });
    },
    leave: () => keep({ ...store.get().progress, free: true }),
    comeBack: () => keep({ ...store.get().progress, free: false }),
  };
}

/** The parts of the table that show `coach`. */
export function partsOfCoach(coach: Coach): { Panel(): VNode; Links(): VNode } {
  return { Panel: () => <CoachPanel coach={coach} />, Links: () => <CoachLinks coach={coach} /> };
}

/** The second half of a double tap is not meant for what the first one brought up in its place. */
const once =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail > 1) event.preventDefault();
    else act();
  };

const placeOf = (stand: Stand): number | null => (stand.kind === "step" ? stand.place : null);

/** The panel of the coach. */
export function CoachPanel({ coach }: { coach: Coach }): VNode {
  const { lesson } = coach;
  const { progress, stand, answer } = useStore(coach.store);
  const [open, setOpen] = useState(true);
  const [last, setLast] = useState<Stand>(stand);
  useEffect(() => {
    if (stand.kind === "step" && !stand.step.quiet) setLast(stand);
  }, [stand]);
  useEffect(() => {
    if (answer !== null) setOpen(true);
  }, [answer]);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the words may have to scroll: an answer stands above those of the step, and each is read from its beginning.
    if (body.current) body.current.scrollTop = 0;
  }, [answer, placeOf(stand), open]);
  useMarks(coach);
  useNextKey(coach);
  const over = useNow().state.over;
  if (over || progress.free || stand.kind === "left" || stand.kind === "done") return <Afterwards coach={coach} />;
  const shown = stand.kind === "step" && !stand.step.quiet ? stand : last;
  const waiting = stand.kind !== "step" || stand.step.quiet;
  const step = shown.kind === "step" ? shown.step : null;
  const place = shown.kind === "step" ? counted(lesson, shown.place) : null;
  return (
    <section class={`coach ${open ? "" : "is-folded"}`} aria-label={`Lesson: ${lesson.title}`}>
      <header class="coach-head">
        <button type="button" class="coach-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <b>{lesson.title}</b> {place && <small>{`${place.number} of ${place.of}`}</small>}{" "}
          <Icon name={open ? "minus" : "plus"} size={14} label={open ? "Fold the lesson" : "Unfold the lesson"} />
        </button>
      </header>
      <div class="coach-body" hidden={!open} ref={body}>
        <p class="coach-answer" role="alert">
          {answer}
        </p>
        <p class="coach-says" aria-live="polite" aria-atomic="true">
          {step && partsOf(step.say).map(({ text, word }) => (word ? <dfn key={text}>{text}</dfn> : text))}
        </p>
      </div>
      <footer class="coach-actions">
        {!waiting && step?.option === "" ? (
          <button type="button" class="button button-primary coach-next" onClick={once(coach.next)}>
            Next <kbd>Enter</kbd>
          </button>
        ) : (
          <span class="coach-turn">{waiting ? "Watch the table …" : "Your move"}</span>
        )}
        <button type="button" class="coach-leave" onClick={() => coach.leave()}>
          Play on freely
        </button>
      </footer>
    </section>
  );
}

/** What is left of the lesson once the player plays without it. */
function Afterwards({ coach }: { coach: Coach }): VNode | null {
  const { lesson } = coach;
  const { progress, stand } = useStore(coach.store);
  const over = useNow().state.over;
  const done = stand.kind === "done" || progress.read >= lesson.steps.length;
  const last = done && !lesson.next;
  const back = !over && progress.free && stand.kind === "step";
  // On a phone its place is that of half a fleet, for as long as the match goes on.
  const [hidden, hide] = useState(false);
  if (hidden && !over) return null;
  return (
    <section class="coach is-after" aria-label={`Lesson: ${lesson.title}`}>
      {!over && (
        <button type="button" class="coach-hide" onClick={() => hide(true)}>
          <Icon name="cross" size={14} label="Hide the lesson" />
        </button>
      )}
      <p class="coach-says" role="status">
        {done ? "The lesson is done. " : "You have left the lesson. "}
        {!over && "You play on freely against the computer. "}
        {last && "It was the last one: play whole matches now, against the computer or other people."}
      </p>
      <footer class="coach-actions">
        {back && (
          <button type="button" class="button button-small" onClick={() => coach.comeBack()}>
            Back to the lesson
          </button>
        )}
        {done && lesson.next && (
          <button type="submit" form="lesson-next" class="button button-small" onClick={once(() => undefined)}>
            Next: {lesson.next.title}
          </button>
        )}
        {last && <AfterAll coach={coach} />}
        {!done && !back && (
          <button type="submit" form="lesson-again" class="button button-small" onClick={once(() => undefined)}>
            Begin again
          </button>
        )}
      </footer>
    </section>
  );
}

/** What can be played by who has done the last lesson. */
function AfterAll({ coach }: { coach: Coach }): VNode {
  return (
    <>
      <button type="submit" form="lesson-play" class="button button-small" onClick={once(() => undefined)}>
        Play the computer
      </button>
      <a class="button button-small" href={coach.lesson.others}>
        Find an opponent
      </a>
    </>
  );
}

/** What the window at the end of the match offers after a lesson. */
export function CoachLinks({ coach }: { coach: Coach }): VNode {
  const { next, others } = coach.lesson;
  return (
    <>
      <button type="submit" form="lesson-again" class="button">
        Play the lesson again
      </button>
      <button type="submit" form="lesson-play" class={`button ${next ? "" : "button-primary"}`}>
        Play the computer
      </button>
      {!next && (
        <a class="button" href={others}>
          Find an opponent
        </a>
      )}
      {next && (
        <button type="submit" form="lesson-next" class="button button-primary">
          Next lesson: {next.title}
        </button>
      )}
    </>
  );
}

const MARK = "data-coached";
/** On the table while a step is only to be read. */
const READING = "data-reading";

function marked(places: string[], view: View): HTMLElement[] {
  const root = document.querySelector(".table-app");
  return root ? found(root, places, view) : [];
}

/** Mark what the step speaks of, and bring the first of it into view. */
function useMarks(coach: Coach): void {
  const { view, state } = useNow();
  const { stand, progress } = useStore(coach.store);
  const places = stand.kind === "step" && !progress.free && !state.over ? stand.step.point : [];
  // The table draws its cards anew whenever something changes, so they are looked for each time.
  useLayoutEffect(() => {
    const now = new Set(marked(places, view));
    for (const old of document.querySelectorAll<HTMLElement>(`[${MARK}]`)) if (!now.has(old)) old.removeAttribute(MARK);
    for (const element of now) element.setAttribute(MARK, "");
  });
  const reading = stand.kind === "step" && stand.step.option === "" && !progress.free && !state.over;
  useLayoutEffect(() => {
    document.querySelector(".table-app")?.toggleAttribute(READING, reading);
  }, [reading]);
  useEffect(() => {
    // Where not everything fits, as on a phone, the first place of the step wins.
    for (const element of marked(places, view).reverse()) {
      element.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    }
  }, [placeOf(stand)]);
}

/** Where Enter has a meaning of its own. */
const OWN_ENTER = ".coach, .top, .sidebar, dialog, input, select, textarea, a, [role=button]";

/** Enter reads on, wherever the focus is on the table. */
function useNextKey(coach: Coach): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { stand, progress } = coach.store.get();
      const reading = stand.kind === "step" && stand.step.option === "" && !progress.free;
      const plain = event.key === "Enter" && !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
      const target = event.target instanceof Element ? event.target : null;
      if (!reading || !plain || target?.closest(OWN_ENTER) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      coach.next();
    };
    document.addEventListener("keydown", pressed, true);
    return () => document.removeEventListener("keydown", pressed, true);
  }, [coach]);
}
