/**
 * Entry of the table page: finds `#table`, connects, draws.
 *
 * The page says in data attributes what there is:
 *
 * - `data-match` and `data-socket`: which table it is.
 * - Where its links lead, and what they depend on: see {@link linksOf} and `Links`.
 * - `data-chat` is there where people write to each other; `data-invitation` leads to a free seat (`manners.tsx`).
 * - For who is signed in, or a guest: `data-settings` is what they have set, `data-keep` where changes of that are kept,
 *   `data-revision` the mark of what is kept there, `data-token` what they are sent with, `data-user` whose they are, by id.
 *
 * In a lesson, `#lesson` holds its steps as JSON, and the coach is loaded for it.
 */

import { render } from "preact";
import { loadCatalog } from "../cards";
import { NoSuchCatalog } from "../cards/catalog";
import { loadGlossary } from "../cards/glossary";
import { persistently } from "../persistently";
import { showAppearance } from "../site/appearance";
import { storageOf } from "../storage";
import "./table.css";
import { App, type CoachParts } from "./app";
import { keepConnected } from "./connection";
import type { Links } from "./dialogs";
import type { Coach } from "./lesson/coach";
import type { Lesson } from "./lesson/lesson";
import { ThingMenu } from "./menu";
import { startPlayback } from "./playback";
import { Prompt } from "./prompt";
import { readSettings, saveSettings, unsentSettings } from "./settings";
import type { Settings } from "./settings-data";
import type { Keeper } from "./settings-keeper";
import { mayChoose } from "./store";
import { createTable, type Table } from "./table";

const TICK = 1_000;
/** The server wants to hear at least every 20 seconds how far this page has come. */
const PING = 10_000;

function socketAddress(path: string): string {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

/** The lesson that the page was made with, if the match is one. */
function readLesson(): Lesson | null {
  const told = document.getElementById("lesson")?.textContent;
  return told ? (JSON.parse(told) as Lesson) : null;
}

/** Where the table leads, as its page says; the addresses of the front pages stand in for what it does not say. */
function linksOf(data: DOMStringMap): Links {
  const { home = "/", mine = "/play/mine/", again = "/play/", signIn = "/accounts/login/" } = data;
  const { rematch = "", ending = "", rating = "", replay = "", delay = "0" } = data;
  const { next: address, waiting = "0", shuffles: commitments = "", shufflesPage: page } = data;
  return {
    home,
    mine,
    next: address ? { address, count: Number(waiting) } : null,
    again,
    rematch: rematch || null,
    signIn,
    ending,
    rating,
    replay,
    shuffles: page ? { commitments, page } : null,
    rated: "rated" in data,
    visitor: "visitor" in data,
    delay: Number(delay),
  };
}

/** Return what switches the sounds of `store` on or off; they are loaded when they are first wanted. */
function soundsOf(store: Table["store"]): (on: boolean) => Promise<void> {
  let silence: (() => void) | null = null;
  return async (on) => {
    if (on && !silence) {
      const { startSounds } = await persistently(() => import("./sounds"));
      if (store.get().settings.sound === "on") silence ??= startSounds(store);
    } else if (!on && silence) {
      silence();
      silence = null;
    }
  };
}

/** Connect `mount` to its match and draw the table into it. */
export function start(mount: HTMLElement): void {
  const { match = "", socket = "" } = mount.dataset;
  const links = linksOf(mount.dataset);
  const { settings: kept = "", keep = null, token = "", user = "" } = mount.dataset;
  const storage = storageOf("localStorage");
  let keeper: Promise<Keeper> | null = null;
  const keepElsewhere = (settings: Settings | null): void => {
    if (!settings || !keep) return;
    keeper ??= persistently(() => import("./settings-keeper")).then(({ settingsKeeper }) =>
      settingsKeeper({ storage, address: keep, token, user }),
    );
    void keeper.then((one) => one.save(settings));
  };
  const catchUp = (): void => keepElsewhere(unsentSettings(storage, user));
  const lesson = readLesson();
  let coach: Coach | null = null;
  const table = createTable({
    send: (message) => connection.send(message),
    settings: readSettings(storage, kept, user),
    save: (settings) => {
      showAppearance(settings);
      void sound(settings.sound === "on");
      saveSettings(storage, settings, user);
      keepElsewhere(settings);
    },
    guard: (message) => coach?.guard(message) ?? null,
    holds: () => coach?.holds() ?? lesson !== null,
  });
  const sound = soundsOf(table.store);
  if ("chat" in mount.dataset) {
    void persistently(() => import("./chat")).then(({ followChat }) => followChat(table, storage, match));
  }
  showAppearance(table.store.get().settings);
  void sound(table.store.get().settings.sound === "on");
  catchUp();
  const connection = keepConnected(socketAddress(socket), {
    opened: () => table.lineOpened(),
    lost: (retryIn) => table.lineLost(retryIn),
    tried: () => table.lineTried(),
    ended: (why) => table.lineEnded(why),
    received: (message) => table.received(message),
  });
  const playback = startPlayback({ table, root: () => mount });
  const draw = (parts: CoachParts | null) =>
    render(
      <App
        table={table}
        links={links}
        bar={<Prompt links={links} />}
        menu={<ThingMenu />}
        coach={parts}
        skip={playback.skip}
      />,
      mount,
    );
  draw(null);
  if (lesson) {
    void persistently(() => import("./lesson/coach")).then(({ createCoach, partsOfCoach }) => {
      coach = createCoach(table, lesson, match, storage);
      draw(partsOfCoach(coach));
    });
  }

  void persistently(loadGlossary);
  const title = document.title;
  table.store.subscribe((state) => {
    document.title = mayChoose(state) && !state.over ? `● ${title}` : title;
  });
  // Without a line, a page that loads itself anew is gone: it does so only where the server has no such cards any more.
  const tooOld = (error: unknown): boolean => error instanceof NoSuchCatalog;
  void persistently(loadCatalog, tooOld).catch(() => setTimeout(() => location.reload(), 5_000));
  setInterval(() => table.ticked(), TICK);
  setInterval(() => connection.send({ type: "ping", seen: table.store.get().received }), PING);
  addEventListener("online", () => {
    connection.hurry();
    catchUp();
  });
  addEventListener("offline", () => connection.offline());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.hurry());
}

const mount = document.getElementById("table");
if (mount) start(mount);
