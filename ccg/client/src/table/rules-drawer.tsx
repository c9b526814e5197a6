/** The drawer of rules at the table: search, what goes on now on top, and the clause that was asked for. */

import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../cards";
import { loadGlossary, useGlossary } from "../cards/glossary";
import { Terms } from "../cards/terms";
import { type Entry, loadRules, type RulesFile, type Section, searched, sectionsOf } from "./rules";
import { useNow } from "./tiles";
import { Window } from "./window";

const NOW: Record<string, string> = {
  setup: "Setup",
  ready: "Ready phase",
  execution: "Execution phase",
  challenge: "Challenge",
  cylon: "Cylon phase",
};

export function RulesDrawer({ clause }: { clause: string | null }): VNode {
  const { view } = useNow();
  const [file, loaded] = useState<RulesFile | null>(null);
  const [failed, fail] = useState(false);
  const [search, setSearch] = useState("");
  const [asked, ask] = useState(clause);
  const field = useRef<HTMLInputElement>(null);
  const terms = useGlossary()?.terms;
  const phase = view.challenge ? "challenge" : view.phase;
  const load = (): void => {
    fail(false);
    loadRules().then(loaded, () => fail(true));
    void loadGlossary().catch(() => undefined);
  };
  useEffect(load, []);
  // Not on a phone: its keyboard would hide what goes on now.
  useEffect(() => {
    if (!clause && typeof matchMedia === "function" && matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [clause]);
  useEffect(() => {
    ask(clause);
    setSearch("");
  }, [clause]);
  const sections = useMemo(() => (file ? sectionsOf(file, terms ?? [], phase) : []), [file, terms, phase]);
  const shown = useMemo(() => searched(sections, search), [sections, search]);
  return (
    <Window title="Rules" class="rules-drawer">
      <label class="rules-search">
        <Icon name="search" size={16} />
        <span class="visually-hidden">Search the rules</span>
        <input
          type="search"
          ref={field}
          value={search}
          placeholder="Search the rules"
          onInput={(event) => {
            setSearch(event.currentTarget.value);
            ask(null);
          }}
        />
      </label>
      {failed && (
        <p role="alert">
          The rules could not be loaded.{" "}
          <button type="button" class="button button-small" onClick={load}>
            Try again
          </button>
        </p>
      )}
      {!file && !failed && <p role="status">Loading the rules …</p>}
      {file && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        <section class="rules-list" tabIndex={0} aria-label="Rules">
          <p class="visually-hidden" role="status">
            {search && `${shown.reduce((sum, { entries }) => sum + entries.length, 0)} found`}
          </p>
          {shown.length === 0 && <p>Nothing has these words.</p>}
          {shown.map((section, place) => (
            <RuleSection
              section={section}
              open={search !== "" || section.now || section.entries.some(({ id }) => id === asked)}
              asked={asked}
              now={section.now && place === 0 && search === "" ? (NOW[phase] ?? "") : ""}
              key={section.name}
            />
          ))}
        </section>
      )}
      <p class="rules-more small">
        <a href="/rules/" target="_blank" rel="noopener">
          The rules with pictures
        </a>
      </p>
    </Window>
  );
}

interface RuleSectionProps {
  section: Section;
  open: boolean;
  asked: string | null;
  /** What goes on now, if the section is about it. */
  now: string;
}

function RuleSection({ section, open, asked, now }: RuleSectionProps): VNode {
  return (
    <details class={`rules-section ${now ? "is-now" : ""}`} open={open}>
      <summary>
        <h3>{section.name}</h3>
        {now && <span class="chip chip-lamp">Now: {now}</span>}
      </summary>
      <dl>
        {section.entries.map((entry) => (
          <Rule entry={entry} asked={entry.id === asked} key={entry.id} />
        ))}
      </dl>
    </details>
  );
}

function Rule({ entry, asked }: { entry: Entry; asked: boolean }): VNode {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!asked) return;
    row.current?.scrollIntoView?.({ block: "center" });
    row.current?.focus({ preventScroll: true });
  }, [asked]);
  const isWord = entry.id.startsWith("word-");
  return (
    <div class={`rule ${asked ? "is-asked" : ""}`} ref={row} tabIndex={asked ? -1 : undefined} data-rule={entry.id}>
      <dt>{entry.name}</dt>
      <dd>
        {isWord ? entry.text : <Terms text={entry.text} />}{" "}
        {entry.ruling !== null && (
          <a class="clause-link" href={`/rules/rulings/#ruling-${entry.ruling}`} data-clause={`ruling-${entry.ruling}`}>
            ruling {entry.ruling}
          </a>
        )}{" "}
        {!isWord && (
          <small>
            <a
              href={`/rules/played/?shows=${encodeURIComponent(entry.id)}`}
              target="_blank"
              rel="noopener"
              aria-label={`See it played: ${entry.name}`}
            >
              See it played
            </a>
          </small>
        )}
      </dd>
    </div>
  );
}
