/** What keys mean on the row of a card, in the list and in the deck. */

import type { CardFacts } from "../cards";
import { copiesOf } from "./content";
import { addCopies } from "./copies";
import type { Editor } from "./editor";
import type { Edition } from "./legality";

/** Do what the key means for `card`; whether it meant anything. */
export function keyOnCard(event: KeyboardEvent, card: CardFacts, editor: Editor, edition: Edition): boolean {
  const digit = /^(?:Digit|Numpad)([0-4])$/.exec(event.code)?.[1] ?? /^[0-4]$/.exec(event.key)?.[0];
  if (digit !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
    editor.set(card, Number(digit), event.shiftKey ? "considering" : "counts");
    return true;
  }
  const withControl = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case "Enter":
      if (event.target instanceof Element && event.target.closest("button, a")) return false;
      addCopies(editor, card, 1, edition, withControl ? "considering" : "counts");
      return true;
    case "ArrowRight":
    case "+":
      addCopies(editor, card, 1, edition, event.shiftKey && event.key !== "+" ? "considering" : "counts");
      return true;
    case "ArrowLeft":
    case "-": {
      const pile = event.shiftKey ? "considering" : "counts";
      if (copiesOf(editor.store.get().content, card, pile) > 0) addCopies(editor, card, -1, edition, pile);
      return true;
    }
    case "Delete":
    case "Backspace":
      editor.set(card, 0);
      return true;
    default:
      return false;
  }
}
