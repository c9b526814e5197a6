/** Windows over the builder: the card, and others that come when they are asked for. */

import type { FunctionComponent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type CardId, describeCard, FullCard, Icon, useCard } from "../cards";
import { copiesOf } from "./content";
import { useBuilder, useEdited } from "./context";
import { Copies } from "./copies";
import { keyOnCard } from "./keys";
import { editionOf } from "./legality";
import { Window } from "./window";

export function Dialogs(): VNode | null {
  const { dialog } = useEdited("dialog");
  switch (dialog?.kind) {
    case "card":
      return <CardSheet card={dialog.card} among={dialog.among} />;
    case "keys":
      return <Later load={() => import("./key-list").then(({ KeyList }) => KeyList)} />;
    case "import":
      return <Later load={() => import("./import").then(({ Import }) => Import)} />;
    case "export":
      return <Later load={() => import("./export").then(({ Export }) => Export)} />;
    case "publish":
      return <Later load={() => import("./publish").then(({ Publish }) => Publish)} />;
    case "try":
      return <Later load={() => import("./try").then(({ Try }) => Try)} />;
    case "hand":
      return (
        <Window title="Sample hand" class="is-wide">
          <Later load={() => import("./hand").then(({ SampleHand }) => SampleHand)} />
        </Window>
      );
    case "compare":
      return (
        <Window title="Two decks side by side" class="is-full">
          <Later load={() => import("./compare").then(({ Comparison }) => Comparison)} />
        </Window>
      );
    default:
      return null;
  }
}

/** Comes when it is asked for: most who build a deck need it seldom. */
function Later({ load }: { load: () => Promise<FunctionComponent> }): VNode {
  const [part, setPart] = useState<{ View: FunctionComponent } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (View) => setPart({ View }),
      () => setFailed(true),
    );
  }, []);
  if (part) return <part.View />;
  return (
    <p class="quiet">{failed ? "This part of the page could not be loaded. Try again when you are online." : "…"}</p>
  );
}

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
