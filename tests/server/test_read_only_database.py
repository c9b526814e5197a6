"""A PostgreSQL that took no writes for a while: connections that began meanwhile do not stay as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import pytest_django
from django.db import DatabaseError, InternalError
from django.db.utils import ConnectionHandler

from ccg.server.postgresql import base
from ccg.server.proving.services import Postgres

pytestmark = pytest.mark.full_profile

WRITE = "CREATE TABLE written (id int); DROP TABLE written"
FREE = 3
"""Connections of the pool."""


def say(database: Postgres, statement: str) -> None:
    """Have whoever runs the database change it."""
    with psycopg.connect(database.url, autocommit=True) as owner:
        owner.execute("SET default_transaction_read_only = off")
        owner.execute(statement)


def shut(database: Postgres) -> None:
    """Let sessions that begin from now on write nothing, as hosts do for whoever has used up their disk."""
    say(database, "ALTER DATABASE postgres SET default_transaction_read_only = on")


def open_again(database: Postgres) -> None:
    say(database, "ALTER DATABASE postgres RESET default_transaction_read_only")


@pytest.fixture
def connection(
    database: Postgres,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: pytest_django.DjangoDbBlocker,
) -> Iterator[base.DatabaseWrapper]:
    """A connection that was opened while nothing could be written, and has met that."""
    monkeypatch.setattr(base, "_away", base.Away())
    found = wrapper(database, getattr(request, "param", {}))
    shut(database)
    with django_db_blocker.unblock():
        try:
            with pytest.raises(InternalError, match="read-only"):
                write(found)
            yield found
        finally:
            open_again(database)
            found.close()
            found.close_pool()


def wrapper(database: Postgres, options: dict[str, Any]) -> Any:
    """Return a connection of our backend to ``database``, which a thread keeps unless it is of a pool."""
    kind = {"ENGINE": "ccg.server.postgresql", "OPTIONS": options, "CONN_MAX_AGE": 0 if options else None}
    place = {"HOST": "127.0.0.1", "PORT": database.port, "USER": "fleet", "NAME": "postgres"}
    return ConnectionHandler({"default": {**kind, **place}})["default"]


def write(connection: base.DatabaseWrapper) -> None:
    """Write in a transaction, which is rolled back if that fails."""
    connection.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            cursor.execute(WRITE)
        connection.commit()
    except DatabaseError:
        connection.rollback()
        raise
    finally:
        connection.set_autocommit(True)


def test_what_a_thread_keeps_is_opened_anew(database: Postgres, connection: base.DatabaseWrapper) -> None:
    open_again(database)
    connection.close_if_unusable_or_obsolete()
    write(connection)


def test_what_can_only_be_read_meanwhile_is_read(connection: base.DatabaseWrapper) -> None:
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.parametrize(
    "connection", [{"pool": {"min_size": FREE, "max_size": FREE, "timeout": 10}}], indirect=True, ids=["pool"]
)
def test_the_rest_of_the_pool_goes_with_the_first(database: Postgres, connection: base.DatabaseWrapper) -> None:
    others = [connection.copy() for _ in range(FREE - 1)]
    try:
        for one in others:
            one.ensure_connection()
        for one in others:
            one.close()
        open_again(database)
        connection.close()
        for one in (connection, *others):
            write(one)
    finally:
        for one in others:
            one.close()
