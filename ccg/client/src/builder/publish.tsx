/** Publishing: the name, a note and who sees it, with what has changed since the version before. */

import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { cardFacts, Icon } from "../cards";
import { changeWords } from "./changes";
import { published as asPublished, EMPTY } from "./content";
import { useBuilder, useEdited } from "./context";
import { check } from "./legality";
import { differences } from "./merging";
import { verdict } from "./problems";
import { send } from "./sending";
import { Window } from "./window";

const VISIBILITIES = [
  ["private", "Private: only you"],
  ["unlisted", "Unlisted: everybody who has the link"],
  ["public", "Public: everybody, and in the lists"],
] as const;

export function Publish(): VNode {
  const builder = useBuilder();
  const { editor, saver, published, publishing: typed, links, rules, known, leave } = builder;
  const { content } = useEdited("content", "parent");
  const [note, setNote] = useState(typed?.note ?? "");
  const shown = published?.visibility ?? "private";
  // Who publishes for the first time wants others to see it, whom they send the link; the lists are a step further.
  const [visibility, setVisibility] = useState(typed?.visibility ?? published?.visibility ?? "unlisted");
  const labels = published?.labels.join(", ") ?? "";
  const [tags, setTags] = useState(typed?.tags ?? labels);
  useLayoutEffect(() => {
    builder.publishing = { note, tags, visibility };
  }, [builder, note, tags, visibility]);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const problems = useMemo(() => check(content, rules, known), [content, rules, known]);
  const changed = useMemo(
    () => differences(asPublished(published?.content ?? EMPTY, rules.standard), asPublished(content, rules.standard)),
    [published, content, rules],
  );
  const visitor = saver.state.get().kind === "visitor";

  const publish = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    const problem = await send(
      builder,
      links.publish,
      { note, ...(visibility === shown ? {} : { visibility }), ...(tags === labels ? {} : { tags }) },
      "published",
    );
    setBusy(false);
    if (problem) setWrong(problem);
  };
  return (
    <Window title={published ? `Publish version ${published.number + 1}` : "Publish the deck"} class="is-wide">
      <form class="stack" onSubmit={(event) => void publish(event)}>
        <div class="field">
          <label for="publish-name">Name</label>
          <input
            id="publish-name"
            value={content.name}
            maxLength={80}
            placeholder="Unnamed deck"
            onInput={(event) => editor.amend({ ...editor.store.get().content, name: event.currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for="publish-note">{published ? "What is new (optional)" : "A note on this version (optional)"}</label>
          <input
            id="publish-note"
            value={note}
            maxLength={200}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="publish-tags">Tags (optional), with commas between them</label>
          <input
            id="publish-tags"
            value={tags}
            maxLength={200}
            placeholder="rush, scouts"
            onInput={(event) => setTags(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="publish-visibility">Who sees it</label>
          <select
            id="publish-visibility"
            value={visibility}
            onChange={(event) => setVisibility(event.currentTarget.value)}
          >
            {VISIBILITIES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <p class={problems.length > 0 ? "bad" : "good"}>
          <Icon name={problems.length > 0 ? "warn" : "check"} size={16} /> {verdict(problems)}
          {problems.length > 0 && (
            <span class="quiet">. It can be published and mended later; only legal decks go to a table.</span>
          )}
        </p>
        <details open={published !== null}>
          <summary>
            {published ? `Changed since version ${published.number}` : "What is in it"}: {changed.length}
          </summary>
          <ul class="changes">
            {changed.map((one) => (
              <li key={`${one.part} ${one.card}`}>{changeWords(one, cardFacts)}</li>
            ))}
          </ul>
        </details>
        {wrong && (
          <p class="bad" role="alert">
            {wrong}
          </p>
        )}
        <div class="window-actions">
          {visitor ? (
            <button
              type="submit"
              form={links.guest}
              class="button button-primary"
              onClick={() => leave({ kind: "publish", typed: { note, tags, visibility } })}
            >
              Go on as a guest to publish
            </button>
          ) : (
            <button type="submit" class="button button-primary" disabled={busy || changed.length === 0}>
              {changed.length === 0 ? "Nothing has changed" : "Publish"}
            </button>
          )}
        </div>
      </form>
    </Window>
  );
}
