/** Another deck beside this one: what differs is marked, and taken over card by card. */

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CardName, cardFacts, Icon, isIconName } from "../cards";
import { Chart } from "./chart";
import type { Content } from "./content";
import { useBuilder, useEdited } from "./context";
import { numbersOf } from "./numbers";
import { type Choices, choices, deckFrom, deckMeant, isAddress } from "./other-decks";
import { NotYet } from "./reading";
import { distance, type Pair, type PairGroup, pairs, taken, totals } from "./side-by-side";

const CODE = /^\s*BSG1-[\w-]{8,}\s*$/;
const PAUSE = 250;

interface Other {
  words: string;
  content: Content;
}

export function Comparison(): VNode {
  const [other, setOther] = useState<Other | null>(null);
  return other ? <Both other={other} again={() => setOther(null)} /> : <Choose choose={setOther} />;
}

/** Which deck: found by name, or by its address or code. */
function Choose({ choose }: { choose(other: Other): void }): VNode {
  const { uid, saver, published } = useBuilder();
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Choices[] | null>(null);
  const [wrong, setWrong] = useState("");
  const [opening, setOpening] = useState<{ words: string; from: string } | null>(null);
  const mine = saver.state.get().kind !== "visitor";
  const asker = { uid: published ? uid : "", origin: published?.origin ?? null, mine };
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);

  /** Do `work` unless something else is asked for first, and say what goes wrong. */
  const unlessStopped = (work: (signal: AbortSignal) => Promise<void>, pause: number): (() => void) => {
    const asking = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const doIn = (milliseconds: number): void => {
      timer = setTimeout(() => {
        work(asking.signal).then(
          () => setWrong(""),
          (error: unknown) => {
            if (asking.signal.aborted) return;
            setWrong(error instanceof Error ? error.message : String(error));
            if (error instanceof NotYet) doIn(1000 * error.seconds);
          },
        );
      }, milliseconds);
    };
    doIn(pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  };

  useEffect(() => {
    const words = query.trim();
    return unlessStopped(
      async (signal) => {
        if (isAddress(words) || CODE.test(words)) {
          const content = await deckMeant(words, signal);
          choose({ words: content.name || "The other deck", content });
        } else setFound(await choices(words, asker, signal));
      },
      PAUSE * Number(query !== ""),
    );
  }, [query]);
  useEffect(
    () =>
      opening
        ? unlessStopped(
            async (signal) => choose({ words: opening.words, content: await deckFrom(opening.from, signal) }),
            0,
          )
        : undefined,
    [opening],
  );

  return (
    <>
      <div class="field">
        <label for="compare-search">Which other deck? A name, a search, an address of this site, a deck code</label>
        <input
          ref={box}
          id="compare-search"
          type="search"
          value={query}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {wrong && (
        <p class="bad small" role="alert">
          {wrong}
        </p>
      )}
      <div class="compare-choices" aria-live="polite">
        {found?.length === 0 && !wrong && <p class="quiet">No deck is like that.</p>}
        {found?.map(({ heading, rows }) => (
          <section key={heading} aria-label={heading}>
            <h3 class="label">{heading}</h3>
            {rows.map(({ from, words, more }) => (
              <button type="button" key={from} class="compare-choice" onClick={() => setOpening({ words, from })}>
                <b>{words}</b> <span class="small quiet">{more}</span>
              </button>
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

function Both({ other, again }: { other: Other; again(): void }): VNode {
  const { editor } = useBuilder();
  const { content, past } = useEdited("content", "past");
  const [all, setAll] = useState(true);
  const groups = pairs(content, other.content, cardFacts);
  const { more, fewer } = distance(groups);
  const shown = groups
    .map((group) => ({ ...group, pairs: group.pairs.filter(({ here, there }) => all || here !== there) }))
    .filter((group) => group.pairs.length > 0);
  return (
    <>
      <div class="compare-head">
        <p aria-live="polite">
          {more + fewer === 0 ? (
            "The same cards."
          ) : (
            <>
              Here <b class="good">{more} more</b> and <b class="bad">{fewer} fewer</b> copies than there.
            </>
          )}
        </p>
        <label class="compare-only">
          <input type="checkbox" checked={!all} onChange={(event) => setAll(!event.currentTarget.checked)} /> Only what
          differs
        </label>
        <button type="button" class="button button-small" disabled={past.length === 0} onClick={editor.undo}>
          <Icon name="undo" size={15} /> Undo
        </button>
        <button type="button" class="button button-small" onClick={again}>
          Another deck
        </button>
      </div>
      <div class="compare-lists">
        <Side side="here" words={content.name || "This deck"} content={content} other={other.content} groups={shown} />
        <Side side="there" words={other.words} content={other.content} other={content} groups={shown} />
      </div>
      <InNumbers here={content} there={other} />
    </>
  );
}

interface SideProps {
  side: "here" | "there";
  words: string;
  content: Content;
  other: Content;
  groups: readonly PairGroup[];
}

function Side({ side, words, content, other, groups }: SideProps): VNode {
  const { editor } = useBuilder();
  const takeBase = (): void =>
    editor.change({ ...editor.store.get().content, base: content.base }, "The other base is taken over");
  const isOther = content.base !== other.base;
  return (
    <section class={`compare-side is-${side}`} aria-label={words}>
      <h3>{words}</h3>
      <p class={`compare-row ${isOther ? "is-different" : ""}`}>
        <Icon name="base" size={16} label="Base" />
        <span class="compare-name">{content.base ? <CardName card={content.base} link={false} /> : "No base"}</span>
        {side === "there" && isOther && <Take words="Take over the base" act={takeBase} />}
      </p>
      {groups.map((group) => (
        <section key={group.key} aria-label={group.words}>
          <h4 class="deck-heading" data-kind={group.key}>
            {isIconName(group.key) && <Icon name={group.key} size={16} />}
            {group.words} <span>{group[side]}</span>
          </h4>
          {group.pairs.map((pair) => (
            <Row key={pair.card.id} pair={pair} side={side} />
          ))}
        </section>
      ))}
    </section>
  );
}

function Row({ pair, side }: { pair: Pair; side: "here" | "there" }): VNode {
  const { editor } = useBuilder();
  const { card, here, there } = pair;
  const by = pair[side] - (side === "here" ? there : here);
  const take = (): void =>
    editor.change(taken(editor.store.get().content, pair), `${card.name}: ${there} in the deck, as in the other one`);
  return (
    <p class={`compare-row type-${card.type} ${by === 0 ? "" : "is-different"} ${pair[side] === 0 ? "is-none" : ""}`}>
      <b class="deck-count">{pair[side]}</b>
      <span class="compare-name">
        <CardName card={card.id} link={false} />
      </span>
      {by !== 0 && <b class={`compare-by ${by > 0 ? "good" : "bad"}`}>{by > 0 ? `+${by}` : `−${-by}`}</b>}
      {side === "there" && by !== 0 && (
        <Take words={there > 0 ? `Take ${there} ${card.name}` : `Take ${card.name} out`} act={take} />
      )}
    </p>
  );
}

const Take = ({ words, act }: { words: string; act(): void }): VNode => (
  <button type="button" class="icon-button compare-take" title={words} onClick={act}>
    <Icon name="left" size={16} label={words} />
  </button>
);

/** Curves and totals of both. */
function InNumbers({ here, there }: { here: Content; there: Other }): VNode {
  const { known } = useBuilder();
  const [one, other] = [numbersOf(here, known.cards).costs, numbersOf(there.content, known.cards).costs];
  const curve = Array.from({ length: Math.max(one.length, other.length) }, (_, at) => ({
    label: (one[at] ?? other[at])?.label ?? "",
    here: one[at]?.copies ?? 0,
    there: other[at]?.copies ?? 0,
  }));
  const tallest = Math.max(1, ...curve.flatMap((bar) => [bar.here, bar.there]));
  const theirs = new Map(totals(there.content, known.cards));
  return (
    <div class="compare-numbers">
      <Chart
        title="Cost curves"
        head={["Cost", "Here", "There"]}
        rows={curve.map((bar) => [bar.label, bar.here, bar.there])}
      >
        <div class="compare-curve" aria-hidden="true">
          {curve.map((bar) => (
            <div key={bar.label}>
              {(["here", "there"] as const).map((side) => (
                <span key={side} class={`compare-bar is-${side}`} style={{ height: `${(66 * bar[side]) / tallest}px` }}>
                  <i>{bar[side]}</i>
                </span>
              ))}
              <span class="column-label">{bar.label}</span>
            </div>
          ))}
        </div>
      </Chart>
      <table class="compare-totals">
        <thead>
          <tr>
            <th scope="col">In all</th>
            <th scope="col">Here</th>
            <th scope="col">There</th>
          </tr>
        </thead>
        <tbody>
          {totals(here, known.cards).map(([name, value]) => (
            <tr key={name} class={value === theirs.get(name) ? "" : "is-different"}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{theirs.get(name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
