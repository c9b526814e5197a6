"""The project's own card sets: all cards are there, and every fact is the printed one."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from ccg.rules.authoring.card_files import SETS, CardSet, Printing, read_catalog, read_set, read_sets, set_folders
from ccg.rules.cards.definitions import RESOURCES, CardDef
from tests.cards_data.printed import KEYWORDS, PRINTED

REPRINTS = {
    "BSG1L-02": "BSG1-100",
    "BSG1L-07": "BSG1-119",
    "BSG1L-09": "BSG1-130",
    "BSG1L-11": "BSG1-136",
    "BSG2-121": "BSG1L-10",
}


@pytest.fixture(scope="module")
def sets() -> list[CardSet]:
    return read_sets(set_folders(SETS))


@pytest.fixture(scope="module")
def cards(sets: list[CardSet]) -> dict[str, CardDef]:
    return {card.id: card for one in sets for card in one.cards}


@pytest.fixture(scope="module")
def printings(sets: list[CardSet]) -> dict[str, Printing]:
    return {printing.id: printing for one in sets for printing in one.printings}


@pytest.fixture(scope="module")
def printed() -> list[dict[str, Any]]:
    """What is printed on the cards, facts only: see :mod:`tests.cards_data.printed`."""
    found: list[dict[str, Any]] = json.loads(PRINTED.read_text(encoding="utf-8"))
    return found


def test_there_are_356_printings_of_351_cards(
    cards: dict[str, CardDef], printings: dict[str, Printing], sets: list[CardSet]
) -> None:
    assert len(printings) == 356
    assert len(cards) == len(read_catalog()) == 351
    assert {one.code: len(one.printings) for one in sets} == {"BSG1": 175, "BSG1P": 4, "BSG1L": 12, "BSG2": 165}


def test_five_printings_are_reprints_of_the_first_one(printings: dict[str, Printing]) -> None:
    assert {one.id: one.card for one in printings.values() if one.id != one.card} == REPRINTS


def test_every_set_can_be_read_alone() -> None:
    for folder in set_folders(SETS):
        assert read_set(folder).printings


def test_no_number_is_missing_in_a_set(sets: list[CardSet]) -> None:
    for one in sets:
        assert [printing.number for printing in one.printings] == list(range(1, len(one.printings) + 1))


def test_every_printing_has_the_facts_that_are_printed_on_it(
    printed: list[dict[str, Any]], cards: dict[str, CardDef], printings: dict[str, Printing]
) -> None:
    assert {record["id"] for record in printed} == printings.keys()
    for record in printed:
        printing = printings[record["id"]]
        assert (printing.set, printing.number, printing.rarity) == (
            record["set"], record["number"], record["rarity"],
        ), record["id"]  # fmt: skip
        assert _facts(cards[printing.card]) == record["facts"], record["id"]


def test_every_card_with_more_than_keywords_has_abilities(
    printed: list[dict[str, Any]], cards: dict[str, CardDef], printings: dict[str, Printing]
) -> None:
    for record in printed:
        card = cards[printings[record["id"]].card]
        assert bool(card.abilities) == record["ability"], record["id"]
        assert any(ability.red for ability in card.abilities) == record["red"], record["id"]
        assert not card.ability_pending, record["id"]


def test_keywords_stand_where_the_rules_have_a_use_for_them(cards: dict[str, CardDef]) -> None:
    used = Counter(keyword for card in cards.values() for keyword in card.keywords)
    assert used.keys() == KEYWORDS
    for card in cards.values():
        assert bool(card.expedite) == ("expedite" in card.keywords), card.id
        assert bool(card.link) == ("link" in card.keywords), card.id
        assert bool(card.requires) == (card.type == "mission"), card.id


def _facts(card: CardDef) -> dict[str, Any]:
    """The facts of a card of ours in the form of the reference."""
    facts = {
        "type": card.type,
        "title": card.title,
        "subtitle": card.subtitle,
        "traits": list(card.traits),
        "cost": {resource: n for resource, n in zip(RESOURCES, card.cost, strict=True) if n},
        "keywords": [
            [keyword, list(card.expedite or ()) if keyword == "expedite" else card.link if keyword == "link" else None]
            for keyword in card.keywords
        ],
        "requires": Counter(str(one) for one in card.requires),
    }
    return facts | {
        name: getattr(card, name) for name in ("power", "threat", "mystic", "produces", "hand", "influence")
    }
