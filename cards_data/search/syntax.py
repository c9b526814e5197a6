"""Reading a query: text into a tree of what is written, before it is known what fields there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from cards_data.search.errors import MAX_CHARACTERS, MAX_DEPTH, MAX_TERMS, TOKENS, QueryError
from ccg.rules.cards.grammars import parser_of

GRAMMAR = Path(__file__).with_name("grammar.lark")
SPACES = " \t\r\n\u00a0\u202f\u3000"
"""What parts words, as in the grammar."""


class Text(NamedTuple):
    """A word or a phrase, without its quotation marks; ``start`` and ``end`` are where it stands with them."""

    text: str
    start: int
    end: int


class Term(NamedTuple):
    """A field asked for values: some group of them, of which every value. ``field`` is empty for a bare word.

    ``operator`` is then ":" for a part of a name and "=" for the whole of it.
    """

    field: Text
    operator: Text
    groups: tuple[tuple[Text, ...], ...]
    start: int
    end: int


class Joined(NamedTuple):
    """Parts of which all hold, or with ``any`` some; there are at least two."""

    any: bool
    parts: tuple[Written, ...]
    start: int
    end: int


class Without(NamedTuple):
    """What is behind a "-"."""

    part: Written
    start: int
    end: int


class Off(NamedTuple):
    """What is behind a "~": switched off, and kept to be switched on again."""

    part: Written
    start: int
    end: int


class Parenthesis(NamedTuple):
    """What stands in parentheses."""

    part: Written
    start: int
    end: int


Written = Term | Joined | Without | Off | Parenthesis


def grammar() -> Lark:
    """Return the parser. Nothing of a query ever becomes a pattern: patterns are those of the grammar."""
    return parser_of(GRAMMAR, lexer="basic", keep_all_tokens=True, propagate_positions=False)


def read(query: str) -> Written | None:
    """Return what ``query`` says, None if nothing; raises :class:`QueryError`.

    Bounds come first: what is too long is not read, and what is too deep or has too many terms is not looked into.
    """
    if len(query) > MAX_CHARACTERS:
        raise QueryError("too long", MAX_CHARACTERS, len(query), found=len(query))
    if not query.strip(SPACES):
        return None
    tokens = _tokens(query)
    _check_bounds(tokens)
    parser = grammar().parse_interactive("")
    try:
        for token in tokens:
            parser.feed_token(token)
        tree: Tree[Token] = parser.feed_eof(tokens[-1])
    except UnexpectedToken as error:
        raise _misplaced(error.token, parser.accepts(), tokens) from error
    return _build(tree)


def _tokens(query: str) -> list[Token]:
    try:
        return list(grammar().lex(query))
    except UnexpectedCharacters as error:
        # Every other sign begins a token.
        raise QueryError("open quotation", error.pos_in_stream or 0, len(query), expected=['“"”']) from error


def _check_bounds(tokens: list[Token]) -> None:
    depth = terms = 0
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        depth += (token.type == "OPEN") - (token.type == "CLOSE")
        if depth > MAX_DEPTH:
            raise QueryError("too deep", *_place(token))
        terms += token.type in ("WORD", "PHRASE") and (after is None or after.type != "OPERATOR")
        if terms > MAX_TERMS:
            raise QueryError("too many terms", *_place(token))


def _misplaced(token: Token, accepted: set[str], tokens: list[Token]) -> QueryError:
    """Return the error for a token that the grammar does not have there; a missing one stands behind the last."""
    expected = [words for name, words in TOKENS.items() if name in accepted]
    if token.type == "CLOSE" and "$END" in accepted:
        return QueryError("closed parenthesis", *_place(token))
    if token.type != "$END":
        return QueryError("unexpected", *_place(token), expected=expected, found=str(token))
    if "CLOSE" in accepted:
        return QueryError("open parenthesis", *_place(_open(tokens)), expected=expected)
    end = tokens[-1].end_pos or 0
    return QueryError("unfinished", end, end, expected=expected)


def _open(tokens: list[Token]) -> Token:
    """Return the last parenthesis that is not closed."""
    opened: list[Token] = []
    for token in tokens:
        if token.type == "OPEN":
            opened.append(token)
        elif token.type == "CLOSE":
            opened.pop()
    return opened[-1]


def _place(token: Token) -> tuple[int, int]:
    return token.start_pos or 0, token.end_pos or 0


def _build(node: Any) -> Written:
    """Return what a node of the parser's tree says."""
    parts = node.children
    match node.data, *(part.data if isinstance(part, Tree) else part.type for part in parts):
        case "any", "any", "OR", "all":
            return _join(True, _build(parts[0]), _build(parts[2]))
        case ("all", "all", "part") | ("all", "all", "AND", "part"):
            return _join(False, _build(parts[0]), _build(parts[-1]))
        case "part", "OFF", "asked":
            inner = _build(parts[1])
            return Off(inner, parts[0].start_pos, inner.end)
        case "asked", "MINUS", "term":
            inner = _build(parts[1])
            return Without(inner, parts[0].start_pos, inner.end)
        case "term", "OPEN", "any", "CLOSE":
            return Parenthesis(_build(parts[1]), parts[0].start_pos, parts[2].end_pos)
        case "term", "WORD", "OPERATOR", "values":
            field, operator = _text(parts[0]), _text(parts[1])
            groups = _groups(parts[2])
            return Term(field, operator, groups, field.start, groups[-1][-1].end)
        case "term", "EXACT", "value":
            return _bare("=", parts[0].start_pos, _text(parts[1].children[0]))
        case "term", _:
            return _bare(":", parts[0].start_pos, _text(parts[0]))
    return _build(parts[0])


def _join(any_: bool, left: Written, right: Written) -> Joined:
    """Return both in one list; the grammar builds lists from the left, two at a time."""
    parts = left.parts if isinstance(left, Joined) and left.any == any_ else (left,)
    return Joined(any_, (*parts, right), left.start, right.end)


def _bare(operator: str, start: int, text: Text) -> Term:
    return Term(Text("", start, start), Text(operator, start, start), ((text,),), start, text.end)


def _groups(values: Any) -> tuple[tuple[Text, ...], ...]:
    before = _groups(values.children[0]) if len(values.children) > 1 else ()
    return (*before, _group(values.children[-1]))


def _group(group: Any) -> tuple[Text, ...]:
    before = _group(group.children[0]) if len(group.children) > 1 else ()
    return (*before, _text(group.children[-1].children[0]))


def _text(token: Token) -> Text:
    text = token[1:-1] if token.type == "PHRASE" else str(token)
    return Text(text, *_place(token))
