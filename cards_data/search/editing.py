"""Changing a query by a click: chips, orders and views are parts of its text, so that one text is the whole state."""

from __future__ import annotations

from collections.abc import Iterator

from cards_data.search.kinds import DisplayKind, quoted
from cards_data.search.language import Language, Query
from cards_data.search.syntax import Joined, Off, Term, Text, Written
from ccg.rules.cards.definitions import fold


def parts(query: Query) -> list[tuple[Written, str]]:
    """Return what stands side by side in a query, each with its text."""
    return [(part, _text(query, part)) for part in query.parts]


def bare_words(query: Query) -> list[Text]:
    """Return the words and phrases that are looked for in names, of the parts that stand side by side."""
    return [
        part.groups[0][0]
        for part in query.parts
        if isinstance(part, Term) and not part.field.text and part.operator.text == ":"
    ]


def without(query: Query, part: Written) -> str:
    """Return the text of a query without one of its parts."""
    return _side_by_side([(other, text) for other, text in parts(query) if other is not part])


def switched(query: Query, part: Written) -> str:
    """Return the text of a query with one of its parts switched off, or on again."""
    text = _text(query, part)
    if isinstance(part, Off):
        text = query.text[part.part.start : part.end]
    else:
        text = f"~({text})" if isinstance(part, Joined) else f"~{text}"
    return _replaced(query, part, text)


def only_shows(part: Written, language: Language) -> bool:
    """Return whether a part of a query chooses nothing, but says how results are shown."""
    return (
        isinstance(part, Term) and bool(part.field.text) and isinstance(language.field(part.field).kind, DisplayKind)
    )  # fmt: skip


def chosen(query: Query, language: Language, field: str) -> frozenset[str]:
    """Return the words (folded) of which any one is asked for in ``field``, by parts of the query of their own."""
    return frozenset(
        fold(value.text) for term in _terms(query, language, field) for value in _single(term)
    )  # fmt: skip


def toggled(query: Query, language: Language, field: str, word: str) -> str:
    """Return the text of ``query`` with ``word`` taken into what ``field`` is asked for, or out of it.

    Words of one field stand in one term, any of which is enough. A display field has one word: the new one.
    """
    terms = list(_terms(query, language, field))
    if isinstance(language.by_name[field].kind, DisplayKind):
        # Another order begins with its own end.
        turned = _terms(query, language, "dir") if field == "order" else ()
        return _with(query, [*terms, *turned], f"{field}:{word}")
    for term in terms:
        if fold(word) in {fold(value.text) for value in _single(term)}:
            return _replaced(query, term, _taken_out(query, term, word))
    if terms and len(_single(terms[-1])) == len(terms[-1].groups):
        term = terms[-1]
        return _replaced(query, term, f"{query.text[term.start : term.end]}|{quoted(fold(word))}")
    return _with(query, [], f"{field}:{quoted(fold(word))}")


def _terms(query: Query, language: Language, field: str) -> Iterator[Term]:
    """Yield the terms that ask ``field`` by themselves, with a plain operator."""
    for part in query.parts:
        if isinstance(part, Term) and part.operator.text in (":", "=") and _asks(part, language, field):
            yield part


def _asks(term: Term, language: Language, field: str) -> bool:
    return bool(term.field.text) and language.field(term.field).name == field


def _single(term: Term) -> list[Text]:
    """Return the values of which each is enough by itself."""
    return [group[0] for group in term.groups if len(group) == 1]


def _taken_out(query: Query, term: Term, word: str) -> str:
    left = [
        query.text[group[0].start : group[-1].end]
        for group in term.groups
        if len(group) > 1 or fold(group[0].text) != fold(word)
    ]
    return f"{query.text[term.start : term.operator.end]}{'|'.join(left)}" if left else ""


def _text(query: Query, part: Written) -> str:
    """Return what is written of a part; of an "or" without the orders that stood among its sides."""
    if isinstance(part, Joined):
        return (" or " if part.any else " ").join(_text(query, one) for one in part.parts)
    return query.text[part.start : part.end]


def _replaced(query: Query, part: Written, text: str) -> str:
    return _side_by_side([(None, text) if one is part else (one, old) for one, old in parts(query)])


def _with(query: Query, instead_of: list[Term], text: str) -> str:
    kept = [(one, old) for one, old in parts(query) if not any(one is other for other in instead_of)]
    return _side_by_side([*kept, (None, text)])


def _side_by_side(written: list[tuple[Written | None, str]]) -> str:
    """Return the text of parts that all hold; an "or" beside others needs parentheses."""
    texts = [(part, text) for part, text in written if text]
    alone = len(texts) == 1
    return " ".join(
        f"({text})" if isinstance(part, Joined) and part.any and not alone else text for part, text in texts
    )
