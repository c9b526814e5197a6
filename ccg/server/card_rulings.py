"""Which rulings concern a card: what the page of a card says of them (:mod:`cards_data.card_sections`).

A ruling concerns a card that it names, by its whole name or by a title that its versions share; a card with a keyword
that it speaks of; and a card that a scenario shows together with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from cards_data import catalog as cards_data
from cards_data.catalog import CardData
from ccg.rules.cards.definitions import KEYWORDS, CardDef
from ccg.rules.scenario.coverage import Proof
from ccg.server.played.library import Shipped, proofs, showing
from ccg.server.rules_pages import TEXTS
from ccg.server.texts import markdown

RULING = re.compile(r"(?m)^(\d+)\. (.+)$")
MANY = 4
"""Rulings that are shown at once; those beyond are unfolded."""


class Ruling(NamedTuple):
    """A ruling with its number, as Markdown and as HTML."""

    number: int
    text: str
    html: SafeString


class Concerning(NamedTuple):
    """A ruling that concerns a card, and why: "names it", or a sentence about a keyword or a scenario."""

    ruling: Ruling
    why: str

    @property
    def played(self) -> list[Shipped]:
        """The scenarios that show it; the clearest first."""
        return showing(f"ruling-{self.ruling.number}")


@lru_cache(maxsize=2)
def ruled(data: CardData) -> Mapping[str, frozenset[str]]:
    """Return the cards that rulings concern, as the search is told: ``has:ruling``."""
    return {"ruling": frozenset(card.id for card in data.catalog if concerning(card, data))}


@lru_cache(maxsize=1)
def rulings() -> Mapping[int, Ruling]:
    """Return all rulings by number."""
    text, parser = (TEXTS / "rulings.md").read_text(encoding="utf-8"), markdown()
    return {
        int(found[1]): Ruling(int(found[1]), found[2], mark_safe(parser.renderInline(found[2])))  # noqa: S308 - our file
        for found in RULING.finditer(text)
    }


def section(card: CardDef) -> Mapping[str, object]:
    """Return what the page of ``card`` shows: rulings at once, and those to be unfolded; nothing without any."""
    found = concerning(card, cards_data.data())
    return {"first": found[:MANY], "more": found[MANY:]} if found else {}


def concerning(card: CardDef, data: CardData) -> list[Concerning]:
    """Return the rulings that concern ``card`` of ``data``, those that name it first."""
    named = _named(data).get(card.id, ())
    why = dict.fromkeys(named, "names it")
    for keyword in card.keywords:
        for number in _of_keyword(keyword):
            why.setdefault(number, f"about {keyword.capitalize()}")
    for number in _shown_with().get(card.id, ()):
        why.setdefault(number, "shown with it in a scenario")
    return [Concerning(rulings()[number], words) for number, words in why.items()]


@lru_cache(maxsize=2)
def _named(data: CardData) -> Mapping[str, list[int]]:
    """Return the numbers of the rulings that name a card, by its id."""
    ids: dict[str, list[str]] = defaultdict(list)
    for card in data.catalog:
        ids[card.name].append(card.id)
    for card in data.catalog:
        if card.title and card.title != card.name:
            ids[card.title].append(card.id)
    # The longest name first: "Apollo, Ace Pilot" names one card, "Apollo" all of them.
    names = re.compile("|".join(rf"\b{re.escape(name)}(?!\w)" for name in sorted(ids, key=len, reverse=True)))
    found: dict[str, list[int]] = defaultdict(list)
    for ruling in rulings().values():
        for name in dict.fromkeys(names.findall(ruling.text)) if ids else ():
            for card_id in ids[name]:
                if ruling.number not in found[card_id]:
                    found[card_id].append(ruling.number)
    return found


@lru_cache(maxsize=len(KEYWORDS))
def _of_keyword(keyword: str) -> list[int]:
    """Return the numbers of the rulings that speak of a keyword, which they write with a capital."""
    word = re.compile(rf"\b{re.escape(keyword.capitalize())}\b")
    return [ruling.number for ruling in rulings().values() if word.search(ruling.text)]


@lru_cache(maxsize=1)
def _shown_with() -> Mapping[str, list[int]]:
    """Return the numbers of the rulings that scenarios show together with a card, by its id."""
    known = proofs()
    numbers: dict[Proof, list[int]] = defaultdict(list)
    for name, ruled in known.rulings.items():
        for proof in ruled:
            numbers[proof].append(int(name.removeprefix("ruling-")))
    return {
        card_id: sorted({number for proof in found for number in numbers.get(proof, ())})
        for card_id, found in known.cards.items()
    }
