/** The boxes that all sizes of a card share. */

import type { VNode } from "preact";
import { costWords } from "./describe";
import type { CardFacts } from "./facts";
import { Icon } from "./icons";
import { type Cost, RESOURCES, type Resource } from "./view-types";

/** Cost tabs at the edge of the picture, one for each resource that is paid. */
export function CostTabs({ cost, icon, cheaper = 0 }: { cost: Cost; icon: number; cheaper?: number }): VNode | null {
  const paid = RESOURCES.filter((resource) => (cost[resource] ?? 0) > 0);
  if (paid.length === 0) return null;
  return (
    <span class="cost-tabs" role="img" aria-label={`Costs ${costWords(cost)}`}>
      {paid.map((resource) => (
        <span class={`cost-tab makes-${resource}`} key={resource}>
          {cost[resource]}
          <Icon name={resource} size={icon} />
        </span>
      ))}
      {cheaper > 0 && <span class="cost-cheaper">−{cheaper}</span>}
    </span>
  );
}

/** Costs in a row of text: `2` and its icon, for each resource. */
export function CostRow({ cost, size = 15 }: { cost: Cost; size?: number }): VNode {
  const paid = RESOURCES.filter((resource) => (cost[resource] ?? 0) > 0);
  return (
    <span class="cost-row" role="img" aria-label={`Costs ${costWords(cost)}`}>
      {paid.length === 0 && <span class="faint">–</span>}
      {paid.map((resource) => (
        <span class={`icon-${resource}`} key={resource}>
          {cost[resource]}
          <Icon name={resource} size={size} />
        </span>
      ))}
    </span>
  );
}

export interface PowerShieldProps {
  value: number;
  /** What is printed; another value colours the shield and adds an arrow on hover. */
  printed?: number | null;
  size: number;
}

export function PowerShield({ value, printed, size }: PowerShieldProps): VNode {
  const change = changeOf(value, printed);
  const words = change === "" ? `Power ${value}` : `Power ${value}, ${change} from ${printed}`;
  return (
    <span class={`power ${change && `is-${change}`}`} role="img" aria-label={words} title={words} data-size={size}>
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path
          class="power-shape"
          d="M3.5 2.5h17v9.2c0 4.8-3.5 8-8.5 10.3-5-2.3-8.5-5.5-8.5-10.3z"
          stroke="#fff"
          stroke-width="1.4"
        />
        {change && (
          <path
            class="power-arrow"
            d={change === "raised" ? "M8.7 7.5 12 4.2l3.3 3.3z" : "M8.7 4.5 12 7.8l3.3-3.3z"}
            fill="#fff"
          />
        )}
      </svg>
      <b>{value}</b>
    </span>
  );
}

/** "raised" or "lowered" where a number is not the printed one; else "". */
export function changeOf(value: number, printed: number | null | undefined): "raised" | "lowered" | "" {
  if (printed === null || printed === undefined || value === printed) return "";
  return value > printed ? "raised" : "lowered";
}

export function MysticBox({ value, icon }: { value: number; icon: number }): VNode {
  return (
    <span class="mystic-box" role="img" aria-label={`Mystic value ${value}`} title="Mystic value">
      <Icon name="mystic" size={icon} />
      {value}
    </span>
  );
}

export function ThreatBox({ value, icon }: { value: number; icon: number }): VNode {
  return (
    <span class="threat-box" role="img" aria-label={`Cylon threat ${value}`} title="Cylon threat">
      <Icon name="threat" size={icon} />
      {value}
    </span>
  );
}

export interface StatProps {
  name: "mystic" | "threat" | "hand" | "influence" | "power";
  value: number;
  icon: number;
  printed?: number | null;
}

const STAT_WORDS: Record<StatProps["name"], string> = {
  mystic: "Mystic value",
  threat: "Cylon threat",
  hand: "Hand size",
  influence: "Influence",
  power: "Power",
};

/** A number with its icon, without a box. */
export function Stat({ name, value, icon, printed }: StatProps): VNode {
  const change = changeOf(value, printed);
  const words = change ? `${STAT_WORDS[name]} ${value}, ${change} from ${printed}` : `${STAT_WORDS[name]} ${value}`;
  return (
    <span class={`stat stat-${name} ${change && `is-${change}`}`} role="img" aria-label={words} title={words}>
      <Icon name={name} size={icon} />
      {value}
      {change && <Icon name={change === "raised" ? "up" : "down"} size={icon - 3} class="stat-arrow" />}
    </span>
  );
}

/** What the card makes in the resource area, or that it is only a supply card there. */
export function Makes({ resource }: { resource: Resource | null }): VNode {
  if (resource === null) return <span class="makes makes-nothing">Supply only</span>;
  return (
    <span class={`makes makes-${resource}`}>
      <Icon name={resource} size={24} />
      Makes {resource}
    </span>
  );
}

/** "BSG1 · 027". */
export const printingWords = (card: CardFacts): string =>
  card.number > 0 ? `${card.set} · ${String(card.number).padStart(3, "0")}` : card.set;
