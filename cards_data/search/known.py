"""What is known of cards beyond what is printed on them: which formats allow them, which decks have them.

This app knows nothing of formats, decks and people. Apps above it :func:`register` what they can tell of every card,
and whoever asks a query hands in what holds only for them: the deck that is open, their collection. A query that asks
for what nobody has handed in is refused with a sentence (see ``missing`` of the kinds).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

Groups = Mapping[str, Collection[str]]
"""Ids of cards, by the word that is asked for them: ``standard-2006`` of the field ``legal``."""
Counts = Mapping[str, int]
"""A number by card id; a card that is not named has 0."""

_T = TypeVar("_T")
_groups: dict[str, Callable[[Any], Groups]] = {}
_counts: dict[str, Callable[[Any], Counts | None]] = {}


def register(field: str, source: Callable[[Any], Groups]) -> None:
    """Let ``source`` tell the groups of ``field``, of the cards of a data version that it is given.

    Called from ``AppConfig.ready``.
    """
    if _groups.setdefault(field, source) is not source:
        raise ValueError(f"{field!r} is told already")


def register_counts(field: str, source: Callable[[Any], Counts | None]) -> None:
    """Let ``source`` tell the numbers of ``field`` of the person that it is given, None for whoever has none.

    Called from ``AppConfig.ready``.
    """
    if _counts.setdefault(field, source) is not source:
        raise ValueError(f"{field!r} is told already")


class Known:
    """What is known while one query is read and answered. A source is asked when a query first needs it, and once."""

    def __init__(
        self,
        groups: Mapping[str, Callable[[], Groups]] | None = None,
        counts: Mapping[str, Callable[[], Counts | None]] | None = None,
    ) -> None:
        """Take the sources by field."""
        self._groups = {field: _Once(source) for field, source in (groups or {}).items()}
        self._counts = {field: _Once(source) for field, source in (counts or {}).items()}

    def __contains__(self, field: object) -> bool:
        return field in self._groups or (field in self._counts and self._counts[str(field)].value is not None)

    def groups(self, field: str) -> Groups:
        """Return the groups of cards that ``field`` can be asked for; none where nobody has handed them in."""
        return self._groups[field].value if field in self._groups else {}

    def counts(self, field: str) -> Counts:
        """Return the numbers of ``field``; none where nobody has handed them in."""
        return (self._counts[field].value if field in self._counts else None) or {}

    def words(self) -> dict[str, tuple[str, ...]]:
        """Return the words of every field whose groups can be listed, for help and completion."""
        groups = {field: source.value for field, source in self._groups.items()}
        return {field: tuple(found) for field, found in groups.items() if isinstance(found, dict)}


class _Once(Generic[_T]):
    """What a source says, asked for once."""

    def __init__(self, source: Callable[[], _T]) -> None:
        self._source = source

    @cached_property
    def value(self) -> _T:
        return self._source()


NOTHING = Known()
"""Nothing but what is printed."""


def told(data: Any, person: Any = None) -> Known:
    """Return what registered apps tell of the cards of ``data``, and, of a ``person`` who asks, their numbers."""
    groups = {field: partial(source, data) for field, source in _groups.items()}
    return Known(groups, {field: partial(source, person) for field, source in _counts.items()})
