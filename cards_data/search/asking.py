"""A query as a page is asked it: what was written, what is wrong with it, and what is shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cards_data.search.errors import QueryError
from cards_data.search.language import Query


class Wrong(NamedTuple):
    """A query that could not be read, taken apart for the page: before, the wrong part, after."""

    error: QueryError
    before: str
    part: str
    after: str
    better: str
    """The query with what was suggested; empty without a suggestion."""


class Asked(NamedTuple):
    """What was written, and the query that is shown: where that is wrong, the last one that was right."""

    text: str
    query: Query
    wrong: Wrong | None = None


def asked(parameters: Mapping[str, str], read: Callable[[str], Query]) -> Asked:
    """Return what is asked for by ``q``; where ``read`` refuses it, ``last`` stays."""
    text = " ".join(parameters.get("q", "").split())
    try:
        return Asked(text, read(text))
    except QueryError as error:
        better = f"{text[: error.start]}{error.suggestion}{text[error.end :]}" if error.suggestion else ""
        wrong = Wrong(error, text[: error.start], text[error.start : error.end], text[error.end :], better)
    try:
        return Asked(text, read(parameters.get("last", "")), wrong)
    except QueryError:
        return Asked(text, read(""), wrong)
