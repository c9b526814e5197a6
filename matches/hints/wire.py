"""Hints between processes: PostgreSQL passes them on, to all who listen, with the commit that they tell of.

The statement that stores a move (``matches.playing.statements``) also says so to the other processes, so a hint costs
no round trip, and none is heard of what was not stored. Each process with sockets listens on a connection of its own,
straight on its event loop. Hints may be lost, while that connection is broken and in other ways; sockets then find out
by their heartbeat.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec
from django.db import connection
from msgspec import Struct

from matches.storage import database

log = logging.getLogger(__name__)

CHANNEL = "matches_hints"
PAUSE_SECONDS = 1.0
"""How long to wait before listening again, after the database went away."""

MOST_BYTES = 7_000
"""A longer hint is left out: PostgreSQL takes somewhat less than 8,000 bytes."""


class Made(Struct, frozen=True, array_like=True):
    """The move that made a version, and what it made of it: who has the version before can do it again.

    The digest says whether that came to the same; ``standing`` cannot be made again, as time is in it.
    """

    seat: int
    kind: str
    option: str
    digest: str
    standing: bytes = b""


class NewVersion(Struct, frozen=True, tag=True, array_like=True):
    """A match has reached a version."""

    match_id: str
    version: int
    made: Made | None = None


class EndedSession(Struct, frozen=True, tag=True, array_like=True):
    """A session of a person is over."""

    user_id: int
    mark: str


class PersonChanged(Struct, frozen=True, tag=True, array_like=True):
    """Something about a person has changed."""

    user_id: int


class NewLine(Struct, frozen=True, tag=True, array_like=True):
    """Somebody has written in the chat of a match."""

    match_id: str


class TableChanged(Struct, frozen=True, tag=True, array_like=True):
    """At a table that waits for players something is new: it was opened or closed, somebody came or left, it began."""

    match_id: str
    listed: bool
    """Whether it stands, or stood, in the list of open tables."""


class Listening(Struct, frozen=True, tag=True, array_like=True):
    """Others are heard from now on; what they have said before, since the database went away, is lost.

    No process says this to another: each hears it of its own wire.
    """


Hint = NewVersion | EndedSession | PersonChanged | NewLine | TableChanged | Listening
Hear = Callable[[list[Hint]], None]


class Letter(Struct, frozen=True, array_like=True):
    """A hint on its way, with who sent it."""

    sender: str
    hint: Hint


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Letter).decode
_name = uuid4().hex[:12]
"""Of this process, which has told its own sockets already when it hears itself."""


def needed() -> bool:
    """Return whether there may be other processes; SQLite has one alone."""
    return connection.vendor == "postgresql"


def written(hint: Hint) -> str:
    """Return ``hint`` as it is passed on."""
    text = _encode(Letter(_name, hint)).decode()
    if len(text) > MOST_BYTES and isinstance(hint, NewVersion):
        return written(NewVersion(hint.match_id, hint.version))
    return text


def send(hint: Hint) -> None:
    """Pass ``hint`` on to other processes; from any thread, and in a transaction with its commit."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, written(hint)])


class Wire:
    """What one event loop hears of other processes."""

    def __init__(self, hear: Hear) -> None:
        self.loop = asyncio.get_running_loop()
        self._hear = hear
        self._deaf = False
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Hear what others say, for as long as the loop runs and whatever happens to the database."""
        while True:
            try:
                raw = await asyncio.to_thread(_listening)
                self._deaf = False
                try:
                    self._hear([Listening()])
                    await self._until_broken(raw)
                finally:
                    raw.close()
            except Exception as error:
                # Said once for an outage, not for each try.
                log.log(logging.INFO if self._deaf else logging.WARNING, "hints are not heard: %s", error)
                self._deaf = True
            await asyncio.sleep(PAUSE_SECONDS)

    async def _until_broken(self, raw: Any) -> None:
        broken: asyncio.Future[None] = self.loop.create_future()
        socket = raw.fileno()

        def readable() -> None:
            try:
                self._hear(_arrived(raw.pgconn))
            except Exception as error:
                self.loop.remove_reader(socket)
                if not broken.done():
                    broken.set_exception(error)

        self.loop.add_reader(socket, readable)
        try:
            await broken
        finally:
            self.loop.remove_reader(socket)


def _listening() -> Any:
    """Return a connection of its own that listens."""
    raw = database.own_connection()
    raw.execute("LISTEN matches_hints")  # CHANNEL: no statement is put together
    return raw


def _arrived(connection: Any) -> list[Hint]:
    """Return what others have sent; raises if the connection is broken."""
    connection.consume_input()
    hints: list[Hint] = []
    while (notice := connection.notifies()) is not None:
        try:
            letter = _decode(notice.extra)
        except msgspec.MsgspecError as error:
            log.warning("a hint was not understood: %s", error)
            continue
        if letter.sender != _name:
            hints.append(letter.hint)
    return hints


_wires: list[Wire] = []
"""The wire of the loop on which this process has its sockets, if there may be other processes."""


def open_here(hear: Hear) -> None:
    """Have the running loop hear of other processes; ``hear`` is called with their hints."""
    if not needed() or (_wires and _wires[0].loop is asyncio.get_running_loop()):
        return
    _wires[:] = [Wire(hear)]
