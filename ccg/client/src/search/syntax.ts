/** Reading a query with the tables of the server's grammar: text into what is written. See `search/syntax.py`. */

import { QueryError } from "./errors";
import { LANGUAGE } from "./language";

interface Token {
  type: string;
  text: string;
  start: number;
  end: number;
}

/** A word or a phrase, without its quotation marks. */
export interface Text {
  text: string;
  start: number;
  end: number;
}

/** A field asked for values: some group of them, of which every value. A bare word has no field. */
export interface Term {
  kind: "term";
  field: Text;
  operator: Text;
  groups: Text[][];
  start: number;
  end: number;
}

export type Written =
  | Term
  | { kind: "any" | "all"; parts: Written[]; start: number; end: number }
  | { kind: "without" | "off"; part: Written; start: number; end: number }
  | { kind: "parenthesis"; part: Written; start: number; end: number };

// The patterns are the grammar's own: nothing of a query ever becomes one.
const PATTERNS = LANGUAGE.terminals.map(([name, pattern]) => [name, new RegExp(pattern, "y")] as const);
const RULES = LANGUAGE.rules.map((rule) => {
  const [origin = "", parts = ""] = rule.split(": ");
  return { rule, origin, length: parts.split(" ").length };
});

/** What `query` says, null if nothing; throws QueryError. Bounds come before work. */
export function read(query: string): Written | null {
  const signs = [...query];
  const within = signs.slice(0, LANGUAGE.bounds.characters).join("").length;
  if (within < query.length) throw new QueryError("too long", within, query.length, { found: signs.length });
  if (/^[ \t\r\n\u00a0\u202f\u3000]*$/.test(query)) return null;
  const found = tokens(query);
  checkBounds(found);
  return parse(found);
}

/** The words and signs of a query; throws QueryError for a quotation mark that is not closed. */
export function tokens(query: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const token = tokenAt(query, at);
    if (!token) throw new QueryError("open quotation", at, query.length, {}, { expected: ['“"”'] });
    if (token.type !== "SPACE") found.push(token);
    at = token.end;
  }
  return found;
}

function tokenAt(query: string, at: number): Token | null {
  for (const [type, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const text = pattern.exec(query)?.[0];
    if (text) return { type, text, start: at, end: at + text.length };
  }
  return null;
}

function checkBounds(found: Token[]): void {
  let depth = 0;
  let terms = 0;
  found.forEach((token, at) => {
    depth += token.type === "OPEN" ? 1 : token.type === "CLOSE" ? -1 : 0;
    if (depth > LANGUAGE.bounds.depth) throw new QueryError("too deep", token.start, token.end);
    if (isText(token) && found[at + 1]?.type !== "OPERATOR") terms++;
    if (terms > LANGUAGE.bounds.terms) throw new QueryError("too many terms", token.start, token.end);
  });
}

const isText = (token: Token): boolean => token.type === "WORD" || token.type === "PHRASE";

/** Follow the tables from state to state; `values` is what was made of what lies behind. */
function parse(found: Token[]): Written {
  const states = [LANGUAGE.start];
  const values: unknown[] = [];
  const end = found.at(-1)?.end ?? 0;
  for (const token of [...found, { type: "$END", text: "", start: end, end }]) {
    for (;;) {
      const action = actionIn(states, token.type);
      if (action === undefined) throw misplaced(token, accepted(states), found);
      if (action >= 0) {
        states.push(action);
        values.push(token);
        break;
      }
      const { rule, length } = reduce(states, action);
      const parts = values.splice(values.length - length);
      values.push(BUILT[rule] ? BUILT[rule](parts) : parts[0]);
      if (token.type === "$END" && states.at(-1) === LANGUAGE.end) return values[0] as Written;
    }
  }
  throw new Error("the tables have no end");
}

const actionIn = (states: readonly number[], symbol: string): number | undefined =>
  LANGUAGE.states[states.at(-1) ?? LANGUAGE.start]?.[symbol];

/** Leave the states of what a rule is made of for the one that it leads to, and return that rule. */
function reduce(states: number[], action: number): (typeof RULES)[number] {
  const ended = RULES[-1 - action];
  if (!ended) throw new Error(`the tables name rule ${action}`);
  states.splice(states.length - ended.length);
  states.push(actionIn(states, ended.origin) ?? LANGUAGE.end);
  return ended;
}

/** The terminals that could come next, found by trying each. */
function accepted(states: readonly number[]): Set<string> {
  const can = (symbol: string): boolean => {
    const copy = [...states];
    for (;;) {
      const action = actionIn(copy, symbol);
      if (action === undefined) return false;
      if (action >= 0) return true;
      reduce(copy, action);
      if (symbol === "$END" && copy.at(-1) === LANGUAGE.end) return true;
    }
  };
  return new Set(Object.keys(LANGUAGE.tokens).filter(can));
}

function misplaced(token: Token, accepts: Set<string>, found: Token[]): QueryError {
  const expected = Object.entries(LANGUAGE.tokens).flatMap(([name, words]) => (accepts.has(name) ? [words] : []));
  if (token.type === "CLOSE" && accepts.has("$END"))
    return new QueryError("closed parenthesis", token.start, token.end);
  if (token.type !== "$END") {
    return new QueryError("unexpected", token.start, token.end, { found: token.text }, { expected });
  }
  const open = accepts.has("CLOSE") ? lastOpen(found) : undefined;
  if (open) return new QueryError("open parenthesis", open.start, open.end, {}, { expected });
  return new QueryError("unfinished", token.start, token.end, {}, { expected });
}

function lastOpen(found: Token[]): Token | undefined {
  const open: Token[] = [];
  for (const token of found) {
    if (token.type === "OPEN") open.push(token);
    else if (token.type === "CLOSE") open.pop();
  }
  return open.at(-1);
}

/** A function of the parts by name. */
const from =
  <Parts extends unknown[]>(build: (...parts: Parts) => unknown) =>
  (parts: unknown[]): unknown =>
    build(...(parts as Parts));

/** What a rule makes; those that are not here only pass on what they have. */
const BUILT: Record<string, (parts: unknown[]) => unknown> = {
  "any: any OR all": from((left: Written, _: Token, right: Written) => join("any", left, right)),
  "all: all part": from((left: Written, right: Written) => join("all", left, right)),
  "all: all AND part": from((left: Written, _: Token, right: Written) => join("all", left, right)),
  "part: OFF asked": from((sign: Token, part: Written) => ({ kind: "off", part, start: sign.start, end: part.end })),
  "asked: MINUS term": from((minus: Token, part: Written) => ({
    kind: "without",
    part,
    start: minus.start,
    end: part.end,
  })),
  "term: OPEN any CLOSE": from((open: Token, part: Written, close: Token) => ({
    kind: "parenthesis",
    part,
    start: open.start,
    end: close.end,
  })),
  "term: WORD": from((word: Token) => bare(":", word.start, textOf(word))),
  "term: PHRASE": from((phrase: Token) => bare(":", phrase.start, textOf(phrase))),
  "term: EXACT value": from((sign: Token, value: Text) => bare("=", sign.start, value)),
  "term: WORD OPERATOR values": from((field: Token, operator: Token, groups: Text[][]) => ({
    kind: "term",
    field: textOf(field),
    operator: textOf(operator),
    groups,
    start: field.start,
    end: groups.at(-1)?.at(-1)?.end ?? operator.end,
  })),
  "values: values BAR group": from((values: Text[][], _: Token, group: Text[]) => [...values, group]),
  "values: group": from((group: Text[]) => [group]),
  "group: group AMPERSAND value": from((group: Text[], _: Token, value: Text) => [...group, value]),
  "group: value": from((value: Text) => [value]),
  "value: WORD": from((word: Token) => textOf(word)),
  "value: PHRASE": from((phrase: Token) => textOf(phrase)),
};

/** Both in one list: the grammar builds lists from the left, two at a time. */
function join(kind: "any" | "all", left: Written, right: Written): Written {
  const parts = left.kind === kind ? left.parts : [left];
  return { kind, parts: [...parts, right], start: left.start, end: right.end };
}

function bare(operator: string, start: number, value: Text): Term {
  const nothing = { text: "", start, end: start };
  return {
    kind: "term",
    field: nothing,
    operator: { ...nothing, text: operator },
    groups: [[value]],
    start,
    end: value.end,
  };
}

const textOf = ({ type, text, start, end }: Token): Text => ({
  text: type === "PHRASE" ? text.slice(1, -1) : text,
  start,
  end,
});
