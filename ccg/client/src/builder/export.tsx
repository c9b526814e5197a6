/** The deck as a text to take along: every program that reads lists of cards reads it. Loaded as it is asked for. */

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { copied } from "../clipboard";
import { useBuilder, useEdited } from "./context";
import { asText } from "./text";
import { Window } from "./window";

export function Export(): VNode {
  const { rules, published, uid } = useBuilder();
  const { content } = useEdited("content");
  const [told, tell] = useState("");
  const text = useMemo(() => asText(content, rules.standard), [content, rules]);
  const copy = async (): Promise<void> =>
    tell((await copied(text)) ? "Copied." : "That could not be copied. Mark the list and copy it.");
  return (
    <Window title="Export" class="is-wide">
      <div class="field">
        <label for="export-text">The deck as it is now</label>
        <textarea id="export-text" readOnly rows={14} value={text} />
      </div>
      <p class="small quiet">
        {published ? (
          <>
            Files for other programs, a printed list and proxies of version {published.number} are on{" "}
            <a href={`/decks/${uid}/#export`}>the page of the deck</a>.
          </>
        ) : (
          "Files for other programs, a printed list and proxies are on the page of the deck, once it is published."
        )}
      </p>
      <div class="window-actions">
        <p role="status">{told}</p>
        <a
          class="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${fileName(content.name)}.txt`}
        >
          File
        </a>
        <button type="button" class="button button-primary" onClick={() => void copy()}>
          Copy
        </button>
      </div>
    </Window>
  );
}

/** The name of the file, in letters that every system takes. */
const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "deck";
