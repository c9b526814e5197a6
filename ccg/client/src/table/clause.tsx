/** Links from what is asked, told or refused to the clause behind it; at the table they open the drawer of rules. */

import type { VNode } from "preact";
import { ruleName } from "../cards/terms";
import { EVENT_CLAUSES } from "./clauses-data";
import type { Table } from "./table";
import type { EventView } from "./types";

/** A small § (drawn by the style sheet: it is no part of a sentence) that leads to the clause; nothing where the words of a card are the rule. */
export function ClauseLink({ clause }: { clause: string | undefined }): VNode | null {
  if (!clause) return null;
  const page = clause.startsWith("ruling-") ? "rulings" : "clauses";
  const name = ruleName(clause);
  return (
    // biome-ignore lint/a11y/useAnchorContent: its name is its label.
    <a
      class="clause-link"
      href={`/rules/${page}/#${clause}`}
      target="_blank"
      rel="noopener"
      data-clause={clause}
      title={name}
      aria-label={name}
    />
  );
}

/** The clause behind an event. */
export function clauseOfEvent({ kind, to, opponent }: EventView): string | undefined {
  if (kind === "phase") return EVENT_CLAUSES[`phase ${to}`];
  if (kind === "challenge" && opponent === null) return EVENT_CLAUSES["challenge threat"];
  return EVENT_CLAUSES[kind];
}

/** Open the drawer for every link to a clause on the page, until the returned function is called. */
export function openClauses(table: Table): () => void {
  const clicked = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-clause]") : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    event.preventDefault();
    table.open({ kind: "rules", clause: link.dataset.clause ?? null });
  };
  document.addEventListener("click", clicked);
  return () => document.removeEventListener("click", clicked);
}
