/** The deck in pictures of numbers; each has a table that says the same, and clicking a bar shows its cards. */

import type { JSX, VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type CardFacts, Icon, RESOURCES, typeWord } from "../cards";
import { lazily } from "../windows/lazily";
import { Chart, Lines, PAYING, percent } from "./chart";
import { useBuilder, useEdited } from "./context";
import {
  atLeast,
  type Balance,
  type Bar,
  entries,
  numbersOf,
  PAYERS,
  payerOf,
  seenBy,
  TYPES,
  USUAL_HAND,
} from "./numbers";

// What plays for it comes once there is something to pay for.
const Paying = lazily(
  () => import("./paying-chart").then((module) => module.Paying),
  () => <NoOdds words="…" />,
);

export function Charts(): VNode {
  const { known } = useBuilder();
  const { content } = useEdited("content");
  const numbers = useMemo(() => numbersOf(content, known.cards), [content, known]);
  const named = numbers.types.map((bar) => ({
    ...bar,
    label: typeWord(bar.label as (typeof TYPES)[number]),
    kind: bar.label,
  }));
  const defense = numbers.defense === null ? "no base yet" : `base defends ${numbers.defense}`;
  return (
    <div class="charts-room">
      <div class="charts">
        <Chart title="Cost curve by resource" head={["Cost", ...PAYERS, "All"]} rows={numbers.costs.map(costRow)}>
          <Columns bars={numbers.costs} words="cards that cost" />
        </Chart>
        <Chart
          title="Makes against costs"
          head={["Resource", "Make it", "Share", "Cost", "Share"]}
          rows={numbers.balance.map(balanceRow)}
        >
          <Shares rows={numbers.balance} />
        </Chart>
        <Odds />
        <AbleToPay />
        <Chart title="Types" head={["Type", "Cards"]} rows={named.map(countRow)}>
          <Types bars={named} />
        </Chart>
        <Chart title="Power" head={["Power", "Cards"]} rows={numbers.power.map(countRow)}>
          <Columns bars={numbers.power} kind="power" words="cards of power" />
        </Chart>
        <Chart
          title={`Cylon threat · ${numbers.meanThreat.toFixed(1)}, ${defense}`}
          head={["Threat", "Cards"]}
          rows={numbers.threat.map(countRow)}
        >
          <Columns bars={numbers.threat} kind="threat" words="cards of Cylon threat" />
          <ThreatNote mean={numbers.meanThreat} defense={numbers.defense} />
        </Chart>
        <Chart
          title={`Mystic values · ${numbers.meanMystic.toFixed(1)}`}
          head={["Mystic value", "Cards"]}
          rows={numbers.mystic.map(countRow)}
        >
          <Columns bars={numbers.mystic} kind="mystic" words="cards of mystic value" />
        </Chart>
      </div>
    </div>
  );
}

/** How many cards in play bring the Cylons, for the mean of the deck: more threat than the bases defend. */
function ThreatNote({ mean, defense }: { mean: number; defense: number | null }): VNode | null {
  if (defense === null || mean === 0) return null;
  const cards = Math.floor(defense / mean) + 1;
  return <p class="small quiet">Against your base alone, about {cards} of these cards in play bring the Cylons.</p>;
}

const countRow = (bar: Bar): (string | number)[] => [bar.label, bar.copies];
const costRow = (bar: Bar): (string | number)[] => [
  bar.label,
  ...PAYERS.map((payer) => bar.payers?.[payer] ?? 0),
  bar.copies,
];
const balanceRow = (row: Balance): (string | number)[] => [
  row.resource,
  row.baseMakes ? `${row.makers} + base` : row.makers,
  percent(row.makesShare),
  row.cost,
  percent(row.costShare),
];

/** What a bar of a chart does: the deck shows only its cards, until it is pressed again. */
function useBar(): (words: string, cards: Bar["cards"]) => JSX.HTMLAttributes<HTMLButtonElement> {
  const { editor } = useBuilder();
  const { filter } = useEdited("filter");
  return (words, cards) => {
    const on = filter?.words === words;
    return { "aria-pressed": on, onClick: () => editor.show({ filter: on ? null : { words, cards } }) };
  };
}

function Columns({ bars, kind = "", words }: { bars: readonly Bar[]; kind?: string; words: string }): VNode {
  const pressing = useBar();
  const tallest = Math.max(1, ...bars.map(({ copies }) => copies));
  return (
    <div class="columns-chart">
      {bars.map((bar) => (
        <button
          type="button"
          key={bar.label}
          class="column"
          disabled={bar.copies === 0}
          {...pressing(`${words} ${bar.label}`, bar.cards)}
        >
          <span class="column-number">{bar.copies > 0 ? bar.copies : <span class="visually-hidden">0</span>}</span>
          <span class="column-bar" style={{ height: `${(66 * bar.copies) / tallest}px` }}>
            {bar.payers ? (
              PAYERS.map((payer) => (
                <span class={`column-part is-${payer}`} key={payer} style={{ flexGrow: bar.payers?.[payer] ?? 0 }} />
              ))
            ) : (
              <span class={`column-part is-${kind}`} style={{ flexGrow: 1 }} />
            )}
          </span>
          <span class="visually-hidden"> {words} </span>
          <span class="column-label">{bar.label}</span>
        </button>
      ))}
    </div>
  );
}

function Shares({ rows }: { rows: readonly Balance[] }): VNode {
  return (
    <div class="shares">
      {rows.map((row) => (
        <div key={row.resource} class={`share is-${row.resource}`}>
          <p>
            <Icon name={row.resource} size={16} class={`icon-${row.resource}`} /> {row.resource}
          </p>
          <span class="share-bar">
            <span style={{ width: percent(row.makesShare).replace(" ", "") }} />
          </span>
          <span class="share-words">{percent(row.makesShare)} makes</span>
          <span class="share-bar is-hatched">
            <span style={{ width: percent(row.costShare).replace(" ", "") }} />
          </span>
          <span class="share-words">{percent(row.costShare)} costs</span>
        </div>
      ))}
    </div>
  );
}

function Types({ bars }: { bars: readonly (Bar & { kind: string })[] }): VNode {
  const pressing = useBar();
  return (
    <>
      <div class="types-bar" aria-hidden="true">
        {bars.map(({ kind, copies }) => (
          <span key={kind} class={`is-${kind}`} style={{ flexGrow: copies }} />
        ))}
      </div>
      <div class="types-words">
        {bars.map((bar) => (
          <button type="button" key={bar.kind} {...pressing(bar.label, bar.cards)}>
            <Icon name={bar.kind as (typeof TYPES)[number]} size={16} class={`type-icon is-${bar.kind}`} /> {bar.copies}
            <span class="visually-hidden"> {bar.label}</span>
          </button>
        ))}
      </div>
    </>
  );
}

const TURNS = [1, 2, 3, 4, 5, 6];

/** The odds to have seen at least N cards of a kind by each turn. */
function Odds(): VNode {
  const { known } = useBuilder();
  const { content } = useEdited("content");
  const deck = entries(content.counts, known.cards);
  const kinds = kindsOf(deck.map(([card]) => card));
  const [chosen, choose] = useState("personnel");
  const [wanted, want] = useState(2);
  const kind = kinds.find((one) => one.key === chosen) ?? kinds[0];
  const size = deck.reduce((sum, [, n]) => sum + n, 0);
  const having = deck.reduce((sum, [card, n]) => (kind?.holds(card) ? sum + n : sum), 0);
  const hand = known.cards.get(content.base)?.hand ?? USUAL_HAND;
  const odds = TURNS.map((turn) => atLeast(wanted, seenBy(turn, hand), having, size));
  return (
    <Chart
      title={`${wanted} or more by turn`}
      head={["Turn", "Odds"]}
      rows={odds.map((share, at) => [TURNS[at] ?? 0, percent(share)])}
    >
      <div class="odds-choice">
        <label>
          <span class="visually-hidden">How many</span>
          <select value={wanted} onChange={(event) => want(Number(event.currentTarget.value))}>
            {[1, 2, 3, 4, 5].map((number) => (
              <option key={number}>{number}</option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">Of what</span>
          <select value={kind?.key} onChange={(event) => choose(event.currentTarget.value)}>
            {kinds.map(({ key, words }) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Lines lines={[{ kind: "is-kind", words: "", shares: odds }]} />
      <p class="small quiet">
        {having} of {size} cards, a hand of {hand}, two cards a turn.
      </p>
    </Chart>
  );
}

interface Kind {
  key: string;
  words: string;
  holds(card: CardFacts): boolean;
}

/** What cards can be of: a type, what they make, a trait that is in the deck. */
function kindsOf(cards: readonly CardFacts[]): Kind[] {
  const traits = [...new Set(cards.flatMap((card) => card.traits))].sort();
  return [
    ...TYPES.filter((type) => type !== "base").map((type) => ({
      key: type as string,
      words: typeWord(type),
      holds: (card: CardFacts) => card.type === type,
    })),
    ...RESOURCES.map((resource) => ({
      key: `makes ${resource}`,
      words: `Makes ${resource}`,
      holds: (card: CardFacts) => card.produces === resource,
    })),
    ...traits.map((trait) => ({
      key: `trait ${trait}`,
      words: trait,
      holds: (card: CardFacts) => card.traits.includes(trait),
    })),
  ];
}

/** The odds to be able to pay for a card. */
function AbleToPay(): VNode {
  const { known } = useBuilder();
  const { content } = useEdited("content");
  const costs = entries(content.counts, known.cards).some(([card]) => payerOf(card) !== null);
  return costs ? <Paying /> : <NoOdds words="No card of the deck costs anything yet." />;
}

const NoOdds = ({ words }: { words: string }): VNode => (
  <Chart title={PAYING} head={["Turn", "Can pay"]} rows={[]} wide>
    <p class="quiet">{words}</p>
  </Chart>
);
