/**
 * Entry of the pages on which something played is shown at a table: finds `#replay`, loads the positions, draws.
 *
 * `data-positions` is where the positions are, `data-home` where the emblem leads. A scenario (`data-about="words"`) says
 * in the page what it shows; of a match, `data-match`, `match-replay.tsx` brings what its players want to do with it.
 */

import { render, type VNode } from "preact";
import { loadCatalog } from "../cards";
import { loadGlossary } from "../cards/glossary";
import { persistently } from "../persistently";
import "../table/table.css";
import "./replay.css";
import { storageOf } from "../storage";
import { App } from "../table/app";
import { paceOf } from "../table/motion";
import { startPlayback } from "../table/playback";
import { readSettings, saveSettings } from "../table/settings";
import { createTable } from "../table/table";
import { About, ReplayBar, type Shows } from "./bar";
import { nothingComes, untilThere } from "./coming";
import { listenForReplayKeys } from "./keys";
import { fetched, type Recording, wholeRecording } from "./recording";
import { createReplay, type Replay } from "./replay";

/** How long positions stand, as a share of the usual time, where nothing moves. */
const QUICK = 0.5;

/** What the page says in words that the scenario shows. */
function showsOf(page: Document): Shows[] {
  return [...page.querySelectorAll("[data-shows] li")].map((line) => {
    const link = line.querySelector("a");
    const name = link?.textContent?.trim() ?? "";
    return { name, text: (line.textContent ?? "").replace(name, "").trim(), url: link?.getAttribute("href") ?? "" };
  });
}

/** What stands beside the table. */
interface Beside {
  bar: VNode;
  about: VNode;
  /** Called once the table is drawn. */
  begin?(): void;
}

/** Load what was played and show it in `mount`; the words on the page stay until it is there. */
export async function start(mount: HTMLElement): Promise<void> {
  if (mount.dataset.match === undefined) {
    const positions = mount.dataset.positions ?? "";
    const [file] = await Promise.all([untilThere(() => fetched<Recording>(positions)), untilThere(loadCatalog)]);
    const shows = showsOf(document);
    show(mount, wholeRecording(file), (replay) => {
      const about = <About replay={replay} shows={shows} />;
      return { bar: <ReplayBar replay={replay} about={about} />, about };
    });
    return;
  }
  const { openMatch } = await untilThere(() => import("./match-replay"));
  const [opened] = await Promise.all([openMatch(mount, document), untilThere(loadCatalog)]);
  show(mount, opened.recording, opened.beside);
}

/** Show `recording` at a table in `mount`, with what `beside` makes to stand beside it. */
function show(mount: HTMLElement, recording: Recording, beside: (replay: Replay) => Beside): void {
  const { home = "/" } = mount.dataset;
  const storage = storageOf("localStorage");
  const table = createTable({
    send: () => undefined,
    settings: { ...readSettings(storage), autoPass: "never" },
    save: (settings) => saveSettings(storage, { ...settings, autoPass: readSettings(storage).autoPass }),
    replay: true,
  });
  table.lineOpened();
  const replay = createReplay({ table, recording, pace: () => paceOf(table.store.get().settings.speed) || QUICK });
  const playback = startPlayback({ table, root: () => mount });
  const { bar, about, begin } = beside(replay);
  const parts = { title: recording.name, about };
  const links = {
    home,
    mine: home,
    again: home,
    next: null,
    rematch: null,
    signIn: home,
    ending: "",
    replay: "",
    visitor: false,
  };
  listenForReplayKeys(replay);
  render(<App table={table} links={links} bar={bar} skip={playback.skip} replay={parts} />, mount);
  void persistently(loadGlossary);
  begin?.();
  table.store.subscribe((state) => {
    if (state.queue.length === 0 && state.version === replay.store.get().place) replay.settled();
  });
}

const mount = document.getElementById("replay");
// Without the positions, or without the cards, the words on the page are what there is.
if (mount)
  void start(mount).catch((error: unknown) => {
    nothingComes();
    console.error(error);
  });
