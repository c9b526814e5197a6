"""Words that some card must have: phrases may name only traits and titles that there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from ccg.rules.authoring.records import KeyPath, Problem, fields_of, nearest, phrase_of
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import UNIT_KEYWORDS, CardDef, requirement
from ccg.rules.cards.phrases import Amount, Occasion, Players, Selector


class Known(NamedTuple):
    """The traits and titles that phrases may name."""

    traits: frozenset[str]
    titles: frozenset[str]

    @classmethod
    def of(cls, cards: Iterable[CardDef]) -> Known:
        """Collect them from all cards there are."""
        every = list(cards)
        return cls(
            frozenset(trait for card in every for trait in card.traits),
            frozenset(card.title for card in every if card.title),
        )


def unknown_words(card: CardDef, known: Known) -> Iterator[Problem]:
    """Yield the traits and titles that ``card`` names and no card has, with what may have been meant."""
    every = known.traits | known.titles
    if card.title in known.traits:
        yield Problem(
            ("title",), f"{card.title!r} is a trait, and phrases would mean either", advice="take another title"
        )
    for number, asked in enumerate(card.requires):
        yield from _unknown(asked.trait, known.traits, ("requires", number), "trait")
    for number, ability in enumerate(card.abilities):
        for path, kind, phrase in _phrases(ability, ("abilities", number)):
            if kind == "requirement":
                yield from _unknown(requirement(phrase).trait, known.traits, path, "trait")
            elif kind == "help":
                yield from _unknown(phrases.helping(phrase)[1], known.traits, path, "trait")
            elif kind == "word":
                if phrase.lower() not in UNIT_KEYWORDS:
                    names = (*known.traits, *(keyword.capitalize() for keyword in UNIT_KEYWORDS))
                    yield from _unknown(phrase, frozenset(names), path, "trait or keyword")
            else:
                for word in dict.fromkeys(_named(phrases.READERS[kind](phrase))):
                    yield from _unknown(word, every, path, "trait or title")


def _unknown(word: str, known: frozenset[str], path: KeyPath, what: str) -> Iterator[Problem]:
    if word and word not in known:
        names = {phrases.quoted_if_needed(name): name for name in sorted(known)} if what == "trait or title" else {}
        yield Problem(path, f"no card has the {what} {word!r}", nearest(word, names or sorted(known)))


def _named(found: object) -> Iterator[str]:
    """Yield the traits and titles in what a phrase was read as."""
    if isinstance(found, Selector):
        for description in found.descriptions:
            yield from filter(None, (description.trait, *description.traits))
            yield from (word for suffix, word in description.suffixes if suffix == "without")
    elif isinstance(found, Amount):
        yield from _named(found.of)
    elif isinstance(found, Players):
        yield from _named(found.most)
    elif isinstance(found, Occasion):
        yield from _named(found.who)
        yield from _named(found.whom)


def _phrases(record: Struct, path: KeyPath) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield every phrase in a record, with the way to it and its kind."""
    for key, field in fields_of(type(record)).items():
        value = getattr(record, field.name)
        for place, one in _values(value, (*path, key)):
            if isinstance(one, Struct):
                yield from _phrases(one, place)
            elif isinstance(one, str) and one not in ("hand", "a supply card"):
                kind = "word" if key in ("gains", "loses") else phrase_of(field.type)
                if kind is not None and kind != "cost":
                    yield place, kind, one


def _values(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from _values(one, (*path, number))
    else:
        yield path, value
