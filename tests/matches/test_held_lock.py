"""Another program holds the lock of SQLite for long: tables say so, and nobody waits behind whoever waits for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ccg.outbox import sweeps
from matches.clocks.models import UpTime
from matches.storage import database

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """A program beside the server, at the same file; the patience of the server is over at once."""
    monkeypatch.setattr(database, "_held", database._Held())
    monkeypatch.setattr(database, "LONG_WAIT", 0)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as program:
        yield program
    connection.close()


def count() -> int:
    """Write and read."""
    UpTime.objects.filter(pk=UpTime.ONLY).update(stopped=1)
    return UpTime.objects.count()


def test_whoever_comes_after_one_that_has_waited_in_vain_does_not_wait(operator: sqlite3.Connection) -> None:
    operator.execute("BEGIN IMMEDIATE")
    with pytest.raises(database.Busy):
        database.write(count)
    with CaptureQueriesContext(connection) as asked, pytest.raises(database.Busy):
        database.write(count)
    assert not asked.captured_queries
    assert UpTime.objects.count() == 0, "reading goes on"


def test_the_lock_is_tried_now_and_then_and_all_is_as_before(
    operator: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SECONDS_BETWEEN_TRIES", 0)
    operator.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        with pytest.raises(database.Busy):
            database.write(count)
    operator.execute("ROLLBACK")
    assert database.write(count) == 0
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (5000,)
    with CaptureQueriesContext(connection) as asked:
        database.write(count)
    assert not any("PRAGMA" in query["sql"] for query in asked.captured_queries), "it costs nothing any more"


def test_for_background_work_it_is_an_outage_and_no_crash(
    operator: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {"test": sweeps.Sweep(lambda: database.write(count), seconds=1)})
    operator.execute("BEGIN IMMEDIATE")
    sweeps.look_around()
    assert [record.exc_info for record in caplog.records if record.name == sweeps.__name__] == [None]
