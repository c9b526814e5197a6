/** Words of the game in texts: pointing at one, or holding a finger on it, says what it means. */

import type { ComponentChildren, VNode } from "preact";
import { useGlossary } from "./glossary";

/** A text in which each word of the game can be pointed at. */
export function Terms({ text }: { text: string }): VNode {
  const glossary = useGlossary();
  if (!glossary) return <>{text}</>;
  return (
    <>
      {glossary
        .parts(text)
        .map(({ text: words, term }) => (term ? <TermName term={term.word}>{words}</TermName> : words))}
    </>
  );
}

/** What stands for the word `term` of the game, whatever it is called here. */
export function TermName({ term, children }: { term: string; children: ComponentChildren }): VNode {
  return (
    <span class="term" data-term={term}>
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
