/** What all charts of the builder are made of: a picture with a table that says the same, and lines over turns. */

import type { ComponentChildren, RefObject, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** A share in percent; 0 and 100 are said of none and all alone, as `percent` of `decks/lists/winning.py` does. */
export function inPercent(share: number, digits = 0): string {
  const tiny = 1e-9; // what arithmetic may be off
  const step = 10 ** -digits;
  const least = share > tiny ? step : 0;
  const most = share < 1 - tiny ? 100 - step : 100;
  return Math.max(least, Math.min(100 * share, most)).toFixed(digits);
}

export const percent = (share: number): string => `${inPercent(share)} %`;

/** What the chart is called that comes once something is to be paid for. */
export const PAYING = "Able to pay by turn";

interface ChartProps {
  title: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  wide?: boolean;
  children: ComponentChildren;
}

export function Chart({ title, head, rows, wide = false, children }: ChartProps): VNode {
  return (
    <section class={`chart panel ${wide ? "is-wide" : ""}`} aria-label={title}>
      <h2 class="label">{title}</h2>
      {children}
      <details class="chart-table">
        <summary class="small">As a table</summary>
        <table>
          <thead>
            <tr>
              {head.map((words, at) => (
                <th scope="col" key={at}>
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...others]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {others.map((value, at) => (
                  <td key={at}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

/** A share for each turn, from the first on; `within` is where the true one lies. */
export interface Line {
  kind: string;
  words: string;
  shares: readonly number[];
  within?: readonly (readonly [number, number])[];
}

const HEIGHT = 92;
const MARGIN = 20;
const LETTER = 13;

/** How wide an element is, so that what is drawn in it keeps the size of its letters. */
function useWidth(of: RefObject<Element>, usual: number): number {
  const [width, setWidth] = useState(usual);
  useLayoutEffect(() => {
    if (!of.current) return;
    const watching = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0) || usual));
    watching.observe(of.current);
    return () => watching.disconnect();
  }, []);
  return width;
}

/** Shares that grow from turn to turn, as lines with their numbers. */
export function Lines({ lines }: { lines: readonly Line[] }): VNode {
  const picture = useRef<SVGSVGElement>(null);
  const width = useWidth(picture, 240);
  const turns = lines[0]?.shares.length ?? 0;
  const x = (at: number): number => MARGIN + (at * (width - 2 * MARGIN)) / Math.max(1, turns - 1);
  const y = (share: number): number => HEIGHT - 20 - share * (HEIGHT - 38);
  const path = (shares: readonly number[]): string[] => shares.map((share, at) => `${x(at)},${y(share)}`);
  // Where two lines lie together, the number of the first stands for both.
  const isFree = (at: number, number: number): boolean =>
    number === 0 || y(lines[number]?.shares[at] ?? 0) - y(lines[number - 1]?.shares[at] ?? 0) > LETTER;
  const said = ({ words, shares }: Line): string =>
    `${words} ${shares.map((share, at) => `turn ${at + 1} ${percent(share)}`).join(", ")}`.trim();
  return (
    <svg
      class="odds"
      ref={picture}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={lines.map(said).join("; ")}
    >
      {lines.map(({ kind, shares, within = [] }, number) => (
        <g key={kind} class={`odds-line ${kind}`}>
          <polygon
            points={[...path(within.map(([, most]) => most)), ...path(within.map(([least]) => least)).reverse()].join(
              " ",
            )}
          />
          <polyline points={path(shares).join(" ")} />
          {shares.map((share, at) => (
            <g key={at}>
              <circle cx={x(at)} cy={y(share)} r="3" />
              {isFree(at, number) && (
                <text x={x(at)} y={y(share) - 7}>
                  {inPercent(share)}%
                </text>
              )}
            </g>
          ))}
        </g>
      ))}
      {Array.from({ length: turns }, (_, at) => (
        <text key={at} x={x(at)} y={HEIGHT} class="odds-turn">
          {at + 1}
        </text>
      ))}
    </svg>
  );
}
