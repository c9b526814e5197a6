"""The kinds of field: what each can be asked, and what that means as conditions.

A kind is data and a few functions of it; ``ccg/client/src/search/query.ts`` has the same functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, date, timedelta
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol

from cards_data.search.errors import MAX_NUMBER, QueryError, nearest
from cards_data.search.known import NOTHING, Known
from cards_data.search.nodes import (
    All,
    Among,
    Between,
    Contains,
    Counted,
    Equals,
    Has,
    Node,
    Not,
    Only,
    Present,
    Some,
)
from cards_data.search.syntax import Text
from ccg.rules.cards.definitions import fold

MAX_CARDS = 40
"""Cards that one name can stand for: each is a condition of its own."""

EQUALITY = (":", "=", "!=")
ORDER = (":", "=", "!=", "<", "<=", ">", ">=")

Defined = Callable[[str], Node]
"""Reads a query of the language's own: what a word like ``is:unit`` stands for."""


class Asked(NamedTuple):
    """One field asked for values, with what there is to choose from in these cards."""

    field: str
    operator: str
    words: tuple[str, ...]
    defined: Defined
    known: Known = NOTHING
    names: Callable[[], Mapping[str, str]] = dict
    """Returns the folded names of all cards, by id."""
    aliases: Mapping[str, str] = MappingProxyType({})
    """The names of fields that can be missing, by their other names."""


@dataclass(frozen=True)
class TextKind:
    """Text, compared without case, accents and punctuation."""

    name: ClassVar = "text"
    operators: ClassVar = EQUALITY

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        condition = Equals if asked.operator == "=" else Contains
        return All(tuple(condition(asked.field, _folded(value)) for value in values))


@dataclass(frozen=True)
class NumberKind:
    """Numbers, in ranges too; cards without one match no comparison."""

    name: ClassVar = "number"
    operators: ClassVar = ORDER

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        return All(tuple(self._one(asked, value) for value in values))

    def _one(self, asked: Asked, value: Text) -> Node:
        first, dots, last = value.text.partition("..")
        if dots and asked.operator in (":", "="):
            low, high = _number(first, value), _number(last, value)
            if low > high:
                raise QueryError("empty range", value.start, value.end, found=value.text, suggestion=f"{high}..{low}")
            return Between(asked.field, low, high)
        number = _number(value.text, value)
        return _compared(asked, number, number)


@dataclass(frozen=True)
class DateKind:
    """Days: a year, a month or a day (2026, 2026-11, 2026-11-23)."""

    name: ClassVar = "date"
    operators: ClassVar = ORDER

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``; days are counted from the first of year 1."""
        return All(tuple(_compared(asked, *_days(value)) for value in values))


@dataclass(frozen=True)
class WordsKind:
    """One or several words out of a list that is known; ``:`` finds one among them, ``=`` all of them and no others.

    ``synonyms`` are other words for one or several of the list, ``rising`` those that have an order, lowest first,
    ``loose`` words are no list but each a question of its own, ``meanings`` those that stand for a query of their own.
    """

    words: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rising: tuple[str, ...] = ()
    loose: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)

    name: ClassVar = "words"

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators: those of order only where there is one, and only ":" where no list is ever complete."""
        if self.loose:
            return (":",)
        return ORDER if self.rising else EQUALITY

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        if asked.operator == "=" and len(values) > 1:
            plain = self._plain(asked.words)
            return Only(asked.field, tuple(sorted({_known(value, asked, plain) for value in values})))
        return All(tuple(self._one(asked, value) for value in values))

    def _one(self, asked: Asked, value: Text) -> Node:
        known = self._plain(asked.words) | {fold(word): word for word in (*self.synonyms, *self.meanings)}
        word = _known(value, asked, known)
        if asked.operator in ("<", "<=", ">", ">="):
            return Some(tuple(Has(asked.field, one) for one in self._compared(asked.operator, word, value)))
        if word in self.meanings:
            return asked.defined(self.meanings[word])
        meant = self.synonyms.get(word, (word,))
        if asked.operator == "=":
            return Some(tuple(Only(asked.field, (one,)) for one in meant))
        return Some(tuple(Has(asked.field, one) for one in meant))

    def _compared(self, operator: str, word: str, value: Text) -> tuple[str, ...]:
        if word not in self.rising:
            raise QueryError("no order", value.start, value.end, found=value.text, expected=self.rising)
        at = self.rising.index(word)
        return {
            "<": self.rising[:at], "<=": self.rising[: at + 1], ">": self.rising[at + 1 :], ">=": self.rising[at:],
        }[operator]  # fmt: skip

    def _plain(self, words: tuple[str, ...]) -> dict[str, str]:
        return {fold(word): word for word in words}


@dataclass(frozen=True)
class PresenceKind:
    """Names of fields: whether the card has a value there; and groups of cards that have what is known beside them."""

    name: ClassVar = "presence"
    operators: ClassVar = (":",)

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        groups = asked.known.groups(asked.field)
        known = {word: word for word in (*asked.words, *groups)} | dict(asked.aliases)
        words = [_known(value, asked, known) for value in values]
        return All(tuple(Among(asked.field, word) if word in groups else Present(word) for word in words))


@dataclass(frozen=True)
class GroupKind:
    """Groups of cards that are known beside them (:mod:`cards_data.search.known`).

    ``words`` are those that a query can ask for; without any, they come with the groups. ``missing`` is the code of the
    error where nobody has handed the groups in.
    """

    words: tuple[str, ...] = ()
    missing: str = "no deck"

    name: ClassVar = "group"
    operators: ClassVar = (":",)

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        if not self.words:
            _refuse_unknown(asked, self.missing, values)
        words = {fold(word): word for word in self.words or asked.known.groups(asked.field)}
        asking = [_known(value, asked, words) for value in values]
        _refuse_unknown(asked, self.missing, values)
        return All(tuple(Among(asked.field, word) for word in asking))


@dataclass(frozen=True)
class CountKind:
    """A number that is known beside the cards, and that every card has: how many of it somebody owns."""

    missing: str

    name: ClassVar = "count"
    operators: ClassVar = tuple(operator for operator in ORDER if operator != "!=")

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        numbers = NumberKind().group(asked, values)
        _refuse_unknown(asked, self.missing, values)
        assert isinstance(numbers, All)
        return All(tuple(Counted(one.field, one.low, one.high) for one in numbers.parts if isinstance(one, Between)))


@dataclass(frozen=True)
class CompanionKind:
    """Names of cards, and with each the group of those that are known to go with a card of that name.

    The group is known by the ids of all cards that are meant, with spaces between them.
    """

    missing: str

    name: ClassVar = "companion"
    operators: ClassVar = (":", "=")

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        _refuse_unknown(asked, self.missing, values)
        return All(tuple(Among(asked.field, " ".join(cards_named(asked, value))) for value in values))


@dataclass(frozen=True)
class DisplayKind:
    """What changes only how results are shown: one of some words."""

    words: tuple[str, ...]
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    name: ClassVar = "display"
    operators: ClassVar = (":", "=")

    def choose(self, asked: Asked, value: Text) -> str:
        """Return the word that is meant; raises :class:`QueryError`."""
        word = _known(value, asked, {word: word for word in (*self.words, *self.synonyms)})
        return self.synonyms[word][0] if word in self.synonyms else word


class AskingKind(Protocol):
    """What every kind has that asks something; apps above this one have kinds of their own."""

    @property
    def name(self) -> str:
        """What it is called in the other evaluations."""
        ...

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators it can be asked with."""
        ...

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``; raises :class:`QueryError`."""
        ...


Kind = AskingKind | DisplayKind


def negated(field: str, node: Node) -> Node:
    """Return what ``!=`` means: there is a value, and it is another."""
    return All((Present(field), Not(node)))


def _compared(asked: Asked, first: int, last: int) -> Node:
    """Return the comparison with what reaches from ``first`` to ``last``."""
    match asked.operator:
        case "<":
            return Between(asked.field, None, first - 1)
        case "<=":
            return Between(asked.field, None, last)
        case ">":
            return Between(asked.field, last + 1, None)
        case ">=":
            return Between(asked.field, first, None)
    return Between(asked.field, first, last)


def cards_named(asked: Asked, value: Text, names: Mapping[str, str] | None = None) -> list[str]:
    """Return the ids of the cards that ``value`` names, of ``names`` or of all; with ``=`` by the whole name.

    Raises :class:`QueryError` for a name that no card has, and for one that is part of too many.
    """
    every, wanted = asked.names() if names is None else names, fold(value.text)
    place = value.start, value.end
    if not wanted:
        raise QueryError("nothing to find", *place, found=value.text)
    found = [card for card, name in every.items() if (wanted == name if asked.operator == "=" else wanted in name)]
    if not found:
        near = nearest(wanted, every.values())
        suggestion = quoted(near) if near else ""
        raise QueryError("unknown value", *place, found=value.text, field=asked.field, suggestion=suggestion)
    if len(found) > MAX_CARDS:
        raise QueryError("too many cards", *place, found=value.text, cards=MAX_CARDS)
    return found


def _refuse_unknown(asked: Asked, missing: str, values: tuple[Text, ...]) -> None:
    """Raise :class:`QueryError` where nobody has handed in what the field asks for."""
    if asked.field not in asked.known:
        raise QueryError(missing, values[0].start, values[-1].end, field=asked.field)


def _known(value: Text, asked: Asked, known: Mapping[str, str]) -> str:
    """Return the word of ``known`` (by folded form) that is meant."""
    folded = fold(value.text)
    if folded in known:
        return known[folded]
    near = nearest(folded, known)
    raise QueryError(
        "unknown value",
        value.start,
        value.end,
        expected=[quoted(word) for word in known],
        suggestion=quoted(near) if near else "",
        found=value.text,
        field=asked.field,
    )


def quoted(word: str) -> str:
    """Return ``word`` as a query writes it: in quotation marks where it needs them."""
    return word if re.fullmatch(r"[a-z0-9][a-z0-9.-]*", word) and word not in ("or", "and") else f'"{word}"'


def _folded(value: Text) -> str:
    folded = fold(value.text)
    if not folded:
        raise QueryError("nothing to find", value.start, value.end, found=value.text)
    return folded


def _number(text: str, value: Text) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise QueryError("no number", value.start, value.end, found=value.text, expected=[f"0..{MAX_NUMBER}"])
    return int(text)


def _days(value: Text) -> tuple[int, int]:
    """Return the first and the last day of a year, a month or a day."""
    found = re.fullmatch("([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", value.text)
    try:
        if not found or not MINYEAR < int(found[1]) < MAXYEAR:
            raise ValueError(value.text)
        year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
        first = date(year, month, day)
    except ValueError as error:
        raise QueryError(
            "no date", value.start, value.end, found=value.text, expected=["2026", "2026-11", "2026-11-23"]
        ) from error
    if found[3]:
        after = first + timedelta(days=1)
    elif found[2]:
        after = date(year + month // 12, month % 12 + 1, 1)
    else:
        after = date(year + 1, 1, 1)
    return first.toordinal(), after.toordinal() - 1
