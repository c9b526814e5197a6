/** The whole builder: cards left, deck right; on a phone two tabs and a bar that is always there. */

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cardFacts, Icon, plainText } from "../cards";
import { isSwitchedOff } from "../site/appearance";
import { keepFocus } from "../windows/kept-focus";
import { changeWords } from "./changes";
import { type Builder, BuilderContext, useBuilder, useEdited, useSaved } from "./context";
import { DeckSide } from "./deck";
import { Dialogs } from "./dialogs";
import type { Dialog } from "./editor";
import { check, deckSize } from "./legality";
import { CardList } from "./list";
import { verdict } from "./problems";
import { saveWords } from "./save-note";

export function App({ builder }: { builder: Builder }): VNode {
  return (
    <BuilderContext.Provider value={builder}>
      <Whole />
    </BuilderContext.Provider>
  );
}

function Whole(): VNode {
  const builder = useBuilder();
  const { tab } = useEdited("tab");
  const searchBox = useRef<HTMLInputElement>(null);
  // Keys work as soon as the cards are seen.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (globalKey(builder, event, searchBox.current)) event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [builder]);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => (root.current ? keepFocus(root.current, ".builder-deck") : undefined), []);
  return (
    <div class={`builder-app shows-${tab}`} ref={root}>
      <h1 class="visually-hidden">Deck builder</h1>
      <CardList searchBox={searchBox} />
      <DeckSide />
      <Toast />
      <PhoneBar />
      <Heard />
      <Dialogs />
    </div>
  );
}

const WINDOWS: Record<string, Dialog> = {
  "?": { kind: "keys" },
  h: { kind: "hand" },
  t: { kind: "try" },
  i: { kind: "import" },
  x: { kind: "export" },
  p: { kind: "publish" },
  l: { kind: "problems" },
  v: { kind: "compare" },
};

/** Do what a key means anywhere in the builder; whether it meant anything. */
function globalKey({ editor }: Builder, event: KeyboardEvent, searchBox: HTMLInputElement | null): boolean {
  if (event.defaultPrevented || event.altKey || isSwitchedOff(event)) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, dialog")) return false;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z") (event.shiftKey ? editor.redo : editor.undo)();
    else if (key === "y") editor.redo();
    else return false;
    return true;
  }
  const opened = WINDOWS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const reasons = editor.store.get().dialog?.kind === "problems"; // they stand in the page, and not in a window
  if (event.key === "Escape") {
    if (reasons) editor.show({ dialog: null });
    return reasons;
  }
  if (event.key === "/" || event.key === "c") {
    editor.show({ tab: "cards" });
    searchBox?.focus();
    searchBox?.select();
  } else if (event.key === "d") {
    editor.show({ tab: "deck" });
    requestAnimationFrame(() => {
      const first = document.querySelector<HTMLElement>(".builder-deck [data-row]");
      (first ?? document.querySelector<HTMLElement>(".deck-name"))?.focus();
    });
  } else if (opened) {
    editor.show({ dialog: editor.store.get().dialog?.kind === opened.kind ? null : opened });
    if (opened.kind === "problems") document.querySelector<HTMLElement>(".legality")?.focus();
  } else return false;
  return true;
}

/** What happened, where it is seen; what merging brought is listed. */
function Toast(): VNode | null {
  const { editor } = useBuilder();
  const { notice } = useEdited("notice");
  if (!notice) return null;
  const close = (act = (): void => editor.show({ notice: null })): void => {
    act();
    notice.closed?.();
  };
  return (
    <div class="toast panel panel-raised" role="status">
      <p>{notice.words}</p>
      {notice.brought && (
        <ul class="changes">
          {notice.brought.slice(0, 8).map((one) => (
            <li key={`${one.part} ${one.card}`}>{changeWords(one, cardFacts)}</li>
          ))}
          {notice.brought.length > 8 && <li>and {notice.brought.length - 8} more</li>}
        </ul>
      )}
      <div class="window-actions">
        {notice.undo && (
          <button type="button" class="button button-small" onClick={() => close(editor.undo)}>
            Undo
          </button>
        )}
        <button type="button" class="button button-small" onClick={() => close()}>
          Good
        </button>
      </div>
    </div>
  );
}

function PhoneBar(): VNode {
  const builder = useBuilder();
  const { content, tab } = useEdited("content", "tab");
  const saved = useSaved();
  const problems = useMemo(() => check(content, builder.rules, builder.known), [content, builder]);
  const size = deckSize(content.counts, builder.known.cards);
  const choose = (chosen: "cards" | "deck"): void => {
    builder.editor.show({ tab: chosen });
    window.scrollTo(0, 0);
  };
  // What is touched is drawn with the next frame, as the deck may not be shown yet.
  const toReasons = (): void => {
    builder.editor.show({ tab: "deck" });
    requestAnimationFrame(() => document.querySelector(".legality")?.scrollIntoView({ block: "center" }));
  };
  return (
    <nav class="phone-bar" aria-label="Parts of the builder">
      <button type="button" aria-pressed={tab === "cards"} onClick={() => choose("cards")}>
        <Icon name="search" size={18} /> Cards
      </button>
      <button type="button" aria-pressed={tab === "deck"} onClick={() => choose("deck")}>
        <Icon name="deck" size={18} /> Deck <b>{size}</b>
      </button>
      <button type="button" class="phone-state" onClick={toReasons}>
        <span class={problems.length > 0 ? "bad" : "good"}>{verdict(problems)}</span>
        <span class="small quiet">{saveWords(saved)}</span>
      </button>
    </nav>
  );
}

const PAUSE = 600;

/** Tells those who listen what was done, and then how large and how legal the deck is. */
function Heard(): VNode {
  const { known, rules } = useBuilder();
  const { content, heard } = useEdited("content", "heard");
  const [summary, setSummary] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => {
      const problems = check(content, rules, known);
      const first = problems[0] ? `. ${plainText(problems[0].text)}` : "";
      setSummary(`${deckSize(content.counts, known.cards)} cards, ${verdict(problems)}${first}`);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [content, known, rules]);
  return (
    <div class="visually-hidden">
      <p aria-live="polite">{heard}</p>
      <p aria-live="polite" id="deck-summary">
        {summary}
      </p>
    </div>
  );
}
