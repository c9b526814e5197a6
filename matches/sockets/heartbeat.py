"""The heartbeat of all sockets of this process: every five seconds, from the database.

It is what makes lost hints harmless (a client that hears of a version it has not seen asks for it), and
what says who is at the table: sockets leave a sign of life in the row of their seat, which simply grows
old when a process dies.

Each match has its place among the ticks of a round, so that no tick holds up the event loop for long: a thousand
sockets at once would be a tenth of a second in which nobody is answered. A tick costs a few queries, however many
sockets it is for, and nothing if it is for none.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Protocol, TypeVar
from zlib import crc32

import msgspec
from django.db import DatabaseError
from django.utils import timezone
from msgspec import Struct

from matches.chat import services as chat
from matches.clocks import presence, showing, site_time
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.models import Match, MatchSeat
from matches.protocol.messages import Absent, TableClocks
from matches.sockets.sessions import SessionOf, still_signed_in
from matches.storage import database
from matches.storage.executors import on_database
from matches.storage.faults import one_of_many
from matches.storage.outages import Outage, outage_of
from matches.table import table_view
from matches.watching import delay, onlookers

log = logging.getLogger(__name__)
T = TypeVar("T")

SECONDS = 5.0
TICKS = 10
"""In how many parts the sockets of a process hear their beats."""
AT_ONCE = 500
"""Matches or seats named in one query."""

OF_A_MATCH = ("pk", "public_id", "version", "rematch__public_id", "tempo", "standing", "deciders")
"""What a beat needs of the row of a match."""


class Beat(Struct, frozen=True):
    """What a heartbeat says about a match, and whether whoever hears it is still signed in (None: not looked at)."""

    version: int
    present: list[int]
    rematch: str | None
    watched: int
    """The version for those who look on."""
    onlookers: int
    clocks: TableClocks | None = None
    absent: list[Absent] = []
    signed_in: bool | None = None
    line: int = 0
    """The newest line of the chat."""


class Socket(Protocol):
    """An open socket, as the heartbeat knows it."""

    match_id: str
    seat_pk: int | None

    @property
    def session_to_check(self) -> SessionOf | None:
        """The session that is to be looked at now, if any."""

    async def beat(self, beat: Beat) -> None:
        """Send ``beat`` to the client; if this raises, the socket gets no more beats."""

    async def no_beat(self, outage: Outage) -> None:
        """Tell the client that the database cannot be read."""


class Heartbeat:
    """Beats for the sockets of one event loop, as long as there are any."""

    def __init__(self) -> None:
        self._sockets: set[Socket] = set()
        self._task: asyncio.Task[None] | None = None
        self._watching = False
        """Whether there were sockets without a seat at the last beat."""

    def add(self, socket: Socket) -> None:
        """Take ``socket`` in; the heartbeat starts with the first one."""
        self._sockets.add(socket)
        if self._task is None or self._task.done() or self._task.get_loop() is not asyncio.get_running_loop():
            self._task = asyncio.create_task(self._run())

    def remove(self, socket: Socket) -> None:
        """Let ``socket`` go; one that is not there does no harm."""
        self._sockets.discard(socket)

    def counts(self) -> tuple[int, int]:
        """Return how many sockets of players there are, and how many of people who look on. From any thread."""
        sockets = tuple(self._sockets)
        players = sum(socket.seat_pk is not None for socket in sockets)
        return players, len(sockets) - players

    async def _run(self) -> None:
        for tick in itertools.cycle(range(TICKS)):
            await asyncio.sleep(SECONDS / TICKS)
            if not self._sockets:
                return
            due = [socket for socket in self._sockets if _tick_of(socket.match_id) == tick]
            try:
                if tick == 0:
                    await self._count_onlookers()
                if due:
                    await self._beat(due)
            except Exception as error:
                # The database is away: sockets stay open, and the next round may find it again.
                log.warning("no heartbeat this time: %s", error)
                await self._skip(due, outage_of(error))

    async def _skip(self, sockets: Sequence[Socket], outage: Outage | None) -> None:
        """Tell the sockets why this beat is left out, if the cause is an outage of the database."""
        if outage is not None:
            await self._each(sockets, lambda socket: socket.no_beat(outage))

    async def _count_onlookers(self) -> None:
        """Note at which matches there are sockets without a seat, and how many; once more after the last has gone."""
        watching = Counter(socket.match_id for socket in self._sockets if socket.seat_pk is None)
        if watching or self._watching:
            await on_database(_unless_in_the_way, partial(onlookers.record, watching))
        self._watching = bool(watching)

    async def _beat(self, sockets: Sequence[Socket]) -> None:
        matches = {socket.match_id for socket in sockets}
        seats = {socket.seat_pk for socket in sockets if socket.seat_pk is not None}
        sessions = {socket: session for socket in sockets if (session := socket.session_to_check) is not None}
        beats = await on_database(beats_of, matches, seats)
        signed_in = await on_database(_signed_in, set(sessions.values()))

        def beat_of(socket: Socket) -> Beat:
            beat = beats[socket.match_id]
            return (
                msgspec.structs.replace(beat, signed_in=sessions[socket] in signed_in) if socket in sessions else beat
            )

        known = [socket for socket in sockets if socket.match_id in beats]
        await self._each(known, lambda socket: socket.beat(beat_of(socket)))

    async def _each(self, sockets: Sequence[Socket], deliver: Callable[[Socket], Awaitable[None]]) -> None:
        for socket in sockets:
            try:
                await deliver(socket)
                await asyncio.sleep(0)  # moves that wait come first
            except Exception as error:
                log.info("a socket that no longer answers: %s", error)
                self.remove(socket)


def _tick_of(match_id: str) -> int:
    """Return at which tick of a round the sockets of this match hear their beats."""
    return crc32(match_id.encode()) % TICKS


def beats_of(matches: Iterable[str], seats: Iterable[int]) -> dict[str, Beat]:
    """Record that ``seats`` are occupied now, and return the beats of ``matches``, without those that are broken."""
    record_presence(seats)
    beats: dict[str, Beat] = {}
    for some in _portions(matches):
        match_rows = list(Match.objects.filter(public_id__in=some).values(*OF_A_MATCH))
        watched = delay.versions_for([row["pk"] for row in match_rows])
        looking = onlookers.counts([row["pk"] for row in match_rows])
        at: dict[int, list[table_view.SeatSeen]] = {}
        seats_there = MatchSeat.objects.filter(match__in=[row["pk"] for row in match_rows])
        for pk, *seen in seats_there.values_list("match_id", *table_view.SEAT_SEEN):
            at.setdefault(pk, []).append(tuple(seen))
        lines = chat.newest([row["pk"] for row in match_rows])
        for row in match_rows:
            pk = row["pk"]
            with one_of_many(log, "match %s gets no heartbeat", row["public_id"]):
                beat = _beat(row, at.get(pk, []), watched.get(pk, row["version"]), looking.get(pk, 0))
                beats[row["public_id"]] = msgspec.structs.replace(beat, line=lines.get(pk, 0))
    return beats


def _beat(row: dict[str, Any], seats: list[table_view.SeatSeen], watched: int, looking: int) -> Beat:
    """Return the beat of a match that was read as ``row``; those who look on, so many, are shown ``watched``."""
    tempo, clocks = tempos.read(row["tempo"]), None
    standing = standings.read(bytes(row["standing"]), len(seats), row["version"])
    if tempo.timed:
        clocks = showing.clocks(standing, tempo, site_time.now())
    away = []
    if row["deciders"]:
        away = presence.absent(presence.Waits(row["pk"], tempo.kind, row["deciders"], standing, seats))
    present = table_view.present(seats)
    return Beat(row["version"], present, row["rematch__public_id"], watched, looking, clocks, away)


def _signed_in(sessions: Iterable[SessionOf]) -> set[SessionOf]:
    return {session for some in _portions(sessions) for session in still_signed_in(some)}


def record_presence(seats: Iterable[int]) -> None:
    """Store that these seats are occupied now; skipped while the database cannot be written to."""
    for some in _portions(seats):
        _unless_in_the_way(partial(_record_presence, some))


def _unless_in_the_way(change: Callable[[], None]) -> None:
    """Write ``change`` down; skipped while the database cannot be written to."""
    try:
        database.write(change)
    except (DatabaseError, database.Busy) as error:
        if outage_of(error) not in (Outage.CANNOT_SAVE, Outage.BUSY):
            raise
        log.warning("who is at the tables was not written down: %s", error)


def _record_presence(seats: list[int]) -> None:
    MatchSeat.objects.filter(pk__in=seats).update(seen=timezone.now())


def _portions(things: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(things)
    while portion := list(islice(rest, AT_ONCE)):
        yield portion


heartbeat = Heartbeat()
