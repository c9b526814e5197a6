/** Windows over the builder: the card, and those that come when they are asked for. */

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { type CardId, describeCard, FullCard, Icon, useCard } from "../cards";
import { Coming, comingIn } from "../windows/coming";
import { lazily } from "../windows/lazily";
import { copiesOf } from "./content";
import { useBuilder, useEdited } from "./context";
import { Copies } from "./copies";
import { keyOnCard } from "./keys";
import { editionOf } from "./legality";
import { Window } from "./window";

export function Dialogs(): VNode | null {
  const { editor } = useBuilder();
  const { dialog } = useEdited("dialog");
  useEffect(() => {
    const stop = editor.store.subscribe((now, before) => {
      if (now.content === before.content) return;
      stop();
      void Publish.warm();
    });
    return stop;
  }, [editor]);
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

const ComingWindow = comingIn(Window);
// They come when they are asked for: most who build a deck need them seldom. What one types into at once, to publish, comes
// with the first change.
const KeyList = lazily(() => import("./key-list").then((module) => module.KeyList), ComingWindow);
const Import = lazily(() => import("./import").then((module) => module.Import), ComingWindow);
const Export = lazily(() => import("./export").then((module) => module.Export), ComingWindow);
const Publish = lazily(() => import("./publish").then((module) => module.Publish), ComingWindow);
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
