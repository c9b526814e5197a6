/**
 * The search language in the browser: `new SearchableCards(facts).search("t:ship cost<=3")`.
 *
 * Grammar, fields and sentences are the server's (`language.ts` is written by `manage.py search_language`), and so is
 * what is found: `manage.py prove search` holds all evaluations to the same queries.
 */

export { completions } from "./completions";
export { nearest, QueryError } from "./errors";
export { LANGUAGE } from "./language";
export { SearchableCards } from "./memory";
export { apart, fieldNamed, fold, type Known, type Query, quoted, readQuery, type Vocabulary } from "./query";
export { read, tokens, type Written } from "./syntax";
