/** Words of the game in texts: pointing at one, or holding a finger on it, says what it means. */

import type { ComponentChildren, VNode } from "preact";
import { useGlossary } from "./glossary";

interface Reach {
  /** Whether Tab stops at words of the game: where one line of text stands, not in lists of them. */
  reach?: boolean;
}

/** A text in which each word of the game can be pointed at. */
export function Terms({ text, reach = false }: { text: string } & Reach): VNode {
  const glossary = useGlossary();
  if (!glossary) return <>{text}</>;
  return (
    <>
      {glossary.parts(text).map(({ text: words, term }) =>
        term ? (
          <TermName term={term.word} meaning={reach ? term.meaning : undefined}>
            {words}
          </TermName>
        ) : (
          words
        ),
      )}
    </>
  );
}

interface TermNameProps {
  term: string;
  /** Its meaning, for who hears it; with one, the word can have the focus. */
  meaning?: string | undefined;
  children: ComponentChildren;
}

/** What stands for the word `term` of the game, whatever it is called here. */
export function TermName({ term, meaning, children }: TermNameProps): VNode {
  const reached = meaning === undefined ? {} : { role: "button" as const, tabIndex: 0, "aria-description": meaning };
  return (
    <span class="term" data-term={term} {...reached}>
      {children}
    </span>
  );
}

/** The meaning of a word, in a preview; nothing for a word that is none. */
export function TermNotes({ term }: { term: string }): VNode | null {
  const found = useGlossary()?.find(term);
  if (!found) return null;
  return (
    <p class="term-notes">
      <b>{found.word}</b> {found.meaning} <small>{ruleName(found.clause)}</small>
    </p>
  );
}

/** "rule CHAL-1", "ruling 24". */
export const ruleName = (clause: string): string =>
  clause.startsWith("ruling-") ? clause.replace("-", " ") : `rule ${clause}`;
