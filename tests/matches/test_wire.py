"""Hints between processes: what is said with a commit is heard by others, also after the database was away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ccg.server.proving.services import UNSYNCED, Missing, Postgres, running
from matches.hints import wire
from matches.hints.wire import (
    CHANNEL,
    EndedSession,
    Hint,
    Letter,
    Listening,
    Made,
    NewVersion,
    PersonChanged,
    TableChanged,
    Wire,
)
from matches.storage import database
from tests.conftest import cannot_run

SECONDS = 20.0


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL of this module's own, which may be stopped."""
    try:
        service = Postgres(Path(tmp_path_factory.mktemp("wire")), UNSYNCED)
    except Missing as missing:
        cannot_run(str(missing))
    with running(service):
        yield service


@pytest.fixture
def heard(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> list[Hint]:
    """What a wire to that PostgreSQL hears, with ``heard.extend`` as its listener."""
    monkeypatch.setattr(wire, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(database, "own_connection", lambda: psycopg.connect(postgres.url, autocommit=True))
    return []


def say(postgres: Postgres, *texts: str) -> None:
    """Tell all who listen, as one transaction of another process would."""
    with psycopg.connect(postgres.url) as other:
        for text in texts:
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, text])


def by_another(hint: Hint) -> str:
    return wire._encode(Letter("another", hint)).decode()


async def until(what: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not what():  # noqa: ASYNC110 - what is waited for happens outside of the loop
            await asyncio.sleep(0.005)


async def listening(postgres: Postgres, heard: list[Hint]) -> None:
    """Wait until what is said is heard."""
    while not heard:
        await asyncio.to_thread(say, postgres, by_another(PersonChanged(0)))
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.1)
    heard.clear()


@pytest.mark.full_profile
def test_one_hears_what_others_say_in_their_order_and_not_itself(postgres: Postgres, heard: list[Hint]) -> None:
    said = [
        NewVersion("m", 1, Made(0, "choose", "x", "d")),
        NewVersion("m", 2),
        EndedSession(7, "x"),
        PersonChanged(7),
        TableChanged("m", True),
    ]

    async def talk() -> None:
        one = Wire(heard.extend)
        await listening(postgres, heard)
        await asyncio.to_thread(say, postgres, wire.written(NewVersion("own", 1)), *map(by_another, said))
        await until(lambda: len(heard) == len(said))
        assert one

    asyncio.run(talk())
    assert heard == said


@pytest.mark.full_profile
def test_what_is_taken_back_is_not_heard(postgres: Postgres, heard: list[Hint]) -> None:
    def fail() -> None:
        with psycopg.connect(postgres.url) as other, other.transaction(force_rollback=True):
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, by_another(NewVersion("m", 1))])

    async def talk() -> None:
        one = Wire(heard.extend)
        await listening(postgres, heard)
        await asyncio.to_thread(fail)
        await asyncio.to_thread(say, postgres, by_another(NewVersion("m", 2)))
        await until(lambda: heard)
        assert one

    asyncio.run(talk())
    assert heard == [NewVersion("m", 2)]


@pytest.mark.full_profile
def test_what_is_not_understood_does_no_harm(postgres: Postgres, heard: list[Hint]) -> None:
    async def talk() -> None:
        one = Wire(heard.extend)
        await listening(postgres, heard)
        await asyncio.to_thread(say, postgres, "nonsense", "[1, 2]", by_another(NewVersion("m", 1)))
        await until(lambda: heard)
        assert one

    asyncio.run(talk())
    assert heard == [NewVersion("m", 1)]


@pytest.mark.full_profile
def test_a_database_that_was_away_is_listened_to_again(postgres: Postgres, heard: list[Hint]) -> None:
    async def talk() -> None:
        one = Wire(heard.extend)
        await listening(postgres, heard)
        await asyncio.to_thread(postgres.kill)
        await asyncio.sleep(0.3)
        await asyncio.to_thread(postgres.start)
        await until(lambda: heard)
        assert heard == [Listening()], "what was said meanwhile is lost, and somebody may wait for it"
        await listening(postgres, heard)
        assert one

    asyncio.run(asyncio.wait_for(talk(), 3 * SECONDS))


def test_a_move_that_is_too_long_for_a_hint_is_left_out() -> None:
    short, long = (NewVersion("m", 1, Made(0, "choose", "x" * length, "d")) for length in (10, 8_000))
    assert wire._decode(wire.written(short)).hint == short
    assert wire._decode(wire.written(long)).hint == NewVersion("m", 1)
