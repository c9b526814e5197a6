/** The right side: name, format and state of the deck, its cards in groups, what is considered. */

import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import {
  type CardFacts,
  type CardId,
  CardName,
  CostRow,
  cardFacts,
  headOf,
  Icon,
  type IconName,
  isIconName,
  Picture,
  Stat,
  tailOf,
  useCard,
} from "../cards";
import { Charts } from "./charts";
import { published as asPublished, type Content, EMPTY, total } from "./content";
import { type Builder, useBuilder, useEdited } from "./context";
import { addCopies } from "./copies";
import type { Grouping } from "./editor";
import { keyOnCard } from "./keys";
import { check, type Edition, editionOf } from "./legality";
import { sameContent } from "./merging";
import { entries } from "./numbers";
import { Legality } from "./problems";
import { SaveNote } from "./save-note";
import { toggled } from "./search";
import { grouped } from "./sorting";

const GROUPING_WORDS: Record<Grouping, string> = {
  type: "By type",
  cost: "By cost",
  resource: "By resource",
  trait: "By trait",
  set: "By set",
};

export function DeckSide(): VNode {
  const builder = useBuilder();
  const { content, filter } = useEdited("content", "filter");
  const problems = useMemo(() => check(content, builder.rules, builder.known), [content, builder]);
  const edition = useMemo(() => editionOf(builder.rules, content.format), [builder.rules, content.format]);
  const wrong = new Set(problems.flatMap(({ cards }) => cards));
  return (
    <section class="builder-deck" aria-label="The deck" tabIndex={-1}>
      <div class="panel deck-panel">
        <DeckHead />
        {filter && (
          <p class="deck-filter">
            <Icon name="eye" size={16} /> Only {filter.words}{" "}
            <button type="button" class="button button-small" onClick={() => builder.editor.show({ filter: null })}>
              Show all
            </button>
          </p>
        )}
        <Base wrong={wrong} />
        <Groups edition={edition} wrong={wrong} />
        <Considering />
      </div>
      <Legality problems={problems} />
      <Charts />
    </section>
  );
}

function DeckHead(): VNode {
  const builder = useBuilder();
  const { editor, rules, published } = builder;
  const { content, past, future, grouping } = useEdited("content", "past", "future", "grouping", "parent");
  return (
    <header class="deck-title">
      <div class="deck-title-row">
        <input
          class="deck-name"
          value={content.name}
          maxLength={80}
          placeholder="Name your deck"
          aria-label="Name of the deck"
          autocomplete="off"
          onInput={(event) => editor.amend({ ...editor.store.get().content, name: event.currentTarget.value })}
        />
        <span class="chip">{published ? `After version ${published.number}` : "New deck"}</span>
        <SaveNote />
      </div>
      <div class="deck-title-row">
        <label>
          <span class="visually-hidden">Format</span>
          <select
            id="deck-format"
            value={content.format || rules.standard}
            onChange={(event) => editor.change({ ...content, format: event.currentTarget.value })}
          >
            {rules.formats.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">Group the deck</span>
          <select
            value={grouping}
            onChange={(event) => editor.show({ grouping: event.currentTarget.value as Grouping })}
          >
            {Object.entries(GROUPING_WORDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <span class="deck-buttons">
          <HeadButton icon="undo" words="Undo" off={past.length === 0} act={editor.undo} />
          <HeadButton icon="undo" words="Do it again" off={future.length === 0} act={editor.redo} mirrored />
          <Discard />
          <button type="button" class="button button-small" onClick={() => editor.show({ dialog: { kind: "import" } })}>
            Import
          </button>
          <button type="button" class="button button-small" onClick={() => editor.show({ dialog: { kind: "export" } })}>
            Export
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => editor.show({ dialog: { kind: "compare" } })}
          >
            Compare
          </button>
          <button type="button" class="button button-small" onClick={() => editor.show({ dialog: { kind: "hand" } })}>
            Sample hand
          </button>
          <button type="button" class="button button-small" onClick={() => editor.show({ dialog: { kind: "try" } })}>
            Try it
          </button>
          <button
            type="button"
            class="button button-small button-primary"
            onClick={() => editor.show({ dialog: { kind: "publish" } })}
          >
            Publish
          </button>
        </span>
      </div>
    </header>
  );
}

/** Back to what was published last, or to an empty deck. It asks nothing, as it can be undone. */
function Discard(): VNode {
  const { editor, published, discards, rules } = useBuilder();
  const { content } = useEdited("content", "parent");
  const before = published?.content ?? { ...EMPTY, format: content.format };
  const discard = (): void => {
    discards.keep(content, before);
    editor.change(before, "Changes discarded");
    const words = published ? `The deck is as in version ${published.number} again.` : "The deck is empty again.";
    editor.show({ notice: { words, undo: true } });
  };
  return (
    <button
      type="button"
      class="button button-small button-quiet"
      disabled={sameContent(asPublished(content, rules.standard), asPublished(before, rules.standard))}
      onClick={discard}
    >
      <Icon name="trash" size={15} /> {published ? "Discard the changes" : "Empty the deck"}
    </button>
  );
}

interface HeadButtonProps {
  icon: IconName;
  words: string;
  off: boolean;
  act(): void;
  mirrored?: boolean;
}

const HeadButton = ({ icon, words, off, act, mirrored }: HeadButtonProps): VNode => (
  <button
    type="button"
    class={`icon-button ${mirrored ? "is-mirrored" : ""}`}
    title={words}
    disabled={off}
    onClick={act}
  >
    <Icon name={icon} size={17} label={words} />
  </button>
);

function Base({ wrong }: { wrong: ReadonlySet<CardId> }): VNode {
  const builder = useBuilder();
  const { content, query } = useEdited("content", "query");
  const base = useCard(content.base || "none");
  const find = (): void => showBases(builder, query);
  if (!content.base) {
    return (
      <div class="deck-base is-missing">
        <Icon name="base" size={22} />
        <span>No base yet</span>
        <button type="button" class="button button-small" onClick={find}>
          Choose a base
        </button>
      </div>
    );
  }
  return (
    <div class={`deck-base ${wrong.has(content.base) ? "is-wrong" : ""}`}>
      {builder.known.cards.has(content.base) && (
        <span class="deck-base-picture">
          <Picture card={base} />
        </span>
      )}
      <div>
        <CardName card={content.base} words={builder.known.withdrawn[content.base]} />
        <p class="deck-base-stats">
          {base.power !== null && <Stat name="power" value={base.power} icon={15} />}
          {base.hand !== null && <Stat name="hand" value={base.hand} icon={15} />}
          {base.influence !== null && <Stat name="influence" value={base.influence} icon={15} />}
          {base.produces && (
            <Icon name={base.produces} size={16} label={`Makes ${base.produces}`} class={`icon-${base.produces}`} />
          )}
        </p>
      </div>
      <button type="button" class="button button-small button-quiet" onClick={find}>
        Another base
      </button>
    </div>
  );
}

/** Let the card list show bases, and go there. */
export function showBases({ editor }: Builder, query: string): void {
  const withBases = /(^|\s)t:base(\s|$)/.test(query) ? query : toggled("", "t", "base");
  editor.show({ query: withBases, tab: "cards", dialog: null });
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".list-rows [role=row]")?.focus());
}

function Groups({ edition, wrong }: { edition: Edition; wrong: ReadonlySet<CardId> }): VNode {
  const builder = useBuilder();
  const { content, grouping, filter } = useEdited("content", "grouping", "filter");
  const shown = filter ? new Set(filter.cards) : null;
  const cards = entries(content.counts, builder.known.cards).map(([card]) => card);
  const groups = grouped(shown ? cards.filter(({ id }) => shown.has(id)) : cards, grouping);
  const unknown = Object.keys(content.counts).filter((id) => !builder.known.cards.has(id));
  if (cards.length + unknown.length === 0) {
    return (
      <p class="deck-empty quiet">
        The deck is empty. Search for cards and add them, or import a list.{" "}
        <span class="for-keyboards">
          Keys:{" "}
          <span class="of-sign">
            <kbd>/</kbd> searches,
          </span>{" "}
          <kbd>Enter</kbd> adds what is found.
        </span>
      </p>
    );
  }
  return (
    <div class="deck-groups">
      {groups.map((group) => (
        <section class="deck-group-block" key={group.key} aria-label={group.words}>
          <h2 class="deck-heading" data-kind={group.key}>
            {isIconName(group.key) && <Icon name={group.key} size={17} />}
            {group.words} <span>{group.cards.reduce((sum, { id }) => sum + (content.counts[id] ?? 0), 0)}</span>
          </h2>
          {group.cards.map((card) => (
            <DeckRow key={card.id} card={card} edition={edition} wrong={wrong.has(card.id)} />
          ))}
        </section>
      ))}
      {unknown.length > 0 && (
        <section class="deck-group-block" aria-label="Not in the card database">
          <h2 class="deck-heading">Not in the card database</h2>
          {unknown.map((id) => (
            <p key={id} class="deck-row is-wrong">
              <b class="deck-count">{content.counts[id]}</b> {builder.known.withdrawn[id] ?? id}
              <button type="button" class="button button-small" onClick={() => builder.editor.remove(id, "counts")}>
                Take out
              </button>
            </p>
          ))}
        </section>
      )}
    </div>
  );
}

function DeckRow({ card, edition, wrong }: { card: CardFacts; edition: Edition; wrong: boolean }): VNode {
  const { editor } = useBuilder();
  const { content } = useEdited("content");
  const copies = content.counts[card.id] ?? 0;
  const tail = tailOf(card);
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = event.currentTarget as HTMLElement;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") nextRow(row, event.key === "ArrowDown" ? 1 : -1)?.focus();
    else if (event.key === " " && event.target === row) open();
    else {
      const leaves =
        /^(0|Delete|Backspace)$/.test(event.key) || ((event.key === "ArrowLeft" || event.key === "-") && copies === 1);
      const next = leaves && !event.shiftKey ? (nextRow(row, 1) ?? nextRow(row, -1)) : null;
      if (!keyOnCard(event, card, editor, edition)) return;
      next?.focus();
    }
    event.preventDefault();
  };
  const open = (): void => editor.show({ dialog: { kind: "card", card: card.id, among: Object.keys(content.counts) } });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in each row is more than a name and two buttons need
    <div
      class={`deck-row type-${card.type} ${wrong ? "is-wrong" : ""}`}
      role="group"
      aria-label={`${copies} ${card.name}${wrong ? ", not legal" : ""}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys set the copies of the row that has the focus
      tabIndex={0}
      data-row={card.id}
      onKeyDown={onKeyDown}
    >
      <b class="deck-count">{copies}</b>
      <button type="button" class="deck-row-name card-name" data-card={card.id} tabIndex={-1} onClick={open}>
        {headOf(card)}
        {tail && <span>, {tail}</span>}
      </button>
      {wrong && <Icon name="warn" size={15} label="Not legal" class="bad" />}
      <span class="deck-steps">
        <button type="button" tabIndex={-1} onClick={() => editor.set(card, copies - 1)}>
          <Icon name="minus" size={14} label={`One ${card.name} less`} />
        </button>
        <button type="button" tabIndex={-1} onClick={() => addCopies(editor, card, 1, edition)}>
          <Icon name="plus" size={14} label={`One ${card.name} more`} />
        </button>
      </span>
      {card.type !== "mission" && card.type !== "base" && <CostRow cost={card.cost} size={14} />}
    </div>
  );
}

function nextRow(row: HTMLElement, step: number): HTMLElement | undefined {
  const rows = [...(row.closest(".builder-deck")?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  return rows[rows.indexOf(row) + step];
}

function Considering(): VNode | null {
  const { editor } = useBuilder();
  const { content } = useEdited("content");
  const ids = Object.keys(content.considering);
  if (ids.length === 0) return null;
  return (
    <section class="deck-considering" aria-label="Considering">
      <h2 class="deck-heading">
        Considering <span>{total(content.considering)}</span>
      </h2>
      {ids.map((id) => (
        <p class="deck-row" key={id}>
          <b class="deck-count">{content.considering[id]}</b>
          <CardName card={id} link={false} />
          <span class="deck-steps is-words">
            <button
              type="button"
              class="button button-small"
              aria-label={`Put ${cardFacts(id).name} into the deck`}
              onClick={() => editor.change(moved(content, id))}
            >
              Into the deck
            </button>
            <button type="button" onClick={() => editor.remove(id, "considering")}>
              <Icon name="cross" size={14} label={`Consider ${cardFacts(id).name} no longer`} />
            </button>
          </span>
        </p>
      ))}
    </section>
  );
}

function moved(content: Content, id: CardId): Content {
  const { [id]: copies = 0, ...considering } = content.considering;
  return { ...content, considering, counts: { ...content.counts, [id]: (content.counts[id] ?? 0) + copies } };
}
