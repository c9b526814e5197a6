/**
 * Entry of the table page: finds `#table`, connects, draws.
 *
 * `data-match` and `data-socket` say which table; `data-home`, `data-mine` and `data-again` where its links
 * lead, and `data-rematch` is the id of the form that asks for a rematch.
 */

import { render } from "preact";
import { loadCatalog, startPreviews } from "../cards";
import "./table.css";
import { App } from "./app";
import { keepConnected } from "./connection";
import { startPlayback } from "./playback";
import { readSettings, saveSettings } from "./settings";
import { mayChoose } from "./store";
import { createTable } from "./table";

const TICK = 1_000;
/** The server wants to hear at least every 20 seconds how far this page has come. */
const PING = 10_000;

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function socketAddress(path: string): string {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

/** Connect `mount` to its match and draw the table into it. */
export function start(mount: HTMLElement): void {
  const { socket = "", home = "/", mine = "/play/mine/", again = "/play/", rematch = "" } = mount.dataset;
  const table = createTable({
    send: (message) => connection.send(message),
    settings: readSettings(storage()),
    save: (settings) => saveSettings(storage(), settings),
  });
  const connection = keepConnected(socketAddress(socket), {
    opened: () => table.lineOpened(),
    lost: (retryIn) => table.lineLost(retryIn),
    tried: () => table.lineTried(),
    ended: (why) => table.lineEnded(why),
    received: (message) => table.received(message),
  });
  const playback = startPlayback({ table, root: () => mount });
  render(<App table={table} links={{ home, mine, again, rematch: rematch || null }} skip={playback.skip} />, mount);

  startPreviews(); // At once: the first finger that is held on a card is meant, too.
  const title = document.title;
  table.store.subscribe((state) => {
    document.title = mayChoose(state) && !state.over ? `● ${title}` : title;
  });
  void loadCatalog().catch(() => setTimeout(() => location.reload(), 5_000));
  setInterval(() => table.ticked(), TICK);
  setInterval(() => connection.send({ type: "ping", seen: table.store.get().received }), PING);
  addEventListener("online", () => connection.hurry());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.hurry());
}

const mount = document.getElementById("table");
if (mount) start(mount);
