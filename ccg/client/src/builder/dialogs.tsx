/** Windows over the builder: the card, keys, importing, publishing. */

import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type CardId, cardFacts, describeCard, FullCard, Icon, useCard } from "../cards";
import { COMING, Coming, NotHere, useSoon } from "../windows/coming";
import { lazily } from "../windows/lazily";
import { changeWords } from "./changes";
import { published as asPublished, copiesOf, EMPTY } from "./content";
import { useBuilder, useEdited } from "./context";
import { Copies } from "./copies";
import { keyOnCard } from "./keys";
import { check, editionOf } from "./legality";
import { differences } from "./merging";
import { verdict } from "./problems";
import { send } from "./sending";
import { Window } from "./window";

export function Dialogs(): VNode | null {
  const { dialog } = useEdited("dialog");
  switch (dialog?.kind) {
    case "card":
      return <CardSheet card={dialog.card} among={dialog.among} />;
    case "keys":
      return <KeyList />;
    case "import":
      return <Import />;
    case "export":
      return <Export />;
    case "publish":
      return <Publish />;
    case "try":
      return <Try />;
    case "hand":
      return (
        <Window title="Sample hand" class="is-wide">
          <SampleHand />
        </Window>
      );
    case "compare":
      return (
        <Window title="Two decks side by side" class="is-full">
          <Comparison />
        </Window>
      );
    default:
      return null;
  }
}

/** Stands for a window that is still being loaded: who has asked for one sees that it was heard, and can go on. */
function ComingWindow(): VNode | null {
  return useSoon() ? (
    <Window title={COMING}>
      <NotHere />
    </Window>
  ) : null;
}

// They come when they are asked for: most who build a deck need them seldom.
const KeyList = lazily(() => import("./key-list").then((module) => module.KeyList), ComingWindow);
const Import = lazily(() => import("./import").then((module) => module.Import), ComingWindow);
const Export = lazily(() => import("./export").then((module) => module.Export), ComingWindow);
const Try = lazily(() => import("./try").then((module) => module.Try), ComingWindow);
const SampleHand = lazily(() => import("./hand").then((module) => module.SampleHand), Coming);
const Comparison = lazily(() => import("./compare").then((module) => module.Comparison), Coming);

function CardSheet({ card, among }: { card: CardId; among: readonly CardId[] }): VNode {
  const { editor, rules, known } = useBuilder();
  const { content, heard } = useEdited("content", "heard");
  const facts = useCard(card);
  const edition = editionOf(rules, content.format);
  const at = among.indexOf(card);
  const go = (step: number): void => {
    const next = among[at + step];
    const shown = next && known.cards.get(next);
    if (!shown) return;
    const said = describeCard(shown, [`${copiesOf(content, shown)} in the deck`]);
    editor.show({ dialog: { kind: "card", card: next, among }, heard: said });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") go(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === " " && !(event.target instanceof Element && event.target.closest("button, a")))
      editor.show({ dialog: null });
    else if (!keyOnCard(event, facts, editor, edition)) return;
    event.preventDefault();
  };
  return (
    <Window title={facts.name} onKeyDown={onKeyDown}>
      {/* What is outside of an open window is not heard. */}
      <p class="visually-hidden" role="status">
        {heard}
      </p>
      <div class="sheet">
        <FullCard card={facts} />
        <div class="sheet-row">
          <Copies
            card={facts}
            content={content}
            edition={edition}
            reachable
            set={(one, copies) => editor.set(one, copies)}
          />
          <button
            type="button"
            class="button button-small"
            onClick={() => editor.set(facts, (content.considering[card] ?? 0) + 1, "considering")}
          >
            Consider
          </button>
        </div>
        <div class="sheet-row">
          <button type="button" class="button button-small" disabled={at <= 0} onClick={() => go(-1)}>
            <Icon name="left" size={14} /> Previous
          </button>
          <a class="button button-small" href={`/cards/${encodeURIComponent(card)}/`} target="_blank" rel="noopener">
            Its page
          </a>
          <button
            type="button"
            class="button button-small"
            disabled={at < 0 || at >= among.length - 1}
            onClick={() => go(1)}
          >
            Next <Icon name="right" size={14} />
          </button>
        </div>
      </div>
    </Window>
  );
}

const VISIBILITIES = [
  ["private", "Private: only you"],
  ["unlisted", "Unlisted: everybody who has the link"],
  ["public", "Public: everybody, and in the lists"],
] as const;

function Publish(): VNode {
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
