"""A PostgreSQL whose connections are all in use, by others: those that we have go on, and it is not taken for away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
import pytest_django
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from ccg.server.postgresql import base
from ccg.server.postgresql.base import SECONDS_OF_SILENCE, WatchedConnection
from ccg.server.proving.services import Postgres
from matches.storage.outages import Outage, outage_of

pytestmark = pytest.mark.full_profile

POOL = {"min_size": 1, "max_size": 5, "timeout": 0.2}


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> base.Away:
    found = base.Away()
    monkeypatch.setattr(base, "_away", found)
    return found


@pytest.fixture
def crowd(database: Postgres) -> Iterator[ExitStack]:
    """Whoever takes all connections when :func:`take_all` is called, and gives them back in the end."""
    with ExitStack() as taken:
        yield taken


def take_all(database: Postgres, taken: ExitStack) -> None:
    for _ in range(5):  # those that were closed a moment ago are still being given up
        while takes_one(database, taken):
            pass
        time.sleep(0.1)
    with pytest.raises(psycopg.OperationalError, match="too many"):
        psycopg.connect(database.url)


def takes_one(database: Postgres, taken: ExitStack) -> bool:
    try:
        taken.enter_context(psycopg.connect(database.url))
    except psycopg.OperationalError:
        return False
    return True


def wrapper(database: Postgres, **options: Any) -> Any:
    place = {"HOST": "127.0.0.1", "PORT": database.port, "USER": "fleet", "NAME": "postgres"}
    known = {"ENGINE": "ccg.server.postgresql", "OPTIONS": options, "CONN_MAX_AGE": 0 if options else None, **place}
    return ConnectionHandler({"default": known})["default"]


def test_a_slow_statement_is_not_given_up(database: Postgres, away: base.Away, crowd: ExitStack) -> None:
    place = {"host": "127.0.0.1", "port": database.port, "user": "fleet", "dbname": "postgres"}
    with WatchedConnection.connect(**place) as connection:
        take_all(database, crowd)
        assert connection.execute(f"select 2 from pg_sleep({3 * SECONDS_OF_SILENCE})").fetchone() == (2,)
    assert not away.known


def test_who_finds_no_connection_is_told_that_it_is_busy_and_the_others_go_on(
    database: Postgres, away: base.Away, crowd: ExitStack, django_db_blocker: pytest_django.DjangoDbBlocker
) -> None:
    pooled, kept = wrapper(database, pool=POOL), wrapper(database)
    kept.watched = True
    with django_db_blocker.unblock():
        try:
            pooled.ensure_connection()
            take_all(database, crowd)
            used = [pooled]
            while pooled.pool.get_stats().get("pool_available"):
                used.append(pooled.copy())
                used[-1].ensure_connection()
            another = pooled.copy()
            for one in (another, kept):
                with pytest.raises(OperationalError) as refused:
                    one.ensure_connection()
                assert outage_of(refused.value) is Outage.BUSY
            pooled.close()
            another.ensure_connection()  # the one that is free again
            another.close()
        finally:
            pooled.close_pool()
    assert not away.known
