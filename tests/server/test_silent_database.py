"""A PostgreSQL that hangs: whoever waits for its answer gives up, and a slow statement does not."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import pytest_django
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from ccg.server.postgresql import base
from ccg.server.postgresql.base import SECONDS_OF_SILENCE, WatchedConnection
from ccg.server.proving.services import Postgres
from matches.storage import database as storage
from tests.running import ROOT

pytestmark = pytest.mark.full_profile

PATIENCE = 30
"""Seconds after which a thread is taken to wait for ever; it needs three."""


@pytest.fixture
def connection(database: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedConnection]:
    monkeypatch.setattr(base, "_away", base.Away())
    found = WatchedConnection.connect(
        host="127.0.0.1", port=database.port, user="fleet", dbname="postgres", autocommit=True
    )
    with found:
        yield found


def asked(connection: WatchedConnection, statement: str) -> list[object]:
    """Return what comes of a statement in a thread of its own: a row or an error, nothing if it never ends."""
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(connection.execute(statement).fetchone())
        except psycopg.Error as error:
            found.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return found


def test_who_waits_for_a_server_that_hangs_is_told(database: Postgres, connection: WatchedConnection) -> None:
    assert asked(connection, "select 1") == [(1,)]

    with database.frozen():
        [error] = asked(connection, "select 1")

    assert isinstance(error, psycopg.OperationalError)
    assert "away" in str(error)
    assert connection.closed


def test_the_next_one_finds_it_when_it_goes_on(database: Postgres, connection: WatchedConnection) -> None:
    with database.frozen():
        assert isinstance(asked(connection, "select 1")[0], psycopg.OperationalError)

    with WatchedConnection.connect(**connection.params) as another:
        assert asked(another, "select 1") == [(1,)]


@pytest.mark.ci
def test_a_slow_statement_is_not_given_up(connection: WatchedConnection) -> None:
    assert asked(connection, f"select 2 from pg_sleep({4 * SECONDS_OF_SILENCE})") == [(2,)]


def test_the_connection_that_a_thread_keeps_gives_up_as_well(
    database: Postgres, monkeypatch: pytest.MonkeyPatch, django_db_blocker: pytest_django.DjangoDbBlocker
) -> None:
    """Threads of tables have one, and a server that is told to stop waits for them."""
    monkeypatch.setattr(base, "_away", base.Away())
    place = {"HOST": "127.0.0.1", "PORT": database.port, "USER": "fleet", "NAME": "postgres"}
    known = ConnectionHandler({"default": {"ENGINE": "ccg.server.postgresql", **place}})
    monkeypatch.setattr(storage, "connections", known)
    found: list[object] = []

    def ask() -> None:
        storage.keep_connection()
        with django_db_blocker.unblock(), known["default"].cursor() as cursor:
            asking.set()
            assert hung.wait(PATIENCE)
            try:
                cursor.execute("select 1")
            except OperationalError as error:
                found.append(error)

    asking, hung = threading.Event(), threading.Event()
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert asking.wait(PATIENCE)
    with database.frozen():
        hung.set()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it waits for ever"
    [error] = found
    assert "away" in str(error)


LISTENING = """
import socket
import django
django.setup()
from matches.storage.database import own_connection
line = socket.socket(fileno=own_connection().fileno())
print(line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE), line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE))
"""


def test_a_line_on_which_nothing_is_said_is_tried_now_and_then(database: Postgres, tmp_path: Path) -> None:
    """Who only listens would else wait for two hours for a machine that has died, or has been replaced."""
    env = {"DATABASE_URL": database.url, "DJANGO_SETTINGS_MODULE": "ccg.server.settings", "VAR_DIR": str(tmp_path)}
    said = subprocess.check_output([sys.executable, "-c", LISTENING], cwd=ROOT, env={**os.environ, **env}, text=True)
    assert said.split() == ["1", "5"]
