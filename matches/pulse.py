"""The heartbeat of all sockets of this process: every five seconds, from the database.

It is what makes lost hints harmless (a client that hears of a version it has not seen asks for it), and
what says who is at the table: sockets leave a sign of life in the row of their seat, which simply grows
old when a process dies. One round costs a few queries, however many sockets there are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Protocol, TypeVar

from django.utils import timezone
from msgspec import Struct

from matches import seen, storing
from matches.models import Match, MatchSeat
from matches.work import on_database

log = logging.getLogger(__name__)
T = TypeVar("T")

SECONDS = 5.0
AT_ONCE = 500
"""Matches or seats named in one query."""


class Beat(Struct, frozen=True):
    """What a heartbeat says about a match."""

    version: int
    present: list[int]
    rematch: str | None


class Socket(Protocol):
    """An open socket, as the pulse knows it."""

    match_id: str
    seat_pk: int | None

    async def beat(self, beat: Beat) -> None:
        """Tell the client; what it raises takes the socket off the pulse."""


class Pulse:
    """Beats for the sockets of one event loop, as long as there are any."""

    def __init__(self) -> None:
        self._sockets: set[Socket] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, socket: Socket) -> None:
        """Take ``socket`` in; the pulse starts with the first one."""
        self._sockets.add(socket)
        if self._task is None or self._task.done() or self._task.get_loop() is not asyncio.get_running_loop():
            self._task = asyncio.create_task(self._run())

    def remove(self, socket: Socket) -> None:
        """Let ``socket`` go; one that is not there does no harm."""
        self._sockets.discard(socket)

    async def _run(self) -> None:
        while self._sockets:
            await asyncio.sleep(SECONDS)
            try:
                await self._round(list(self._sockets))
            except Exception as error:
                # The database is away: sockets stay open, and the next round may find it again.
                log.warning("no heartbeat this time: %s", error)

    async def _round(self, sockets: Sequence[Socket]) -> None:
        matches = {socket.match_id for socket in sockets}
        seats = {socket.seat_pk for socket in sockets if socket.seat_pk is not None}
        beats = await on_database(look, matches, seats)
        for socket in sockets:
            beat = beats.get(socket.match_id)
            if beat is None:
                continue
            try:
                await socket.beat(beat)
            except Exception as error:
                log.info("a socket without a pulse: %s", error)
                self.remove(socket)


def look(matches: Iterable[str], seats: Iterable[int]) -> dict[str, Beat]:
    """Leave a sign of life for ``seats`` and give the beats of ``matches``."""
    note(seats)
    beats: dict[str, Beat] = {}
    for some in _portions(matches):
        rows = Match.objects.filter(public_id__in=some).values_list("pk", "public_id", "version", "rematch__public_id")
        found = list(rows)
        at: dict[int, list[MatchSeat]] = {}
        for seat in MatchSeat.objects.filter(match__in=[row[0] for row in found]).only(
            "match_id", "number", "kind", "seen"
        ):
            at.setdefault(seat.match_id, []).append(seat)
        for pk, match_id, version, rematch in found:
            beats[match_id] = Beat(version, seen.present(at.get(pk, [])), rematch)
    return beats


def note(seats: Iterable[int]) -> None:
    """Write down that somebody is at these seats now."""
    for some in _portions(seats):
        storing.write(partial(_note, some))


def _note(seats: list[int]) -> None:
    MatchSeat.objects.filter(pk__in=seats).update(seen=timezone.now())


def _portions(things: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(things)
    while portion := list(islice(rest, AT_ONCE)):
        yield portion


pulse = Pulse()
