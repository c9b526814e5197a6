/**
 * A card opened by a finger: its words, why it is as it is, and what can be done with it now.
 *
 * Nothing happens on the tap that opens it. It stays open while the table moves on and follows what can be done.
 */

import type { VNode } from "preact";
import { cardFacts, FullCard, Marked } from "../cards";
import { findPiece, powerShown } from "./board";
import { PieceNotes } from "./looked";
import { optionsFor } from "./options";
import { mayChoose, type Read } from "./store";
import { OptionText, useNow } from "./tiles";
import type { OptionView } from "./types";
import { Why } from "./why-notes";
import { Window } from "./window";

/** The card that was tapped. A second tap, on one of the buttons, does what the button says. */
export function ReadCard({ read }: { read: Read }): VNode {
  const { view, state, table } = useNow();
  const { text, threat_text } = cardFacts(read.card);
  const piece = findPiece(view, read.piece);
  const options = useOptions(read);
  const choose = (event: MouseEvent, option: OptionView): void => {
    if (event.detail > 1) return; // The second half of a double tap on the card was not meant for what opened under it.
    table.closeDialog();
    table.choose(option.key);
  };
  return (
    <Window title={cardFacts(read.card).name} class="window-read" closesOutside>
      <div class="read-card">
        <FullCard card={read.card} power={powerShown(piece, read.card)} />
      </div>
      <div class="read-text">
        {[...text, threat_text].filter(Boolean).map((words) => (
          <p key={words}>
            <Marked text={words ?? ""} />
          </p>
        ))}
      </div>
      <Why state={state} view={view} card={read.piece === null ? read.card : null} piece={piece} />
      {piece && <PieceNotes piece={piece} />}
      <div class="window-actions read-actions">
        {options.map((option) => (
          <button
            type="button"
            class={`button ${options.length === 1 ? "button-primary" : ""}`}
            key={option.key}
            data-option={option.key}
            onClick={(event) => choose(event, option)}
          >
            <span>
              <OptionText option={option} />
            </span>
          </button>
        ))}
        <button type="button" class="button" onClick={() => table.closeDialog()}>
          Close
        </button>
      </div>
    </Window>
  );
}

/** What can be done with the card now. */
function useOptions({ thing, option }: Read): OptionView[] {
  const { view, state } = useNow();
  if (!mayChoose(state)) return [];
  if (option !== null) return view.decision?.options.filter((one) => one.key === option) ?? [];
  return thing === null ? [] : optionsFor(view, state.picked, thing);
}
