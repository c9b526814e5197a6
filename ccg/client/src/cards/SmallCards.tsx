/** The two small sizes for lists: thumbnail and line. */

import type { ComponentChildren, VNode } from "preact";
import { useCard } from "./catalog";
import { describeCard } from "./describe";
import { type CardFacts, headOf, tailOf, typeWord } from "./facts";
import { fitText } from "./fit";
import { Icon } from "./icons";
import { Picture } from "./Picture";
import { CostRow, CostTabs, PowerShield, Stat } from "./parts";

export interface SmallCardProps {
  card: string | CardFacts;
  class?: string;
}

/** 132 × 184; bases 184 × 132. */
export function Thumbnail({ card, class: extra = "" }: SmallCardProps): VNode {
  const facts = useCard(card);
  const base = facts.type === "base";
  const head = headOf(facts);
  const tail = tailOf(facts) || (facts.traits[0] ?? typeWord(facts.type));
  const room = base ? 130 : 116;
  const big = fitText(
    head,
    room,
    [
      [14, 1],
      [12.5, 1],
      [11.5, 1],
      [11, 2],
    ],
    { capitals: true, tracking: 0.02 },
  );
  const rows: [number, number][] =
    big.lines > 1
      ? [
          [10.5, 1],
          [9.5, 1],
        ]
      : [
          [12, 1],
          [11, 1],
          [10, 2],
        ];
  const small = fitText(tail, room, rows);
  return (
    <article
      class={`card card-thumbnail type-${facts.type} ${base ? "is-landscape" : ""} ${extra}`}
      aria-label={describeCard(facts)}
      data-card={facts.id}
    >
      <div class="card-frame">
        <div class="card-plate">
          <div class="card-picture">
            <Picture card={facts} />
          </div>
          <span class="card-stripe" />
          <CostTabs cost={facts.cost} icon={13} />
          <div class="card-names">
            <b class="card-title" style={{ fontSize: `${big.size}px` }}>
              {head}
            </b>
            <span class="card-subtitle" style={{ fontSize: `${small.size}px` }}>
              {tail}
            </span>
          </div>
          <div class="card-stats">
            {facts.power !== null ? (
              <PowerShield value={facts.power} size={24} />
            ) : (
              <Icon name={facts.type} size={17} class="card-type-icon" />
            )}
            {facts.hand !== null && <Stat name="hand" value={facts.hand} icon={14} />}
            {facts.influence !== null && <Stat name="influence" value={facts.influence} icon={14} />}
            {facts.mystic !== null && <Stat name="mystic" value={facts.mystic} icon={13} />}
            {facts.threat !== null && <Stat name="threat" value={facts.threat} icon={16} />}
            {facts.produces ? (
              <Icon
                name={facts.produces}
                size={17}
                class={`icon-${facts.produces}`}
                label={`Makes ${facts.produces}`}
              />
            ) : (
              <span class="card-no-icon" />
            )}
          </div>
        </div>
      </div>
    </article>
  );
}

export interface CardLineProps extends SmallCardProps {
  /** Before the picture: a number of copies, a check box. */
  before?: ComponentChildren;
  /** After the numbers: choice of copies, buttons. */
  after?: ComponentChildren;
  /** Leave the columns of numbers out. */
  plain?: boolean;
}

/** A row of 34: slanted piece of the picture, name, cost and numbers in fixed columns. */
export function CardLine({ card, before, after, plain = false, class: extra = "" }: CardLineProps): VNode {
  const facts = useCard(card);
  const tail = tailOf(facts);
  return (
    <div class={`card-line type-${facts.type} ${extra}`} data-card={facts.id}>
      {before}
      <span class="card-line-picture">
        <Picture card={facts} />
      </span>
      <a class="card-line-name" href={`/cards/${encodeURIComponent(facts.id)}/`}>
        {headOf(facts)}
        {tail && <span>, {tail}</span>}
      </a>
      <CostRow cost={facts.cost} />
      {!plain && (
        <>
          <span class="card-line-number">
            {facts.power !== null && <Stat name="power" value={facts.power} icon={14} />}
          </span>
          <span class="card-line-number">
            {facts.mystic !== null && <Stat name="mystic" value={facts.mystic} icon={12} />}
          </span>
          <span class="card-line-number">
            {facts.threat !== null && <Stat name="threat" value={facts.threat} icon={15} />}
          </span>
        </>
      )}
      {after}
    </div>
  );
}
