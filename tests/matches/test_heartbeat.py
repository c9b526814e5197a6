"""The heartbeat of many sockets: everybody hears it once in a round, and never all at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match
from matches.sockets import heartbeat as heartbeats
from matches.sockets.heartbeat import Beat, Heartbeat, Outage
from matches.sockets.sessions import SessionOf
from tests.matches.conftest import Table

BEAT = Beat(version=3, present=[0, 1], rematch=None, watched=3, onlookers=0)


class Listener:
    """An open socket that notes what it hears."""

    session_to_check: SessionOf | None = None

    def __init__(self, match_id: str, heard: Counter[str], seat_pk: int | None = 1) -> None:
        self.match_id, self.seat_pk = match_id, seat_pk
        self._heard = heard

    async def beat(self, beat: Beat) -> None:
        assert beat == BEAT
        self._heard[self.match_id] += 1

    async def no_beat(self, outage: Outage) -> None:
        self._heard["none, as it is " + outage.value] += 1


class Reads:
    """Which matches were read for beats, one set for each time that some were."""

    def __init__(self) -> None:
        self.matches: list[set[str]] = []
        self._again = asyncio.Event()

    def beats_of(self, matches: Iterable[str], seats: Iterable[int]) -> dict[str, Beat]:
        self.matches.append(set(matches))
        self._again.set()
        return dict.fromkeys(matches, BEAT)

    async def until(self, many: int) -> None:
        """Wait until matches have been read so many times, and until the sockets have heard of it."""
        while len(self.matches) < many:
            self._again.clear()
            await self._again.wait()
        for _ in range(2 * len(self.matches[-1]) + 2):
            await asyncio.sleep(0)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """A database in which nothing is stored, and rounds of half a second."""
    reads = Reads()

    async def on_database(call: Callable[..., Any], *values: Any) -> Any:
        return call(*values)

    monkeypatch.setattr(heartbeats, "SECONDS", 0.5)
    monkeypatch.setattr(heartbeats, "beats_of", reads.beats_of)
    monkeypatch.setattr(heartbeats, "on_database", on_database)
    monkeypatch.setattr(heartbeats, "_signed_in", lambda sessions: set())
    return reads


async def test_a_round_reaches_every_socket_once_and_never_all_of_them_together(reads: Reads) -> None:
    heard: Counter[str] = Counter()
    names = [f"match-{number}" for number in range(200)]
    heartbeat = Heartbeat()
    sockets = [Listener(name, heard) for name in names for _ in (0, 1)]
    for socket in sockets:
        heartbeat.add(socket)
    await reads.until(heartbeats.TICKS)
    for socket in sockets:
        heartbeat.remove(socket)

    assert heard == dict.fromkeys(names, 2)
    assert sum(map(len, reads.matches)) == len(names)
    assert max(map(len, reads.matches)) < len(names) / 4


async def test_a_tick_for_nobody_reads_nothing(reads: Reads) -> None:
    heard: Counter[str] = Counter()
    heartbeat = Heartbeat()
    socket = Listener("lonely", heard)
    heartbeat.add(socket)
    await reads.until(2)
    heartbeat.remove(socket)

    assert reads.matches == [{"lonely"}, {"lonely"}]
    assert heard["lonely"] == 2


def test_a_broken_match_keeps_no_other_from_its_heartbeat(
    table: Table, alice: Any, deck: TableDeck, caplog: pytest.LogCaptureFixture
) -> None:
    broken = lobby.play_computer(alice, deck, [deck])
    Match.objects.filter(pk=broken.pk).update(standing=b"no standing")
    beats = heartbeats.beats_of([broken.public_id, table.id], [])
    assert set(beats) == {table.id}
    assert f"match {broken.public_id} gets no heartbeat" in caplog.text
