/**
 * Entry of the builder page: finds `#builder`, reads what the server put beside it, draws.
 *
 * `data-uid` is the draft's id, `data-user` who is signed in, `data-token` what saves are sent with; the rest are
 * addresses. `#builder-start` has the draft and the published version, `#builder-rules` what legality needs.
 */

import { render } from "preact";
import { loadCatalog, setCardActions } from "../cards";
import { sayUnsent } from "../site/unsent";
import { storageOf } from "../storage";
import "./builder.css";
import { App } from "./app";
import { cardMenuOf } from "./card-menu";
import { EMPTY } from "./content";
import type { Builder, Published } from "./context";
import type { Deleted, deletedOf } from "./deleted";
import { type Discards, discardsOf, forgetWhatIsBack, withDiscarded } from "./discarded";
import { createEditor, type Notice } from "./editor";
import { goOnInPlace, withTheDeck } from "./guest";
import { begunHere, copies, forget, goingOn, heardIn, isBegun, keepHeard, lastHeard, savedOf } from "./kept-copies";
import type { Rules } from "./legality";
import { type Brought, sameContent } from "./merging";
import { remember, remembered } from "./remembered";
import { keepLeft, takeLeft } from "./resuming";
import { type Saved, type Saver, type Surroundings, startSaving } from "./saving";
import { keepSearches, showAddress } from "./search-history";
import { windowId } from "./window-id";

interface Start {
  saved: Saved;
  published: Published | null;
  withdrawn: Record<string, string>;
  /** Copies by card id; null for who has not said what they own. */
  owned: Record<string, number> | null;
  /** The cards that a ruling concerns. */
  ruled: string[];
}

function given<T>(id: string): T {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null") as T;
}

/** A fresh id of a deck, as the server makes them: 128 bits that nobody can guess. */
const newUid = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const NEW = "/decks/new/";
const NO_GUEST =
  "The server cannot be reached, so you are not a guest yet. Your deck is as you left it: press again later.";
const BACK = "Changes that only this browser had are back.";
const RESUMED = "Going on with the deck that you had begun in this browser.";
const STAY = "Leave this page open until then, as this browser keeps nothing.";
const NOTHING_KEPT = "This browser keeps nothing, so the deck would be lost with this page. Export the list first.";

async function start(mount: HTMLElement): Promise<void> {
  const { user = "", guest = "", signIn = "", builder: address = "" } = mount.dataset;
  const { saved, published, withdrawn, owned, ruled } = given<Start>("builder-start");
  const rules = given<Rules>("builder-rules");
  const asked = new URLSearchParams(location.search);
  const [local, session] = [storageOf("localStorage"), storageOf("sessionStorage")];
  const isNew = saved.revision === 0 && !published;
  // The answer to its first save may come while the page is loaded again: then neither this browser nor the address has it.
  const begun = isNew && heardIn(session, "new");
  if (begun) keepHeard(session, "new", "");
  if (begun && isLoadedAgain()) return location.replace(address.replace("UID", begun));
  const kept = copies(local, user);
  const resumed = isNew && !asked.has("begin") ? begunHere(kept) : undefined;
  const uid = resumed?.uid ?? saved.uid;
  const mine = kept.filter((copy) => copy.uid === uid);
  // What was saved as the page was on its way is not in it: this window has heard of that before, or another one has.
  const isOlder = Math.max(Number(heardIn(session, uid)), ...mine.map(({ revision }) => revision)) > saved.revision;
  const ask: typeof fetch = (input, init) => fetch(input, init);
  const there = resumed || isOlder ? ((await savedOf(uid, lastHeard(saved, mine), ask)) ?? saved) : saved;
  const known = { ...there, uid, content: { ...EMPTY, ...there.content } };
  const { content, disputed } = goingOn(known, mine);

  const [catalog, sender, deleted] = await Promise.all([
    loadCatalog(),
    windowId({ storage: session, locks: navigator.locks, random: newUid }),
    isNew && !resumed && kept.length > 0 ? deletedAmong(local, kept, saved, ask, keeping) : undefined,
  ]);
  let isKnown = !isNew || known.revision > 0;
  let path = location.pathname;
  const discards = discardsOf(
    local,
    () => (isKnown ? uid : "new"),
    user,
    () => Date.now(),
  );
  const offered = discards.offered();
  const back = offered ? withDiscarded(offered, content) : content;
  const lost = sameContent(back, content) ? null : offered;
  const editor = createEditor(content, {
    query: asked.get("q") ?? "",
    past: [...(deleted ? [deleted.content] : []), ...(lost ? [back] : [])],
    ...remembered(local),
  });
  forgetWhatIsBack(editor.store, discards);
  let token = mount.dataset.token ?? "";
  const news = "BroadcastChannel" in window ? new BroadcastChannel(`ragtag-fleet.draft.${uid}`) : null;
  const saver = startSaving(
    editor,
    {
      uid,
      sender,
      another: newUid(),
      broughtBack: mine,
      user,
      token,
      saved: known,
      onToken: (now) => {
        token = now;
      },
      onSaved: ({ revision, parent }) => {
        isKnown = true;
        keepHeard(session, uid, revision);
        if (path === NEW) keepHeard(session, "new", uid);
        news?.postMessage(revision);
        void showVersion(shared, parent);
        path = address.replace("UID", uid);
        showAddress(window, `${path}${location.search}`);
        shared.links.signIn = signInTo(signIn);
      },
    },
    aroundPage(local),
  );
  if (resumed) editor.show({ notice: noticeOfBack(RESUMED, disputed) });
  else if (!sameContent(content, known.content)) editor.show({ notice: noticeOfBack(BACK, disputed) });
  else if (lost) editor.show({ notice: noticeOfLost(lost.at, discards) });
  else if (deleted) editor.show({ notice: deleted.notice });

  const shared: Builder = {
    uid,
    editor,
    saver,
    rules,
    known: { cards: catalog.cards, withdrawn },
    cards: [...catalog.cards.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    owned,
    ruled,
    published: published && { ...published, content: { ...EMPTY, ...published.content } },
    discards,
    publishing: null,
    importing: null,
    links: {
      guest,
      signIn,
      publish: `/decks/drafts/${uid}/publish/`,
      try: `/decks/drafts/${uid}/try/`,
      test: `/decks/drafts/${uid}/test/`,
    },
    token: () => token,
    keepAsNew() {
      if (saver.keepAsNew()) location.assign(NEW);
      else editor.show({ notice: { words: NOTHING_KEPT } });
    },
    leave: (left) => keepLeft(session, uid, left),
  };
  const left = user ? takeLeft(session, uid) : null;
  if (left?.kind === "publish") shared.publishing = left.typed;
  if (left) editor.show({ dialog: { kind: left.kind }, tab: "deck" });
  const asGuest = document.getElementById(guest);
  if (asGuest instanceof HTMLFormElement) letGuestsGoOn(asGuest, user, shared);
  mount.replaceChildren();
  render(<App builder={shared} />, mount);
  setCardActions(cardMenuOf(shared));

  news?.addEventListener("message", () => void saver.refresh());
  saveWithThePage(saver);
  editor.store.subscribe((now, before) => {
    if (now.order !== before.order || now.grouping !== before.grouping) remember(local, now);
  });
  keepSearches(editor, () => path);
}

const keeping = { forget, goingOn, isBegun, lastHeard, savedOf };

/** What can be brought back of a deleted draft; it is offered another time where that cannot be told. */
const deletedAmong = (...among: Parameters<typeof deletedOf>): Promise<Deleted | undefined> =>
  import("./deleted").then((module) => module.deletedOf(...among)).catch(() => undefined);

const isLoadedAgain = (): boolean =>
  (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.type === "reload";

/** What saving needs of this page, which keeps its copies in `storage`. */
function aroundPage(storage: Storage | null): Surroundings {
  return {
    fetch: (input, init) => fetch(input, init),
    storage,
    later: (act, milliseconds) => {
      const timer = setTimeout(act, milliseconds);
      return () => clearTimeout(timer);
    },
    now: () => Date.now(),
  };
}

/** Say that kept changes are back, and which changes of another window, saved meanwhile, they stand over. */
function noticeOfBack(words: string, disputed: readonly Brought[]): Notice {
  return disputed.length === 0
    ? { words }
    : { words: `${words} Another window had changed some of it as well:`, brought: disputed };
}

/** Offer what was discarded `at` this time; who closes the notice does not want it any more. */
function noticeOfLost(at: number, discards: Discards): Notice {
  const day = new Date(at).toLocaleDateString("en", { day: "numeric", month: "long" });
  const words = `You discarded changes here on ${day}. They can be brought back.`;
  return { words, undo: true, closed: discards.forget };
}

/** Let whoever sends `form` go on as a guest; `user` was signed in as the page was made, "" if nobody was. */
function letGuestsGoOn(form: HTMLFormElement, user: string, { editor, saver, token }: Builder): void {
  form.addEventListener("submit", (event) => {
    // The one of the page is too old where somebody has signed in or out since.
    form.querySelector("[name=csrfmiddlewaretoken]")?.setAttribute("value", token());
    if (!user) return;
    // The session of somebody has ended: their deck opens for no guest, who goes on with a new one.
    if (!saver.keepAsNew("")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return editor.show({ notice: { words: NOTHING_KEPT } });
    }
    form.querySelector("[name=next]")?.setAttribute("value", NEW);
    showAddress(window, NEW);
  });
  goOnInPlace(form, {
    fetch: (input, init) => fetch(input, init),
    replace: () => void withTheDeck(saver, () => location.replace(location.href)),
    unreached: (button) => sayUnsent(saver.state.get().kept ? NO_GUEST : `${NO_GUEST} ${STAY}`, button),
  });
}

/** Save as the page is left, and ask what is new as it is come back to. */
function saveWithThePage(saver: Saver): void {
  addEventListener("online", () => void saver.flush());
  addEventListener("pagehide", () => saver.leave());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void saver.refresh();
    else saver.leave();
  });
}

/** Tell what is new from the newest version on, where another window has published or reverted meanwhile. */
async function showVersion(builder: Builder, number: number): Promise<void> {
  if (!builder.published || number === builder.published.number) return;
  try {
    const { deckFrom } = await import("./other-decks"); // which few pages need
    const content = await deckFrom(`/api/v1/decks/${builder.uid}/versions/${number}/`, new AbortController().signal);
    builder.published = { ...builder.published, number, content };
    builder.editor.show({ parent: number });
  } catch {
    // What is new is told from the version before; publishing asks the server anyway.
  }
}

/** Where one signs in, to come back to the address at which the page is now. */
function signInTo(signIn: string): string {
  const address = new URL(signIn, location.href);
  address.searchParams.set("next", location.pathname);
  return address.pathname + address.search;
}

const mount = document.getElementById("builder");
if (mount) {
  start(mount).catch((error: unknown) => {
    console.error(error); // which may be a fault of this program
    mount.querySelector(".builder-wait")?.replaceChildren("The builder could not be loaded. ", reloading());
  });
}

function reloading(): HTMLElement {
  const button = document.createElement("button");
  button.className = "button";
  button.textContent = "Try again";
  button.addEventListener("click", () => location.reload());
  return button;
}
