/** The replay of a match: its recordings, what stands beside the table, and the address that follows it. */

import type { VNode } from "preact";
import { storageOf } from "../storage";
import { ReplayBar } from "./bar";
import { untilThere } from "./coming";
import { loadReplay, recordingOf, type Sees } from "./file";
import { emptyMatch, MatchPanel, type MatchParts, Turns } from "./match";
import type { NotesData } from "./notes";
import { readPlace, writePlace } from "./place";
import type { Recording } from "./recording";
import type { Replay } from "./replay";

export interface Opened {
  recording: Recording;
  beside(replay: Replay): { bar: VNode; about: VNode; begin(): void };
}

/** Load the match that `mount` names, as the address says; rejects where it cannot be shown. */
export async function openMatch(mount: HTMLElement, page: Document): Promise<Opened> {
  const { positions = "", ending = "", report = "", playOn = "" } = mount.dataset;
  const mayShowAll = "all" in mount.dataset;
  const first = readPlace(location.hash);
  const state = emptyMatch(first.all && mayShowAll);
  const sees = (all: boolean): Sees | null => (all ? "all" : null);
  const told = page.getElementById("notes")?.textContent;
  const [file, notes] = await Promise.all([
    untilThere(() => loadReplay(positions, sees(state.get().all))),
    told ? notesOf(JSON.parse(told) as NotesData, mount.dataset) : null,
  ]);

  const beside = (replay: Replay) => {
    let asked = { all: state.get().all };
    const showAll = async (all: boolean): Promise<void> => {
      const own = { all };
      asked = own;
      state.set({ ...state.get(), busy: true, wrong: "" });
      const recording = await loadReplay(positions, sees(all))
        .then(recordingOf)
        .catch(() => null);
      if (own !== asked) return; // Something else was asked for meanwhile.
      if (recording) {
        replay.swap(recording);
        state.set({ all, busy: false, wrong: "" });
      } else {
        asked = { all: state.get().all };
        state.set({ ...state.get(), busy: false, wrong: "That could not be loaded. Please try again." });
      }
      follow();
    };
    const follow = (): void => {
      const { place } = replay.store.get();
      history.replaceState(null, "", writePlace({ move: place, all: state.get().all }));
      for (const field of page.querySelectorAll<HTMLInputElement>("input[data-move]")) field.value = String(place);
    };
    const links = { ending, download: positions, report, playOn: playOn || null };
    const parts: MatchParts = {
      replay,
      state,
      mayShowAll,
      showAll: (all) => void showAll(all),
      notes: notes?.(replay) ?? null,
      links,
    };
    const about = <MatchPanel parts={parts} />;
    const jump = <Turns replay={replay} />;
    return {
      bar: <ReplayBar replay={replay} about={about} more="More" jump={jump} />,
      about,
      begin: () => {
        replay.go(first.move);
        replay.store.subscribe(follow);
        addEventListener("hashchange", () => {
          const { move, all } = readPlace(location.hash);
          replay.go(move);
          if (all !== asked.all && mayShowAll) void showAll(all);
        });
        follow();
      },
    };
  };
  return { recording: recordingOf(file), beside };
}

/** Loaded where there can be notes: whoever only looks on has none. */
async function notesOf(data: NotesData, page: DOMStringMap): Promise<(replay: Replay) => VNode> {
  const { match = "", user = "", token = "", who = "", signIn = "" } = page;
  const { notesOf } = await untilThere(() => import("./notes-part"));
  return notesOf(data, { match, user, token, who, storage: storageOf("localStorage") }, signIn);
}
