/** A draft tried out: against the computer, or by computers among themselves. */

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Person } from "../protocol";
import { useBuilder } from "./context";
import { send } from "./sending";
import { Window } from "./window";

/** How well the computer plays. */
type Level = NonNullable<Person["level"]>;

/** A match against the computer, or many games that computers play. */
export function Try(): VNode {
  const builder = useBuilder();
  const { saver, links, leave } = builder;
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const [level, setLevel] = useState<Level>("normal");
  const go = async (address: string, done: string): Promise<void> => {
    setBusy(true);
    setWrong(await send(builder, address, { level }, done));
    setBusy(false);
  };
  return (
    <Window title="Try it out" class="is-wide">
      <p>
        <b>Try it:</b> a match of this draft against the computer, which takes one of the starter decks.
      </p>
      <div class="field">
        <label for="try-level">The computer plays</label>
        <select id="try-level" value={level} onChange={(event) => setLevel(event.currentTarget.value as Level)}>
          <option value="easy">Easy</option>
          <option value="normal">Normal</option>
        </select>
      </div>
      <p>
        <b>Test it:</b> the computer plays many games of this draft against each starter deck, in a minute or two, and
        tells how many it wins and what each card is worth.
      </p>
      {wrong && (
        <p class="bad" role="alert">
          {wrong}
        </p>
      )}
      <div class="window-actions">
        {saver.state.get().kind === "visitor" ? (
          <button type="submit" form={links.guest} class="button button-primary" onClick={() => leave({ kind: "try" })}>
            Go on as a guest to try it
          </button>
        ) : (
          <>
            <button
              type="button"
              class="button button-primary"
              disabled={busy}
              onClick={() => void go(links.try, "played")}
            >
              Try it
            </button>
            <button type="button" class="button" disabled={busy} onClick={() => void go(links.test, "tested")}>
              Test it
            </button>
            <a class="button button-quiet" href="/playtests/" target="_blank" rel="noopener">
              Earlier tests
            </a>
          </>
        )}
      </div>
    </Window>
  );
}
