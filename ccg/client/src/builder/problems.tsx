/** The bar of legality: how many cards, whether the deck may be played, and every reason with what mends it. */

import type { VNode } from "preact";
import { Icon, Marked, plainText } from "../cards";
import { type Builder, useBuilder, useEdited } from "./context";
import { showBases } from "./deck";
import { advice, deckSize, editionOf, type Problem } from "./legality";
import { lacking, unplayed } from "./numbers";

const AUTOMATIC = new Set(["set_base", "set_count"]);

export const verdict = (problems: readonly Problem[]): string =>
  problems.length === 0 ? "Legal" : `Not legal: ${problems.length === 1 ? "1 reason" : `${problems.length} reasons`}`;

export function Legality({ problems }: { problems: readonly Problem[] }): VNode {
  const { editor, rules, known } = useBuilder();
  const { content, dialog } = useEdited("content", "dialog");
  const size = deckSize(content.counts, known.cards);
  const { minimum } = editionOf(rules, content.format);
  const [first] = problems;
  const open = dialog?.kind === "problems";
  const advised = advice(content.counts, rules, known.cards);
  return (
    <section class={`legality panel ${first ? "is-wrong" : "is-legal"}`} aria-label="Legality" tabIndex={-1}>
      <div class="legality-bar">
        <span class="legality-size">
          <Icon name="deck" size={18} />
          <b>{size}</b> of {minimum} or more
        </span>
        <span class={`legality-verdict ${first ? "bad" : "good"}`}>
          <Icon name={first ? "warn" : "check"} size={18} /> {verdict(problems)}
        </span>
        {first && !open && (
          <span class="legality-first">
            <span>
              <Marked text={first.text} />
            </span>{" "}
            <Fix problem={first} />
          </span>
        )}
        {(problems.length > 1 || open) && (
          <button
            type="button"
            class="button button-small button-quiet"
            aria-expanded={open}
            onClick={() => editor.show({ dialog: open ? null : { kind: "problems" } })}
          >
            {open ? "Only the first" : "All reasons"}
          </button>
        )}
      </div>
      {open && (
        <ol class="legality-all">
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.cards.join(" ")}`}>
              <p>
                <Marked text={problem.text} /> <Fix problem={problem} />
              </p>
              <p class="small faint">
                {problem.rule} · {rules.rules[problem.rule]}
                {problem.found !== null && problem.required !== null && ` · ${problem.found} of ${problem.required}`}
              </p>
            </li>
          ))}
        </ol>
      )}
      {size > 0 && <Besides />}
      {advised && size > 0 && (
        <p class="small quiet">
          <Icon name="info" size={15} /> {advised}
        </p>
      )}
    </section>
  );
}

/** What else is to be known of a deck, in the words of its page: whether all of it plays, and whether one owns it. */
function Besides(): VNode {
  const { owned, known } = useBuilder();
  const { content } = useEdited("content");
  const pending = unplayed(content, known.cards);
  const lacked = owned && lacking(content, owned);
  return (
    <p class="legality-besides small">
      <span class={pending === 0 ? "good" : "quiet"}>
        <Icon name={pending === 0 ? "play" : "pending"} size={14} />{" "}
        {pending === 0 ? "Every card does what it says" : `${pending} with an ability not yet played`}
      </span>
      {lacked !== null && (
        <span class={lacked === 0 ? "good" : "quiet"}>
          <Icon name={lacked === 0 ? "check" : "stack"} size={14} />{" "}
          {lacked === 0 ? "You own it" : `You lack ${lacked}`}
        </span>
      )}
    </p>
  );
}

/** The button that mends a problem: at once where nobody has to choose, else by going to where it is chosen. */
function Fix({ problem }: { problem: Problem }): VNode {
  const builder = useBuilder();
  const { query } = useEdited("query");
  return (
    <button type="button" class="button button-small" onClick={() => mend(builder, problem, query)}>
      {plainText(problem.fix).replace(/\.$/, "")}
    </button>
  );
}

function mend(builder: Builder, { actions }: Problem, query: string): void {
  const { editor } = builder;
  const wanted = actions[0]?.do;
  if (actions.every((step) => AUTOMATIC.has(step.do))) editor.mend(actions);
  else if (wanted === "choose_base") showBases(builder, query);
  else if (wanted === "choose_format") document.getElementById("deck-format")?.focus();
  else {
    editor.show({ tab: "cards" });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".builder-search input")?.focus());
  }
}
