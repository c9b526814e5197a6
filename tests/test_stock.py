"""The cards that tests begin with are those that a real import leaves, and only where a test asks for them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import transaction

from cards_data import catalog
from cards_data.imports import import_sets
from cards_data.models import Card
from ccg.outbox.models import Job
from ccg.rules.authoring.card_files import SETS, read_catalog
from decks.models import Deck
from decks.starter_decks import load_starters
from tests.stock import Stocks, stored


def told() -> dict[str, list[dict[str, Any]]]:
    """Return everything that is stored; where no two imports are the same, only what kind of value it is."""
    return {
        one.table: [
            {
                column: type(value) if _chosen_anew(column, value) else value
                for column, value in zip(one.columns, row, strict=True)
            }
            for row in one.rows
        ]
        for one in stored()
        if one.table != Job._meta.db_table  # work that an import asks for is not put in again
    }


def _chosen_anew(column: str, value: object) -> bool:
    """Whether it is a time, the random name of a deck, or a number that PostgreSQL gives only once."""
    numbered = isinstance(value, int) and (column == "id" or column.endswith("_id"))
    return numbered or isinstance(value, datetime) or column == "uid"


def test_they_are_what_an_import_leaves(db: None, stocks: Stocks) -> None:
    with transaction.atomic():
        import_sets([SETS])
        load_starters()
        imported = told()
        transaction.set_rollback(True)
    assert not Card.objects.exists()
    assert not Deck.objects.exists()

    stocks.put_sets()
    assert catalog.current().cards == read_catalog().cards
    assert not Deck.objects.exists()

    stocks.put_decks()
    assert told() == imported


@pytest.mark.parametrize("again", range(2))
def test_they_come_and_go_where_transactions_are_real(transactional_db: None, stocks: Stocks, again: int) -> None:
    assert not Card.objects.exists()
    stocks.put_sets()
    stocks.put_decks()
    Deck.objects.starters().first().delete()  # type: ignore[union-attr]
    assert Deck.objects.starters().count() == 5


def test_a_test_that_does_not_ask_has_none(db: None) -> None:
    assert not Card.objects.exists()
    assert not Deck.objects.exists()
