/** The notes beside a replay, loaded where there can be some: whoever only looks on has none. */

import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { Marked } from "../cards";
import { useStore } from "../store";
import { createNotes, type Notes, type NotesData, type NotesPage, unkept } from "./notes";
import type { Replay } from "./replay";

/** The notes of this page, which asks before it is left where what is written would be lost. */
export function notesOf(data: NotesData, page: NotesPage, signIn: string): (replay: Replay) => VNode {
  const notes = createNotes(data, page);
  addEventListener("beforeunload", (event) => {
    if (notes.wouldBeLost()) event.preventDefault();
  });
  return (replay) => <NotesPart notes={notes} replay={replay} signIn={signIn} />;
}

export function NotesPart({ notes, replay, signIn }: { notes: Notes; replay: Replay; signIn: string }): VNode {
  const state = useStore(notes.store);
  const { lines, typed, failed, mine, sending, wrong, link, signedOut } = state;
  const { place } = useStore(replay.store);
  const here = lines.find((line) => line.move === place)?.text ?? "";
  const text = typed[place] ?? here;
  const open = unkept(state);
  const [wasOpen] = useState(lines.length + open.length > 0);
  const field = useId();
  // Nothing brings the link back.
  const [sure, makeSure] = useState(false);
  const share = (event: MouseEvent): void => {
    if (event.detail > 1) return; // the second half of a double tap
    makeSure(link !== null && !sure);
    if (link === null || sure) void notes.share(link === null);
  };
  const moves = [...new Set([...lines.map(({ move }) => move), ...open])].sort((one, other) => one - other);
  const isOpen = open.includes(place);
  const told = failed[place] || wrong || (sending ? "Sending …" : isOpen ? "Not kept yet." : "");
  return (
    <details open={wasOpen}>
      <summary>{mine ? "Your notes" : `Notes by ${notes.writer}`}</summary>
      <ul class="replay-notes">
        {moves.map((move) => (
          <li key={move}>
            <button type="button" class="button button-small" onClick={() => replay.go(move)}>
              Move {move}
            </button>{" "}
            <Marked text={lines.find((line) => line.move === move)?.text ?? ""} links={false} />
            {open.includes(move) && move !== place && <Unkept text={typed[move] ?? ""} why={failed[move] ?? ""} />}
          </li>
        ))}
      </ul>
      {mine && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void notes.keep(place, text);
          }}
        >
          <label for={field}>Note on move {place}</label>
          <textarea
            id={field}
            rows={2}
            maxLength={notes.longest}
            value={text}
            onInput={(event) => notes.type(place, event.currentTarget.value)}
          />
          <div class="replay-row">
            <button type="submit" class="button button-small" disabled={!isOpen}>
              Keep the note
            </button>
            <button
              type="button"
              class="button button-small"
              aria-pressed={link !== null}
              disabled={lines.length === 0}
              onClick={share}
            >
              {link === null ? "Share by a link" : sure ? "Stop it for good" : "Stop sharing"}
            </button>
          </div>
          {link && sure && <p class="replay-why">The link opens your notes no more then, and cannot be had again.</p>}
          {link && <input class="replay-link" readOnly value={link} aria-label="Link to your notes" />}
        </form>
      )}
      <p class="replay-wrong" role="status">
        {told} {signedOut && <a href={signIn}>Sign in</a>}
      </p>
    </details>
  );
}

/** What is written on another move than the one that is looked at, and not kept. */
function Unkept({ text, why }: { text: string; why: string }): VNode {
  return (
    <p class="replay-wrong">
      {why ? "Could not be kept" : "Not kept yet"}: {text || "without a note"}
    </p>
  );
}
