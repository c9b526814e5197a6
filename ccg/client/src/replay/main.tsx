/**
 * Entry of the page on which something played is shown at a table: finds `#replay`, loads the positions, draws.
 *
 * `data-positions` is where the positions are, `data-home` where the emblem leads. What the scenario shows is read from
 * the page, which tells everything in words for those without this program.
 */

import { render } from "preact";
import { loadCatalog, startPreviews } from "../cards";
import { loadGlossary } from "../cards/glossary";
import "../table/table.css";
import "./replay.css";
import { App } from "../table/app";
import { startPlayback } from "../table/playback";
import { readSettings, saveSettings } from "../table/settings";
import { createTable } from "../table/table";
import { About, ReplayBar, type Shows } from "./bar";
import { listenForReplayKeys } from "./keys";
import { loadRecording } from "./recording";
import { createReplay } from "./replay";

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** What the page says in words that the scenario shows. */
function showsOf(page: Document): Shows[] {
  return [...page.querySelectorAll("[data-shows] li")].map((line) => {
    const link = line.querySelector("a");
    const name = link?.textContent?.trim() ?? "";
    return { name, text: (line.textContent ?? "").replace(name, "").trim(), url: link?.getAttribute("href") ?? "" };
  });
}

/** Load what was played and show it in `mount`; the words on the page stay until it is there. */
export async function start(mount: HTMLElement): Promise<void> {
  const { positions = "", home = "/" } = mount.dataset;
  const [recording] = await Promise.all([loadRecording(positions), loadCatalog()]);
  const table = createTable({
    send: () => undefined,
    settings: { ...readSettings(storage()), autoPass: "never" },
    save: (settings) => saveSettings(storage(), { ...settings, autoPass: readSettings(storage()).autoPass }),
    replay: true,
  });
  table.lineOpened();
  const replay = createReplay({ table, recording });
  const playback = startPlayback({ table, root: () => mount });
  const shows = showsOf(document);
  const parts = {
    title: recording.name,
    bar: <ReplayBar replay={replay} shows={shows} />,
    about: <About replay={replay} shows={shows} />,
  };
  const links = { home, mine: home, again: home, rematch: null, signIn: home, ending: "", visitor: false };
  listenForReplayKeys(replay);
  render(<App table={table} links={links} skip={playback.skip} replay={parts} />, mount);
  void loadGlossary().catch(() => undefined);
  startPreviews();
  table.store.subscribe((state) => {
    if (state.queue.length === 0 && state.version === replay.store.get().place) replay.settled();
  });
}

const mount = document.getElementById("replay");
// Without the positions, or without the cards, the words on the page are what there is.
if (mount) void start(mount).catch((error: unknown) => console.error(error));
