"""What the tests of decks share: the real cards, their names, and the format they are played in."""

from __future__ import annotations

from datetime import date

import pytest

from ccg.rules.cardfiles import SETS, CardSet, read_set
from ccg.rules.cards import Catalog
from decks.legality import FormatRules
from decks.textlist import Names

ALL_SETS = frozenset({"BSG1", "BSG1P", "BSG1L", "BSG2"})
STANDARD = FormatRules(code="standard-2006", name="Standard 2006", starts=date(2006, 1, 1), sets=ALL_SETS)


@pytest.fixture(scope="session")
def card_sets() -> list[CardSet]:
    return [read_set(path.parent) for path in sorted(SETS.glob("*/set.yaml"))]


@pytest.fixture(scope="session")
def catalog(card_sets: list[CardSet]) -> Catalog:
    return Catalog(card for card_set in card_sets for card in card_set.cards)


@pytest.fixture(scope="session")
def names(card_sets: list[CardSet], catalog: Catalog) -> Names:
    return Names(catalog, [printing for card_set in card_sets for printing in card_set.printings])


@pytest.fixture(scope="session")
def standard() -> FormatRules:
    return STANDARD
