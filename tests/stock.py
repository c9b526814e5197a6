"""The card sets and starter decks that tests begin with: imported once in each test process, then only copied.

The database of a test is made by pytest-django. It runs the migrations once in each process, and every test begins
with what they leave: tables without cards. To import all sets takes longer than most tests do, so :func:`taken`
does it once, in a transaction that is rolled back, and keeps the rows as the database gave them.
:meth:`Stock.put` writes them into the database of one test. They go as everything goes that a test has stored: by
a rollback, or where transactions are real with everything else (:mod:`tests.snapshots`).

Tests ask for them with the fixtures ``all_cards`` and ``starters`` of ``tests/conftest.py``. A test that asks for
neither has no cards, and one that is about importing imports for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from cards_data.imports import import_sets
from ccg.outbox.models import Job
from ccg.rules.authoring.card_files import SETS
from decks import formats
from decks.starter_decks import load_starters


@dataclass(frozen=True)
class Rows:
    """Rows of one table: all columns, with the values as the database has them."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Stock:
    """What one piece of work added to the database, in whichever tables."""

    added: tuple[Rows, ...]

    def put(self) -> None:
        """Write it into the database, which has everything that it refers to and nothing of it."""
        quoted = connection.ops.quote_name
        # One transaction, as rows refer to each other: a deck to its newest version, and that to the deck.
        with transaction.atomic(), connection.cursor() as cursor:
            for one in self.added:
                columns, values = ", ".join(map(quoted, one.columns)), ", ".join(["%s"] * len(one.columns))
                cursor.executemany(f"INSERT INTO {quoted(one.table)} ({columns}) VALUES ({values})", one.rows)


@dataclass(frozen=True)
class Stocks:
    """What the import of the card sets added, and what the loading of the starter decks added to that."""

    sets: Stock
    decks: Stock

    def put_sets(self) -> None:
        """Put in the cards."""
        self.sets.put()

    def put_decks(self) -> None:
        """Put in the starter decks; the cards have to be there."""
        formats.standard()  # a migration makes it; on PostgreSQL the flush after a test takes it away
        self.decks.put()


def taken() -> Stocks:
    """Import the project's card sets and load the starter decks, keep what that adds, and undo it."""
    with transaction.atomic():
        formats.standard()
        stocks = Stocks(_added_by(lambda: import_sets([SETS])), _without_work(_added_by(load_starters)))
        transaction.set_rollback(True)
    return stocks


def _without_work(stock: Stock) -> Stock:
    """Return ``stock`` without background work: what :meth:`Stocks.put_decks` asks for itself would have its ids."""
    return Stock(tuple(one for one in stock.added if one.table != Job._meta.db_table))


def stored() -> Iterator[Rows]:
    """Yield the rows of every table."""
    with connection.cursor() as cursor:
        for table in sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)}):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            columns = tuple(column[0] for column in cursor.description)
            yield Rows(table, columns, tuple(map(tuple, cursor.fetchall())))


def _added_by(work: Callable[[], object]) -> Stock:
    before = {one.table: set(one.rows) for one in stored()}
    work()
    added = []
    for one in stored():
        assert before[one.table] <= set(one.rows), f"rows of {one.table} were changed, which cannot be put in again"
        if new := tuple(row for row in one.rows if row not in before[one.table]):
            added.append(Rows(one.table, one.columns, new))
    return Stock(tuple(added))
