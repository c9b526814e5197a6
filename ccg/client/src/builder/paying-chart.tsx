/** The odds to be able to pay for one card of the deck by each turn, as many games beside the page say. */

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { CardFacts } from "../cards";
import { Chart, inPercent, Lines, PAYING, percent } from "./chart";
import { useBuilder, useEdited } from "./context";
import { costOf, entries, payerOf } from "./numbers";
import { interval, type Tally } from "./paying";
import { questionOf, usePaying } from "./use-paying";

const TURNS = 8;
const LEVEL = "95 % within";

/** The chart of a deck in which something costs something. */
export function Paying(): VNode {
  const { known } = useBuilder();
  const { content } = useEdited("content");
  const [chosen, choose] = useState("");
  const dear = entries(content.counts, known.cards)
    .map(([card]) => card)
    .filter((card) => payerOf(card) !== null)
    .sort(dearestFirst);
  const card = dear.find(({ id }) => id === chosen) ?? dear[0];
  const { tally, failed } = usePaying(card ? questionOf(card, content, known.cards, TURNS) : null);
  const rows = tally ? Array.from({ length: TURNS }, (_, at) => rowOf(tally, at)) : [];
  return (
    <Chart
      title={PAYING}
      head={["Turn", "Can pay", LEVEL, "And has it", LEVEL]}
      rows={rows.map(({ paid, held }, at) => [at + 1, ...inTable(paid), ...inTable(held)])}
      wide
    >
      {card && (
        <label>
          <span class="visually-hidden">For which card</span>
          <select class="paying-card" value={card.id} onChange={(event) => choose(event.currentTarget.value)}>
            {dear.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {card && rows.length > 0 && (
        <Lines
          lines={[
            { kind: "is-paid", words: "Can pay", ...asLine(rows.map(({ paid }) => paid)) },
            { kind: "is-held", words: "And has it in hand", ...asLine(rows.map(({ held }) => held)) },
          ]}
        />
      )}
      {card && <Note tally={tally} failed={failed} hasBase={known.cards.has(content.base)} />}
    </Chart>
  );
}

/** How sure the odds are, and what was taken for granted. */
function Note({ tally, failed, hasBase }: { tally: Tally | null; failed: boolean; hasBase: boolean }): VNode {
  if (failed) return <p class="small quiet">This browser cannot work them out beside the page.</p>;
  if (!tally) return <p class="small quiet">Playing …</p>;
  const widest = Math.max(...Array.from({ length: TURNS }, (_, at) => width(rowOf(tally, at))));
  return (
    <p class="small quiet">
      <span class="odds-key is-paid">can pay</span>, <span class="odds-key is-held">and has it in hand</span>:{" "}
      {tally.games.toLocaleString("en")} games of assets and supply cards for this card alone
      {hasBase ? "" : ", without a base"}, ± {(50 * widest).toFixed(1)} %.
    </p>
  );
}

interface Share {
  share: number;
  within: [number, number];
}

const shareOf = (hits: number, games: number): Share => ({ share: hits / games, within: interval(hits, games) });
const rowOf = ({ games, paid, held }: Tally, at: number): { paid: Share; held: Share } => ({
  paid: shareOf(paid[at] ?? 0, games),
  held: shareOf(held[at] ?? 0, games),
});
const width = ({ paid, held }: { paid: Share; held: Share }): number =>
  Math.max(paid.within[1] - paid.within[0], held.within[1] - held.within[0]);
const asLine = (all: readonly Share[]) => ({
  shares: all.map(({ share }) => share),
  within: all.map(({ within }) => within),
});
const inTable = ({ share, within: [least, most] }: Share): string[] => [
  percent(share),
  `${inPercent(least, 1)} to ${inPercent(most, 1)} %`,
];

/** The dearest first; of those, what takes more kinds of resources. */
function dearestFirst(one: CardFacts, other: CardFacts): number {
  const kinds = (card: CardFacts): number => Object.values(card.cost).filter((amount) => (amount ?? 0) > 0).length;
  return costOf(other) - costOf(one) || kinds(other) - kinds(one) || one.name.localeCompare(other.name, "en");
}
