/**
 * Entry of the table page: finds `#table`, connects, draws.
 *
 * `data-match` and `data-socket` say which table; `data-home`, `data-mine` and `data-again` where its links
 * lead, `data-delay` how many turns later than players one is shown what happens, `data-next` and `data-waiting` where the next match lies that waits for who sits here, and how many do,
 * `data-sign-in` where one signs in and comes back, and `data-visitor` is there for who is not signed in; `data-rated` for a match that counts for ratings;
 * `data-chat` is there where people write to each other;
 * `data-shuffles` are the server's commitments for the shuffles, `data-shuffles-page` is the page about them;
 * `data-ending` where it is told how the match went, `data-rating` what it did to ratings; `data-rematch` is the id of
 * the form that asks for a rematch.
 * For who is signed in, or a guest, `data-settings` has what they have set, `data-keep` where changes of that are kept,
 * and `data-token` what they are sent with. In a lesson, `#lesson` holds its steps as JSON, and the coach is loaded for it.
 */

import { render } from "preact";
import { loadCatalog } from "../cards";
import { loadGlossary } from "../cards/glossary";
import { showAppearance } from "../site/appearance";
import { storageOf } from "../storage";
import "./table.css";
import { App, type CoachParts } from "./app";
import { keepConnected } from "./connection";
import type { Coach } from "./lesson/coach";
import type { Lesson } from "./lesson/lesson";
import { ThingMenu } from "./menu";
import { startPlayback } from "./playback";
import { Prompt } from "./prompt";
import { readSettings, settingsKeeper } from "./settings";
import { mayChoose } from "./store";
import { createTable } from "./table";

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

/** Connect `mount` to its match and draw the table into it. */
export function start(mount: HTMLElement): void {
  const { socket = "", home = "/", mine = "/play/mine/", again = "/play/", rematch = "" } = mount.dataset;
  const { signIn = "/accounts/login/", ending = "", rating = "", replay = "" } = mount.dataset;
  const { shuffles: commitments = "", shufflesPage = "" } = mount.dataset;
  const { next: address, waiting = "0" } = mount.dataset;
  const links = {
    home,
    mine,
    next: address ? { address, count: Number(waiting) } : null,
    again,
    rematch: rematch || null,
    signIn,
    ending,
    rating,
    replay,
    shuffles: shufflesPage ? { commitments, page: shufflesPage } : null,
    rated: "rated" in mount.dataset,
    visitor: "visitor" in mount.dataset,
    delay: Number(mount.dataset.delay ?? "0"),
  };
  const { settings: kept = "", keep = null, token = "" } = mount.dataset;
  const storage = storageOf("localStorage");
  const keeper = settingsKeeper({ storage, address: keep, token });
  const lesson = readLesson();
  let coach: Coach | null = null;
  const table = createTable({
    send: (message) => connection.send(message),
    settings: readSettings(storage, kept),
    save: (settings) => {
      showAppearance(settings);
      void sound(settings.sound === "on");
      keeper.save(settings);
    },
    guard: (message) => coach?.guard(message) ?? null,
    holds: () => coach?.holds() ?? lesson !== null,
  });
  let silence: (() => void) | null = null;
  const sound = async (on: boolean): Promise<void> => {
    if (on && !silence) {
      const { startSounds } = await import("./sounds");
      if (table.store.get().settings.sound === "on") silence ??= startSounds(table.store);
    } else if (!on && silence) {
      silence();
      silence = null;
    }
  };
  if ("chat" in mount.dataset) {
    void import("./chat").then(({ followChat }) => followChat(table, storage, mount.dataset.match ?? ""));
  }
  showAppearance(table.store.get().settings);
  void sound(table.store.get().settings.sound === "on");
  keeper.catchUp();
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
    void import("./lesson/coach").then(({ createCoach, partsOfCoach }) => {
      coach = createCoach(table, lesson, mount.dataset.match ?? "", storage);
      draw(partsOfCoach(coach));
    });
  }

  void loadGlossary().catch(() => undefined);
  const title = document.title;
  table.store.subscribe((state) => {
    document.title = mayChoose(state) && !state.over ? `● ${title}` : title;
  });
  void loadCatalog().catch(() => setTimeout(() => location.reload(), 5_000));
  setInterval(() => table.ticked(), TICK);
  setInterval(() => connection.send({ type: "ping", seen: table.store.get().received }), PING);
  addEventListener("online", () => connection.hurry());
  addEventListener("offline", () => connection.offline());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.hurry());
}

const mount = document.getElementById("table");
if (mount) start(mount);
