"""Many matches of two, with a choice in each of them every so often: how long answers take, and who sees them when."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4
from zlib import crc32

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

from .lines import line
from .visits import VisitError, Visitor, guest

PING_SECONDS = 10.0
AGAIN_SECONDS = 0.5
"""At least so long, and at most twice that, before a socket is opened again."""
SEATED_SECONDS = 120.0
COMING_AT_ONCE = 4
SWITCH_SECONDS = 0.0002
"""After which threads that get seats give way to those who play: what is measured is the server."""
LOOK_SECONDS = 0.01


# What this program reads of a frame (docs/protocol.md); the rest is skipped, not decoded: on two cores that the servers
# share, each microsecond here is one that they do not have.


class Option(Struct):
    """An option of a decision."""

    key: str


class Decision(Struct):
    """What a player is asked."""

    options: list[Option] = []


class View(Struct):
    """The table as one player sees it."""

    decision: Decision | None = None


class Frame(Struct):
    """What a server has sent."""

    type: str
    id: str | None = None
    version: int = -1
    view: View | None = None
    over: bool = False
    code: str = ""


class Measured:
    """What is counted while ``counting``; times are in seconds, from the frame on."""

    def __init__(self) -> None:
        self.counting = False
        self.answered: list[float] = []
        self.seen: list[float] = []
        """When the opponent had the table that the choice made."""
        self.late: list[float] = []
        """How much later than it wanted this program itself came to something: not to be counted against the server."""
        self.tables = 0
        self.bytes = 0
        self.refused: Counter[str] = Counter()
        self.lost = 0
        """Sockets that were closed by the other side."""


class Crowd:
    """Pairs of guests, each at one table after another.

    Both come to a table at the same server, as a proxy leads them that looks at the match; ``apart`` to different ones.
    """

    def __init__(self, urls: list[str], matches: int, pace: float, seed: int, *, apart: bool = False) -> None:
        self.measured = Measured()
        self.apart = apart
        self.pace = pace
        self.stopping = False
        self._urls = urls
        self._matches = matches
        self._seed = seed
        self._threads = ThreadPoolExecutor(COMING_AT_ONCE)
        self._tables: list[tuple[list[Visitor], str, random.Random]] = []
        self._running: list[asyncio.Task[None]] = []
        self._playing: dict[str, Pair] = {}

    async def sit_down(self) -> None:
        """Let all in and begin to play; return once everybody has seen their table. Raises :class:`VisitError`."""
        await self._come()
        self._start()
        await self._seated()

    async def _come(self) -> None:
        """Let all in and seat them."""
        loop = asyncio.get_running_loop()
        coming = (loop.run_in_executor(self._threads, self._pair, number) for number in range(self._matches))
        self._tables = await asyncio.gather(*coming)

    def _start(self) -> None:
        """Begin to play."""
        # Collections of all that has been made so far would stop everybody for a tenth of a second.
        gc.collect()
        gc.freeze()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._running = [asyncio.create_task(self._play(*table)) for table in self._tables]
        self._running.append(asyncio.create_task(self._look()))

    async def _seated(self) -> None:
        """Wait until everybody has seen their table; raises :class:`VisitError` if that takes too long."""
        end = time.monotonic() + SEATED_SECONDS
        while (seated := sum(pair.seated for pair in self._playing.values())) < self._matches:
            if time.monotonic() > end:
                raise VisitError(f"{seated} of {self._matches} pairs have seen their tables in {SEATED_SECONDS:.0f} s")
            await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """Leave all tables."""
        self.stopping = True
        await asyncio.gather(*self._running, return_exceptions=True)
        self._threads.shutdown(wait=False)

    def table_url(self, match: str) -> str | None:
        """Return the server at which all come to a table; None where each has their own."""
        return None if self.apart else self._urls[crc32(match.encode()) % len(self._urls)]

    async def _look(self) -> None:
        """Measure how late this program is itself."""
        while not self.stopping:
            began = time.perf_counter()
            await asyncio.sleep(LOOK_SECONDS)
            if self.measured.counting:
                self.measured.late.append(time.perf_counter() - began - LOOK_SECONDS)

    def _pair(self, number: int) -> tuple[list[Visitor], str, random.Random]:
        # Everybody comes from an address of their own, as they would in life.
        addresses = [f"127.{seat + 1}.{number // 250}.{number % 250 + 1}" for seat in (0, 1)]
        urls = [self._urls[(number + seat) % len(self._urls)] for seat in (0, 1)]
        people = [guest(url, address=address) for url, address in zip(urls, addresses, strict=True)]
        return people, self._begin(people), random.Random(f"{self._seed}:{number}")

    @staticmethod
    def _begin(people: list[Visitor]) -> str:
        match, link = people[0].invite()
        people[1].accept(link)
        for visitor in people:
            visitor.close()
        return match

    async def _play(self, people: list[Visitor], match: str, rng: random.Random) -> None:
        while not self.stopping:
            self._playing[match] = Pair(self, people, match, rng)
            await self._playing[match].play()
            del self._playing[match]
            if not self.stopping:
                match = await asyncio.get_running_loop().run_in_executor(self._threads, self._begin, people)


class Pair:
    """Two at one table."""

    def __init__(self, crowd: Crowd, people: list[Visitor], match: str, rng: random.Random) -> None:
        self.crowd = crowd
        self.match = match
        self.leaving = False
        self.rng = rng
        self.sent_at: dict[str, float] = {}
        self.made: dict[int, float] = {}
        """When the choice was sent that made a version."""
        self._seats = [Place(self, visitor) for visitor in people]

    @property
    def seated(self) -> bool:
        """Whether both have seen the table."""
        return all(seat.version >= 0 for seat in self._seats)

    async def play(self) -> None:
        """Play until the match is over or the crowd leaves."""
        sitting = [asyncio.create_task(seat.sit()) for seat in self._seats]
        due = time.perf_counter() + self.rng.uniform(0, self.crowd.pace)
        while not self.crowd.stopping and not all(seat.over for seat in self._seats):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += self.crowd.pace
            with contextlib.suppress(ConnectionClosed):
                await self._choose()
        self.leaving = True
        for seat in self._seats:
            await seat.leave()
        await asyncio.gather(*sitting, return_exceptions=True)

    async def _choose(self) -> None:
        newest = max(seat.version for seat in self._seats)
        for seat in self._seats:
            if seat.options and seat.version == newest and not self.sent_at and not seat.over:
                action = str(uuid4())
                self.sent_at[action] = self.made[newest + 1] = time.perf_counter()
                self.made.pop(newest - 1, None)
                key = self.rng.choice(seat.options).key
                await seat.say({"type": "choose", "id": action, "version": newest, "option": key})
                return


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Frame).decode


class Place:
    """A socket at a table, as docs/protocol.md says."""

    def __init__(self, pair: Pair, visitor: Visitor) -> None:
        self.version = -1
        self.options: list[Option] = []
        self.over = False
        self._pair = pair
        self._visitor = visitor
        self._socket: ClientConnection | None = None

    async def sit(self) -> None:
        """Be at the table until the pair leaves, again after a lost connection."""
        visitor, measured, match = self._visitor, self._pair.crowd.measured, self._pair.match
        url = self._pair.crowd.table_url(match) or visitor.url
        opening = {"local_addr": (visitor.address, 0), "open_timeout": 60}
        while not self._pair.leaving:
            # A server that a whole crowd runs into at once may leave some at the door: they come again.
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                async with line(url, match, visitor.cookie_header, **opening) as self._socket:
                    # Who left while the connection was being made had none to close.
                    if not self._pair.leaving:
                        await self._listen(self._socket)
            if not self._pair.leaving:
                measured.lost += measured.counting
                self._pair.sent_at.clear()
                await asyncio.sleep(AGAIN_SECONDS * self._pair.rng.uniform(1, 2))

    async def say(self, message: dict[str, Any]) -> None:
        """Send a message, if there is a connection."""
        if self._socket is not None:
            await self._socket.send(_encode(message), text=True)

    async def leave(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()

    async def _listen(self, socket: ClientConnection) -> None:
        await self.say({"type": "hello"})
        pings = asyncio.create_task(self._ping())
        try:
            while True:
                await self._take(await socket.recv(decode=False))
        finally:
            pings.cancel()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            await self.say({"type": "ping", "seen": max(0, self.version)})

    async def _take(self, frame: bytes) -> None:
        now, measured, pair = time.perf_counter(), self._pair.crowd.measured, self._pair
        message = _decode(frame)
        if measured.counting:
            measured.bytes += len(frame)
        match message.type:
            case "table" if message.version > self.version:
                self.version, self.over = message.version, message.over
                decision = message.view.decision if message.view is not None else None
                self.options = decision.options if decision is not None else []
                if measured.counting and self.version in pair.made:
                    measured.tables += 1
                    measured.seen.append(now - pair.made[self.version])
            case "accepted":
                sent = pair.sent_at.pop(message.id or "", None)
                if measured.counting and sent is not None:
                    measured.answered.append(now - sent)
            case "refused":
                measured.refused[message.code] += measured.counting
                pair.sent_at.clear()
            case "heartbeat" if message.version > self.version >= 0:
                await self.say({"type": "hello", "since": self.version})
