/** The left side: search, chips, and the cards that are found. Only the rows that can be seen are drawn. */

import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type CardFacts,
  CostRow,
  describeCard,
  headOf,
  Icon,
  type IconName,
  LatePicture,
  RESOURCES,
  Stat,
  tailOf,
} from "../cards";
import { type Beside, knownBeside } from "./beside";
import { type Content, copiesOf, EMPTY } from "./content";
import { useBuilder, useEdited } from "./context";
import { addCopies, Copies } from "./copies";
import type { Order } from "./editor";
import { keyOnCard } from "./keys";
import { type Edition, editionOf } from "./legality";
import { chosen, type Found, type Offer, offered, search, toggled, type Wrong } from "./search";
import { sortedCards } from "./sorting";

const TYPES = ["personnel", "ship", "event", "mission", "base"] as const;
const TYPE_CHIPS: Record<(typeof TYPES)[number], string> = {
  personnel: "Personnel",
  ship: "Ships",
  event: "Events",
  mission: "Missions",
  base: "Bases",
};
const ORDER_WORDS: Record<Order, string> = {
  number: "By number",
  name: "By name",
  cost: "By cost",
  power: "By power",
  mystic: "By mystic value",
  threat: "By Cylon threat",
};
const MORE = 6;

export function CardList({ searchBox }: { searchBox: RefObject<HTMLInputElement> }): VNode {
  const { editor, cards, rules, owned, ruled } = useBuilder();
  const { query, order, content } = useEdited("query", "order", "content");
  const found = useFound(query, cards, { content, rules, owned, ruled });
  const rows = useMemo(() => sortedCards(found.cards, order), [found.cards, order]);
  const edition = useMemo(() => editionOf(rules, content.format), [rules, content.format]);
  const [cursor, setCursor] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const focusNext = useRef(false);
  const here = Math.min(cursor, Math.max(rows.length - 1, 0));
  const { from, to, height } = useSeen(grid, rows.length);

  useLayoutEffect(() => {
    setCursor(0);
    if (grid.current) grid.current.scrollTop = 0;
  }, [query, order]);

  const focusRow = (at: number): boolean => {
    const row = grid.current?.querySelector<HTMLElement>(`[data-at="${at}"]`);
    row?.focus({ preventScroll: true });
    return row !== undefined && row !== null;
  };
  const goTo = (at: number): void => {
    const place = Math.max(0, Math.min(at, rows.length - 1));
    setCursor(place);
    scrollTo(grid.current, place, height);
    focusNext.current = !focusRow(place);
  };
  // A row that lies far away is drawn only after the list was scrolled to it.
  useLayoutEffect(() => {
    if (focusNext.current) focusNext.current = !focusRow(here);
  });

  const onSearchKey = (event: KeyboardEvent): void => {
    const card = rows[here];
    if (event.key === "ArrowDown" && rows.length > 0) goTo(here);
    else if (event.key === "Enter" && card)
      addCopies(editor, card, 1, edition, event.ctrlKey || event.metaKey ? "considering" : "counts");
    else if (event.key === "Escape" && query) editor.show({ query: "", typing: false });
    // No query has this sign in it, so that it begins another one here as everywhere.
    else if (event.key === "/") searchBox.current?.select();
    else return;
    event.preventDefault();
  };

  const onRowKey = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    const card = rows[here];
    const onRow = event.target instanceof HTMLElement && event.target.dataset.at !== undefined;
    if (step !== undefined) {
      if (step === -1 && here === 0) searchBox.current?.focus();
      else goTo(here + step);
    } else if (event.key === " " && onRow && card) {
      editor.show({ dialog: { kind: "card", card: card.id, among: rows.map(({ id }) => id) } });
    } else if (!card || !keyOnCard(event, card, editor, edition)) return;
    event.preventDefault();
  };

  return (
    <section class="builder-list" aria-label="Cards">
      <SearchBox box={searchBox} query={query} count={rows.length} found={found} onKeyDown={onSearchKey} />
      <Chips query={query} order={order} />
      <div class="list-head" aria-hidden="true">
        <span>Name</span>
        <span>Cost</span>
        <Icon name="power" size={14} />
        <Icon name="mystic" size={13} class="icon-mystic" />
        <Icon name="threat" size={15} class="icon-threat" />
        <span class="list-head-copies">Copies</span>
      </div>
      {rows.length === 0 ? (
        <p class="list-empty quiet">
          {found.wrong ? "The search cannot be read; what is wrong stands above." : "No card is like that."}{" "}
          {found.meant && <Meant query={found.meant} />}
          <button type="button" class="link-button" onClick={() => editor.show({ query: "" })}>
            Show all cards
          </button>
        </p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: rows that are drawn as they are scrolled to make no table
        <div
          class={`list-rows ${found.wrong ? "is-before" : ""}`}
          role="grid"
          aria-label={rows.length === 1 ? "1 card" : `${rows.length} cards`}
          aria-rowcount={rows.length}
          ref={grid}
          onKeyDown={onRowKey}
        >
          <div class="list-space" role="presentation" style={{ height: `${rows.length * height}px` }}>
            {rows.slice(from, to).map((card, offset) => (
              <Row
                key={card.id}
                card={card}
                at={from + offset}
                height={height}
                current={from + offset === here}
                content={content}
                edition={edition}
                onFocus={() => setCursor(from + offset)}
                open={() => editor.show({ dialog: { kind: "card", card: card.id, among: rows.map(({ id }) => id) } })}
                set={(one, copies) => editor.set(one, copies)}
              />
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

/** What `query` finds; while it cannot be read, what was found before, with what is wrong. */
function useFound(query: string, cards: readonly CardFacts[], { content, rules, owned, ruled }: Beside): Found {
  const last = useRef<readonly CardFacts[]>(cards);
  // Only a query that names the deck has to be asked again when the deck changes.
  const deck = /\b(?:in|fits):/i.test(query) ? content : EMPTY;
  const found = useMemo(
    () => search(query, cards, knownBeside(cards, { content: deck, rules, owned, ruled })),
    [query, cards, deck, rules, owned, ruled],
  );
  if (!found.wrong) last.current = found.cards;
  return found.wrong ? { ...found, cards: last.current } : found;
}

interface SearchBoxProps {
  box: RefObject<HTMLInputElement>;
  query: string;
  count: number;
  found: Found;
  onKeyDown(event: KeyboardEvent): void;
}

function SearchBox({ box, query, count, found, onKeyDown }: SearchBoxProps): VNode {
  const { editor } = useBuilder();
  // Where the cursor is in what was typed; another query, of a chip or the address, was typed by nobody.
  const [typed, setTyped] = useState({ query: "", cursor: 0 });
  const offers = useOffers(query, typed.query === query ? typed.cursor : 0);
  const moved = ({ currentTarget }: { currentTarget: HTMLInputElement }): void =>
    setTyped({ query: currentTarget.value, cursor: currentTarget.selectionStart ?? 0 });
  const take = (offer: Offer): void => {
    editor.show({ query: offer.query, typing: false });
    setTyped(offer);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(offer.cursor, offer.cursor);
    });
  };
  // What is only begun is not wrong yet.
  const wrong = offers.length > 0 ? null : found.wrong;
  const counted = count === 1 ? "1 card" : count > 0 || !found.wrong ? `${count} cards` : "";
  return (
    <div class="builder-search">
      <div class="search-field">
        <Icon name="search" size={18} />
        <input
          ref={box}
          type="search"
          value={query}
          placeholder="Name, or t:ship cost<=3"
          aria-label="Search cards"
          aria-describedby={wrong ? "search-wrong" : undefined}
          aria-invalid={wrong ? "true" : undefined}
          maxLength={256}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            moved(event);
            editor.show({ query: event.currentTarget.value, typing: true });
          }}
          onBlur={() => editor.show({ typing: false })}
          onKeyUp={moved}
          onClick={moved}
          onKeyDown={onKeyDown}
        />
        <span class="label search-count">{counted}</span>
      </div>
      <SearchSaid query={query} words={wrong ? wrong.message : counted} />
      {offers.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: no field of a form
        <div class="builder-chips search-offers" role="group" aria-label="What could be written next">
          {offers.map((offer) => (
            <button
              type="button"
              key={offer.word}
              class="builder-chip"
              title={offer.meaning || undefined}
              onClick={() => take(offer)}
            >
              {offer.word}
            </button>
          ))}
        </div>
      )}
      {wrong && <WrongQuery wrong={wrong} />}
    </div>
  );
}

const PAUSE = 600;

/** Says what is found, or what is wrong, to those who listen: once nothing more is typed. */
function SearchSaid({ query, words }: { query: string; words: string }): VNode {
  const [said, say] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => say(words), PAUSE);
    return () => clearTimeout(timer);
  }, [query, words]);
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}

/** What could be written next in `query`, where the cursor is. */
function useOffers(query: string, cursor: number): Offer[] {
  const { cards, rules, owned, ruled } = useBuilder();
  return useMemo(
    () =>
      cursor > 0 ? offered(query, cursor, cards, knownBeside(cards, { content: EMPTY, rules, owned, ruled })) : [],
    [query, cursor, cards, rules, owned, ruled],
  );
}

/** The query with the part that cannot be read marked in it, why that is so, and what may have been meant. */
function WrongQuery({ wrong }: { wrong: Wrong }): VNode {
  return (
    <p class="small search-wrong" id="search-wrong">
      <span class="search-wrong-text">
        {wrong.before}
        <mark>{wrong.part || "…"}</mark>
        {wrong.after}
      </span>{" "}
      <span class="bad">{wrong.message}</span>
      {wrong.meant && (
        <>
          {" "}
          <Meant query={wrong.meant} />
        </>
      )}
    </p>
  );
}

/** What may have been meant, to be looked for. */
function Meant({ query }: { query: string }): VNode {
  const { editor } = useBuilder();
  return (
    <span>
      Did you mean{" "}
      <button type="button" class="link-button" onClick={() => editor.show({ query, typing: false })}>
        {query}
      </button>
      ?{" "}
    </span>
  );
}

function Chips({ query, order }: { query: string; order: Order }): VNode {
  const { editor } = useBuilder();
  const chip = (field: string, value: string, icon: IconName, words: string, shown: boolean): VNode => {
    const on = chosen(query, field).includes(value);
    return (
      <button
        type="button"
        key={value}
        class={`builder-chip ${on ? "is-on" : ""}`}
        data-kind={value}
        aria-pressed={on}
        aria-label={shown ? undefined : words}
        title={words}
        onClick={() => editor.show({ query: toggled(query, field, value), typing: false })}
      >
        <Icon name={icon} size={15} />
        {shown && <span>{words}</span>}
      </button>
    );
  };
  return (
    <div class="builder-chips">
      {TYPES.map((type) => chip("t", type, type, TYPE_CHIPS[type], true))}
      {RESOURCES.map((resource) => chip("makes", resource, resource, `Makes ${resource}`, false))}
      <label class="builder-order">
        <span class="visually-hidden">Sort the cards by</span>
        <select value={order} onChange={(event) => editor.show({ order: event.currentTarget.value as Order })}>
          {Object.entries(ORDER_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface RowProps {
  card: CardFacts;
  at: number;
  height: number;
  current: boolean;
  content: Content;
  edition: Edition;
  onFocus(): void;
  open(): void;
  set(card: CardFacts, copies: number): void;
}

function Row({ card, at, height, current, content, edition, onFocus, open, set }: RowProps): VNode {
  const tail = tailOf(card);
  const copies = copiesOf(content, card);
  const considered = content.considering[card.id] ?? 0;
  const said = [`${copies} in the deck`, ...(considered ? [`${considered} considered`] : [])];
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      class={`card-line list-row type-${card.type} ${copies > 0 ? "is-in" : ""}`}
      role="row"
      aria-rowindex={at + 1}
      aria-label={describeCard(card, said)}
      tabIndex={current ? 0 : -1}
      data-at={at}
      style={{ top: `${at * height}px` }}
      onFocus={onFocus}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <div class="list-cell list-name" role="gridcell">
        <button type="button" class="list-open card-name" data-card={card.id} tabIndex={-1} onClick={open}>
          <span class="card-line-picture">
            <LatePicture card={card} />
          </span>
          <span class="card-line-name">
            {headOf(card)}
            {tail && <span>, {tail}</span>}
          </span>
        </button>
        {considered > 0 && (
          <span class="list-considered" title={`${considered} considered`}>
            +{considered}
          </span>
        )}
        <span class="list-cost">{card.type !== "base" && card.type !== "mission" && <CostRow cost={card.cost} />}</span>
        <span class="card-line-number">
          {card.power !== null && <Stat name="power" value={card.power} icon={14} />}
        </span>
        <span class="card-line-number">
          {card.mystic !== null && <Stat name="mystic" value={card.mystic} icon={12} />}
        </span>
        <span class="card-line-number">
          {card.threat !== null && <Stat name="threat" value={card.threat} icon={15} />}
        </span>
        <Copies card={card} content={content} edition={edition} reachable={current} set={set} />
      </div>
    </div>
  );
}

/** Which rows of a scrolled list are seen, with some around, and how high one is. */
function useSeen(box: RefObject<HTMLElement>, count: number): { from: number; to: number; height: number } {
  const [seen, setSeen] = useState({ top: 0, room: 800, height: 34 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      const height = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || 34;
      const next = { top: element.scrollTop, room: element.clientHeight || 800, height };
      setSeen((was) => (was.top === next.top && was.room === next.room && was.height === height ? was : next));
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watching.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [count === 0]);
  const from = Math.max(0, Math.floor(seen.top / seen.height) - MORE);
  return { from, to: Math.min(count, Math.ceil((seen.top + seen.room) / seen.height) + MORE), height: seen.height };
}

function scrollTo(box: HTMLElement | null, at: number, height: number): void {
  if (!box) return;
  const top = at * height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
}
