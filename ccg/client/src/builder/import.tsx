/** The window in which lists come in: pasted, from a file, from an address of this site, as a deck code. */

import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type CardId, Icon } from "../cards";
import { copied } from "../clipboard";
import { type Content, isEmpty, leavesBase, together } from "./content";
import { useBuilder, useEdited } from "./context";
import { isAddress, listAt } from "./other-decks";
import {
  carried,
  contentOf,
  type Line,
  NotYet,
  type Picks,
  type Reading,
  read,
  textOfFile,
  withChoices,
} from "./reading";
import { asText } from "./text";
import { Window } from "./window";

const LEAVE_OUT = "-";
const FILES = ".txt,.json,.o8d,.dek,.cod,.csv,.md,.html,text/*,application/json,application/xml";

/** What is to be read: the list itself, or the one that an address means. */
const listOf = async (text: string, signal: AbortSignal): Promise<string> =>
  isAddress(text) ? listAt(text, signal) : text;

export function Import(): VNode {
  const builder = useBuilder();
  const { editor, known } = builder;
  const { content } = useEdited("content");
  const [text, setText] = useState(builder.importing?.text ?? "");
  const [picks, setPicks] = useState<Picks>(builder.importing?.picks ?? {});
  useLayoutEffect(() => {
    builder.importing = { text, picks };
  }, [builder, text, picks]);
  const [reading, setReading] = useState<Reading | null>(null);
  // What `reading` is the reading of; the field may hold something else by now.
  const [readOf, setReadOf] = useState<readonly [text: string, picks: Picks] | null>(null);
  const [wrong, setWrong] = useState("");
  // What is wrong with a file that was not taken, whatever is told of the list that stands there.
  const [refused, setRefused] = useState("");
  const [over, setOver] = useState(false);

  const open = (file: File): void => {
    textOfFile(file).then(
      (found) => {
        setRefused("");
        setPicks({});
        setText(found);
      },
      (error: unknown) => setRefused(error instanceof Error ? error.message : String(error)),
    );
  };

  useEffect(() => {
    if (text.trim() === "") return setReading(null);
    const asking = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const askIn = (milliseconds: number): void => {
      timer = setTimeout(() => {
        listOf(text, asking.signal)
          .then((list) => read(list, picks, asking.signal))
          .then(
            (found) => {
              setReading((before) => withChoices(found, before));
              setReadOf([text, picks]);
              setWrong("");
            },
            (error: unknown) => {
              if (asking.signal.aborted) return;
              setWrong(error instanceof Error ? error.message : String(error));
              if (error instanceof NotYet) askIn(1000 * error.seconds);
            },
          );
      }, milliseconds);
    };
    askIn(250);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text, picks]);

  const shown = reading?.lines.filter(({ number }) => reading.undecided.includes(number) || picks[number]) ?? [];
  const told = reading?.lines.filter((line) => line.notes.length > 0 && !shown.includes(line)) ?? [];
  const take = (whole: boolean): void => {
    if (!reading) return;
    const list = contentOf(reading);
    const brought: Content = { ...list, format: list.format || content.format };
    editor.change(
      whole ? { ...brought, name: list.name || content.name } : together(content, brought),
      "List imported",
    );
    builder.importing = null;
    const added = leavesBase(content, list)
      ? `The list was added; the base is still ${name(content.base)}.`
      : "The list was added.";
    editor.show({ dialog: null, notice: { words: whole ? "The deck was replaced by the list." : added, undo: true } });
  };
  const name = (card: CardId): string => known.cards.get(card)?.name ?? card;
  const fresh = readOf?.[0] === text && readOf[1] === picks;
  const ready =
    fresh &&
    reading !== null &&
    reading.undecided.length === 0 &&
    reading.deck.bases.length < 2 &&
    !isEmpty({ ...contentOf(reading), name: "" });
  return (
    <Window title="Import a list" class="is-wide">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped here can be chosen by the button as well */}
      <div
        class={`field import-drop ${over ? "is-over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          setOver(false);
          if (!file) return;
          event.preventDefault();
          open(file);
        }}
      >
        <label for="import-text">
          A list in almost any form, a deck code, or the address of a deck of this site; a file can be dropped here
        </label>
        <textarea
          id="import-text"
          class="list"
          rows={10}
          spellcheck={false}
          value={text}
          placeholder={"Base: Galactica (BSG1) 7\n4 Raptor 227 (BSG1) 164\n3x Apollo, Ace Pilot"}
          onInput={({ currentTarget: { value } }) => {
            if (reading) setPicks(carried(picks, reading, value));
            setRefused("");
            setText(value);
          }}
        />
        <label class="button import-file">
          Choose a file
          <input
            type="file"
            class="visually-hidden"
            accept={FILES}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (file) open(file);
            }}
          />
        </label>
      </div>
      {(refused || wrong) && (
        <p class="bad small" role="alert">
          {refused || wrong}
        </p>
      )}
      {reading && (
        <div aria-live="polite">
          <p class="small quiet">
            {reading.lines.filter(({ kind }) => kind === "matched").length} lines read
            {reading.undecided.length > 0 && <b class="bad">, {reading.undecided.length} to decide</b>}. Nothing is
            changed yet.
          </p>
          {reading.deck.bases.length > 1 && (
            <p class="small bad">There are {reading.deck.bases.length} bases: keep one.</p>
          )}
          {reading.deck.bases.length === 1 && leavesBase(content, contentOf(reading)) && (
            <p class="small">
              The deck has the base {name(content.base)}, and keeps it if the list is added; to take{" "}
              {name(contentOf(reading).base)}, replace the deck.
            </p>
          )}
          <ul class="import-lines">
            {shown.map((line) => (
              <li key={line.number}>
                <label>
                  <span class="faint">line {line.number}</span> <code>{line.text.slice(0, 120)}</code>
                  <select
                    value={picks[line.number] ?? ""}
                    onChange={(event) => setPicks({ ...picks, [line.number]: event.currentTarget.value })}
                  >
                    <option value="">{asks(line)}</option>
                    {line.cards.map((id) => (
                      <option key={id} value={id}>
                        {name(id)} ({id})
                      </option>
                    ))}
                    <option value={LEAVE_OUT}>Leave this line out</option>
                  </select>
                </label>
                <Notes of={line} />
              </li>
            ))}
          </ul>
          {told.length > 0 && (
            <details>
              <summary class="small">
                {told.length === 1 ? "1 other line is" : `${told.length} other lines are`} read with a note
              </summary>
              <ul class="import-lines">
                {told.map((line) => (
                  <li key={line.number}>
                    <span class="faint">line {line.number}</span> <code>{line.text.slice(0, 120)}</code>
                    <Notes of={line} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
      <div class="window-actions">
        <CopyText />
        <button type="button" class="button" disabled={!ready} onClick={() => take(false)}>
          Add to the deck
        </button>
        <button type="button" class="button button-primary" disabled={!ready} onClick={() => take(true)}>
          Replace the deck
        </button>
      </div>
    </Window>
  );
}

/** What a line waits for: one of the cards that it may mean, or another text. */
function asks({ cards, kind }: Line): string {
  if (kind === "invalid") return "Write it in another way";
  return cards.length > 0 ? "Choose…" : "No card is like this";
}

/** What was ignored in a line, taken for something, or is wrong. */
function Notes({ of: { notes } }: { of: Line }): VNode {
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="small quiet">
          {note}
        </p>
      ))}
    </>
  );
}

const COPY = "Copy this deck as text";
const COPIED = "Copied";
const NOT_COPIED = "That could not be copied: take it from Export";

/** Copy what the list would replace. */
function CopyText(): VNode {
  const { rules } = useBuilder();
  const { content } = useEdited("content");
  const [told, tell] = useState(COPY);
  return (
    <button
      type="button"
      class="button button-quiet"
      onClick={() => copied(asText(content, rules.standard)).then((done) => tell(done ? COPIED : NOT_COPIED))}
    >
      <Icon name={told === COPIED ? "check" : "copy"} size={15} /> <span role="status">{told}</span>
    </button>
  );
}
