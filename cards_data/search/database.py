"""The evaluation by the database: what a query asks, as a condition on rows."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from cards_data.search.columns import NOTHING, Column
from cards_data.search.known import NOTHING as NOTHING_KNOWN
from cards_data.search.known import Known
from cards_data.search.language import Language
from cards_data.search.nodes import All, Among, Between, Contains, Counted, Equals, Has, Node, Not, Only, Present, Some


def condition(language: Language, node: Node, known: Known = NOTHING_KNOWN) -> Q:
    """Return the rows that ``node`` asks for, as a condition that is true or false of each."""
    match node:
        case All(parts):
            whole = Q()
            for part in parts:
                whole &= condition(language, part, known)
            return whole
        case Some(parts):
            # Q() | x is x, so it must not begin with what matches everything.
            some = NOTHING
            for part in parts:
                asked = condition(language, part, known)
                if not asked:
                    return Q()
                some |= asked
            return some
        case Not(part):
            asked = condition(language, part, known)
            return ~asked if asked else NOTHING
        case Among(field, group):
            return _one_of(known.groups(field).get(group, ()))
        case Counted(field, low, high):
            counts = known.counts(field)
            zero = _within(0, low, high)
            apart = [card for card, count in counts.items() if _within(count, low, high) is not zero]
            return ~_one_of(apart) if zero else _one_of(apart)
    return _asked(_column(language, node.field), node)


def _one_of(keys: Iterable[str]) -> Q:
    """Match the rows with these keys, which are one parameter: databases take a limited number of those."""
    return Q(pk__among=sorted(keys))


def _within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


def _asked(column: Column, node: Present | Contains | Equals | Has | Only | Between) -> Q:
    match node:
        case Present():
            return column.present()
        case Contains(_, text):
            return column.contains(text)
        case Equals(_, text):
            return column.equals(text)
        case Has(_, word):
            return column.has(word)
        case Only(_, words):
            return column.only(words)
        case Between(_, low, high):
            return column.between(low, high)


def _column(language: Language, name: str) -> Column:
    column = language.by_name[name].column
    assert column is not None, f"{name} can be asked for, and so has a column"
    return column
