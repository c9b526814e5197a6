"""The search for decks: the language of cards with the fields of decks.

What is asked of a deck is asked of its newest version, and its legality is what was last found in the background.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.search import editing
from cards_data.search.columns import ChoiceColumn, Column, DateColumn, NumberColumn, TextColumn
from cards_data.search.database import condition
from cards_data.search.errors import QueryError
from cards_data.search.kinds import (
    EQUALITY,
    Asked,
    DateKind,
    DisplayKind,
    NumberKind,
    PresenceKind,
    TextKind,
    WordsKind,
    cards_named,
)
from cards_data.search.language import Field, Language, Query
from cards_data.search.nodes import All, Equals, Has, Node, Some
from cards_data.search.syntax import Text
from ccg.people import called, name_key
from ccg.rules.cards.definitions import fold
from decks import formats
from decks.models import DeckTag

MAX_NAME = 40

ORDERS = {
    "updated": "changed",
    "new": "created",
    "liked": "liked",
    "played": "played",
    "winning": "standing",
    "name": "folded",
}
"""The orders of decks, and the column of each."""

SHOWN_BY = {"updated": "Last changed", "new": "New", "liked": "Liked", "played": "Played", "winning": "Winning"}
"""The orders that lists of decks offer, in words."""

HAS_HEAD = Q(head__isnull=False)


@dataclass(frozen=True)
class CardKind:
    """Names of cards: every card that is called so is meant, or with ``=`` only those with that whole name."""

    named: Callable[[], Mapping[str, str]]
    """Returns the folded names of the cards that can be meant, by id."""

    name: ClassVar = "card"
    operators: ClassVar = EQUALITY

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        return All(tuple(self._one(asked, value) for value in values))

    def _one(self, asked: Asked, value: Text) -> Node:
        return Some(tuple(Has(asked.field, card) for card in cards_named(asked, value, self.named())))


@dataclass(frozen=True)
class WholeKind:
    """A whole name or word as people wrote it, without regard to case."""

    name: ClassVar = "whole"
    operators: ClassVar = EQUALITY

    def group(self, asked: Asked, values: tuple[Text, ...]) -> Node:
        """Return the conditions for every one of ``values``."""
        for value in values:
            if not re.fullmatch(rf"[^\0\ud800-\udfff]{{1,{MAX_NAME}}}", value.text):
                raise QueryError("nothing to find", value.start, value.end, found=value.text)
        return All(tuple(Equals(asked.field, value.text) for value in values))


class HeadColumn(Column):
    """Something of the newest version of a deck, by the id of a card; a deck without a version has nothing."""

    def __init__(self, lookup: str, nothing: Q) -> None:
        """Take the lookup of an id, and what is so of versions that have none."""
        self.lookup = lookup
        self.nothing = nothing

    def present(self) -> Q:
        return HAS_HEAD & ~self.nothing

    def has(self, word: str) -> Q:
        return HAS_HEAD & Q(**{self.lookup: word})


class OwnerColumn(Column):
    """The display name of the owner; starter decks have none."""

    def present(self) -> Q:
        return Q(owner__isnull=False)

    def equals(self, text: str) -> Q:
        return self.present() & called(text, "owner")


class TagColumn(Column):
    """The tags of a deck, which are kept without case."""

    def present(self) -> Q:
        return Exists(DeckTag.objects.filter(deck=OuterRef("pk"))) & Q()

    def equals(self, text: str) -> Q:
        return Exists(DeckTag.objects.filter(deck=OuterRef("pk"), word=name_key(text))) & Q()


class FormatColumn(ChoiceColumn):
    """The format of a deck, by its code or by its short word."""

    def has(self, word: str) -> Q:
        return super().has(formats.by_word()[word])


class LegalColumn(Column):
    """Whether the newest version was legal when last looked at: in its format, which can be named."""

    def has(self, word: str) -> Q:
        legal = HAS_HEAD & Q(head__legal=True)
        return legal if word == "now" else legal & FormatColumn("format").has(word)


@lru_cache(maxsize=2)
def _names(data: CardData, bases: bool) -> dict[str, str]:
    return {card.id: fold(card.name) for card in data.catalog if (card.type == "base") is bases}


def _bases() -> Mapping[str, str]:
    return _names(catalog.data(), bases=True)


def _cards() -> Mapping[str, str]:
    return _names(catalog.data(), bases=False)


LANGUAGE = Language([
    Field(
        "name", TextKind(), "A part of its name. A bare word asks the same, and a word behind “!” is the whole name.",
        "viper", ("n",), column=TextColumn("folded"),
    ),
    Field(
        "base", CardKind(_bases), "Its base, by a part of the name; with “=” by the whole of it.", "base:galactica",
        ("b",), column=HeadColumn("head__base", Q(head__base="")), optional=True,
    ),
    Field(
        "card", CardKind(_cards), "A card in it, by a part of the name; with “=” by the whole of it.",
        'card:starbuck -card:"condition one"', ("c",), column=HeadColumn("head__counts__has_key", Q(head__counts={})),
    ),
    Field(
        "legal", WordsKind(loose=True), "Whether it is legal: now, in its own format, or in the format that is named.",
        "legal:now", (), column=LegalColumn(),
    ),
    Field("format", WordsKind(), "The format that it is made for.", "format:standard-2006", (),
          column=FormatColumn("format")),
    Field(
        "owner", WholeKind(), "Whose it is, by the whole name. Starter decks are nobody's.", "-has:owner", ("by",),
        column=OwnerColumn(), optional=True,
    ),
    Field(
        "tag", WholeKind(), "A word by which its owner wants it found, in whatever letters.", "tag:rush", (),
        column=TagColumn(), optional=True,
    ),
    Field(
        "updated", DateKind(), "When it was last changed: a year, a month or a day.", "updated>=2026-01", (),
        column=DateColumn("changed"),
    ),
    Field(
        "played", NumberKind(), "How many matches people have played with it to the end.", "played>=5", (),
        column=NumberColumn("played"),
    ),
    Field(
        "games", NumberKind(), "How many matches of two people were played to the end with its list.", "games>=20", (),
        column=NumberColumn("games"),
    ),
    Field(
        "winrate", NumberKind(), "How many of a hundred of those games it has won.", "winrate>=55 games>=20", (),
        column=NumberColumn("winrate"), optional=True,
    ),
    Field("has", PresenceKind(), "Whether it has that at all.", "has:base"),
    Field("order", DisplayKind(tuple(ORDERS)), "In which order decks are shown.", "order:liked", ("sort",)),
    Field("dir", DisplayKind(("asc", "desc")), "Which end comes first: the least or the greatest.", "dir:asc"),
])  # fmt: skip
"""Every field of decks. The first is what bare words ask."""


def vocabulary() -> dict[str, tuple[str, ...]]:
    """Return the words that come with the data: the formats there are."""
    words = tuple(formats.by_word())
    return {"legal": ("now", *words), "format": words}


def read(text: str) -> Query:
    """Return what ``text`` asks of decks; raises :class:`~cards_data.search.errors.QueryError`."""
    return LANGUAGE.read(text, vocabulary() if text.strip() else {})


def read_for(text: str, person: object) -> Query:
    """Return what ``text`` asks of decks, which is the same for everybody; raises QueryError."""
    return read(text)


def find(query: Query, decks: QuerySet[Any]) -> QuerySet[Any]:
    """Return those of ``decks`` that ``query`` asks for; in the order it asks for, if it does."""
    found = decks.filter(condition(LANGUAGE, query.node))
    order = query.display.get("order")
    if not order and "dir" not in query.display:
        return found
    column = ORDERS[order or "updated"]
    falling = query.display.get("dir", "asc" if column == "folded" else "desc") == "desc"
    # Both the same way, as the indexes have them.
    return found.order_by(*((F(column).desc(), "-id") if falling else (F(column).asc(), "id")))


def by_order(query: Query) -> list[tuple[str, str, bool]]:
    """Return for each way to show decks its words, the query that ``query`` becomes with it, and whether it is that."""
    now = query.display.get("order", "updated")
    return [
        (words, editing.toggled(query, LANGUAGE, "order", order), order == now) for order, words in SHOWN_BY.items()
    ]
