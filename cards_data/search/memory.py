"""The evaluation in memory: what a query asks, of cards as the catalogue file has them.

The browser does the same with the same facts (``ccg/client/src/search/memory.ts``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from cards_data.search.known import NOTHING, Known
from cards_data.search.language import Facts, Field, Language
from cards_data.search.nodes import All, Among, Between, Contains, Counted, Equals, Has, Node, Not, Only, Present, Some
from ccg.rules.cards.definitions import fold
from ccg.rules.telling.wording.marks import plain

Value = str | int
Values = tuple[Value, ...]
"""What one card has in one field: folded text as a whole, words, or numbers; empty where it is missing."""


class Cards:
    """Cards to be searched. The values of a field are read when they are first asked for, and kept."""

    def __init__(self, language: Language, cards: Sequence[Any]) -> None:
        """Take the facts of the cards, in the order in which they are to be found."""
        self.language = language
        self.cards = cards
        self.column = cache(self._column)

    def matching(self, node: Node, known: Known = NOTHING) -> list[Any]:
        """Return the cards that ``node`` asks for, in their order; ``known`` is what it was read with."""
        return [card for at, card in enumerate(self.cards) if self._holds(node, at, known)]

    def _holds(self, node: Node, at: int, known: Known) -> bool:
        match node:
            case All(parts):
                return all(self._holds(part, at, known) for part in parts)
            case Some(parts):
                return any(self._holds(part, at, known) for part in parts)
            case Not(part):
                return not self._holds(part, at, known)
            case Among(field, group):
                return self.cards[at].id in known.groups(field).get(group, ())
            case Counted(field, low, high):
                return _within(known.counts(field).get(self.cards[at].id, 0), low, high)
        return _true(node, self.column(node.field)[at])

    def _column(self, name: str) -> list[Values]:
        field = self.language.by_name[name]
        return [values_of(field, card) for card in self.cards]


def values_of(field: Field, card: Any) -> Values:
    """Return what ``card`` has in ``field``."""
    facts = field.facts
    if facts.flags:
        return tuple(word for word, paths in facts.flags.items() if all(any(_at(card, path)) for path in paths))
    found = [value for path in facts.paths for value in _at(card, path)]
    match field.kind.name:
        case "text":
            text = " ".join(str(value) for value in found)
            return tuple(filter(None, [fold(plain(text) if facts.marked else text)]))
        case "number":
            return _numbers(found, facts, card)
    words = [word for value in found for word in (value if isinstance(value, dict) else [value])]
    return tuple(word for word in words if word)


def _numbers(found: list[Any], facts: Facts, card: Any) -> Values:
    """Return the numbers among ``found``, amounts summed up; 0 for a card of a type that always has one."""
    if facts.of and card.type not in facts.of:
        return ()
    numbers = [sum(value.values()) if isinstance(value, dict) else value for value in found if value is not None]
    return tuple(numbers) if numbers or not facts.of else (0,)


def _at(value: Any, path: str) -> Iterator[Any]:
    """Yield what is at the end of ``path``: a list on the way means each of its entries."""
    key, _, rest = path.partition(".")
    found = value.get(key) if isinstance(value, dict) else getattr(value, key)
    for one in found if isinstance(found, list | tuple) else [found]:
        if rest and one is not None:
            yield from _at(one, rest)
        else:
            yield one


def _true(node: Present | Contains | Equals | Has | Only | Between, values: Values) -> bool:
    match node:
        case Present():
            return bool(values)
        case Contains(_, text):
            return any(text in str(value) for value in values)
        case Equals(_, word) | Has(_, word):
            return word in values
        case Only(_, words):
            return set(words) == set(values)
        case Between(_, low, high):
            return any(_within(number, low, high) for number in values if isinstance(number, int))


def _within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)
