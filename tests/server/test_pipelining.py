"""Requests that are sent one behind the other, to a site whose answers are read now and then: all come, in order."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet import abstract, main
from twisted.web import http

from ccg.server.connections import SiteChannel

MOST_TAKEN_IN = 16 * 1024 + 64 * 1024
"""Where reading stops, and what one look at the line brings."""
PIECES = (1, 100, 5_000, 65_536, 300_000)


class Line(abstract.FileDescriptor):
    """Twisted's own line, of which the other side takes ``room`` bytes more."""

    bufferSize = 64 * 1024  # noqa: N815

    def __init__(self) -> None:
        super().__init__(SimpleNamespace())
        self.connected = 1
        self.reads, self.writes = True, False
        self.room, self.taken = 0, b""

    def startReading(self) -> None:  # noqa: N802
        self.reads = True

    def stopReading(self) -> None:  # noqa: N802
        self.reads = False

    def startWriting(self) -> None:  # noqa: N802
        self.writes = True

    def stopWriting(self) -> None:  # noqa: N802
        self.writes = False

    def writeSomeData(self, data: bytes) -> int:  # noqa: N802
        taken = bytes(data[: self.room])
        self.room -= len(taken)
        self.taken += taken
        return len(taken)

    def getPeer(self) -> None:  # noqa: N802
        return None

    getHost = getPeer  # noqa: N815


class Visit:
    """One connection, on which something happens again and again, by chance: as long as something can."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.asked = chance, b""
        self.under_way: list[Any] = []
        self.line, self.channel = Line(), SiteChannel()
        self.channel.requestFactory = self.request
        self.channel.timeOut = None
        self.line.protocol = self.channel
        self.channel.makeConnection(self.line)

    def request(self, *args: Any) -> http.Request:
        visit = self

        class Page(http.Request):
            left = -1

            def process(self) -> None:
                self.left = int(self.path[1:])
                self.setHeader(b"content-length", self.path[1:])
                visit.under_way.append(self)
                if visit.chance.random() < 0.2:
                    visit.answer(whole=True)

        return Page(*args)

    def ask(self) -> None:
        size = min(self.chance.choice(PIECES), self.line.bufferSize)
        self.channel.dataReceived(self.asked[:size])
        self.asked = self.asked[size:]

    def answer(self, whole: bool = False) -> None:
        assert len(self.under_way) == 1, "one after the other"
        page = self.under_way[0]
        while page.left:
            size = min(page.left, self.chance.choice(PIECES))
            page.write(b"x" * size)
            page.left -= size
            if not whole and self.chance.random() < 0.5:
                return
        self.under_way.remove(page)
        page.finish()

    def read(self) -> None:
        self.line.room = self.chance.choice(PIECES)
        if self.line.doWrite() is main.CONNECTION_DONE:
            self.line.connected, self.line.reads = 0, False

    def happens(self) -> bool:
        can = [self.ask] * 3 if self.asked and self.line.reads and self.line.connected else []
        can += [self.answer] * 2 if self.under_way else []
        can += [self.read] * self.chance.choice((1, 5)) if self.line.writes and self.line.connected else []
        if can:
            self.chance.choice(can)()
        return bool(can)


@pytest.mark.parametrize("seed", range(5))
def test_all_are_answered_however_they_are_sent_and_read(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        visit, wanted = Visit(chance), []
        for _ in range(chance.randrange(1, 60)):
            wanted.append(chance.choice((0, 1, 3_000, 65_000, 66_000, 200_000)))
            body = b"y" * chance.choice((0, 0, 1, 3_000))
            head = f"POST /{wanted[-1]} HTTP/1.1\r\nX: {'z' * chance.choice((1, 900))}\r\nContent-Length: {len(body)}"
            visit.asked += head.encode() + b"\r\n\r\n" + body
        last = chance.random() < 0.3
        if last:
            wanted.append(7)
            visit.asked += b"GET /7 HTTP/1.1\r\nConnection: close\r\n\r\n"
        while visit.happens():
            assert len(visit.channel._buffer) + sum(map(len, visit.channel._dataBuffer)) <= MOST_TAKEN_IN
        given, rest = [], visit.line.taken
        while rest:
            said, _, rest = rest.partition(b"\r\n\r\n")
            given.append(int(said.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
            assert rest[: given[-1]].strip(b"x") == b""
            rest = rest[given[-1] :]
        assert given == wanted
        assert bool(visit.line.connected) is not last
