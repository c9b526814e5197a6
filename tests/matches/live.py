"""A match of two guests at a running site, and tabs at its table, message by message."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ccg.server.proving.client import visits
from ccg.server.proving.client.visits import Visitor
from tests.running import Site

SECONDS = 10.0
Message = dict[str, Any]


class Socket:
    """A tab at a table, message by message."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: Message | str | bytes) -> None:
        self.connection.send(json.dumps(message) if isinstance(message, dict) else message)

    def receive(self, *kinds: str, seconds: float = SECONDS) -> Message:
        """Return the next message of one of these kinds, passing over others."""
        end = time.monotonic() + seconds
        while True:
            message: Message = json.loads(self.connection.recv(max(0.01, end - time.monotonic())))
            if message["type"] in kinds:
                return message

    def ask(self, message: Message | str | bytes, *kinds: str) -> Message:
        self.send(message)
        return self.receive(*kinds)

    def hello(self, since: int | None = None) -> Message:
        return self.ask({"type": "hello", "since": since}, "table")

    def closed_with(self, seconds: float = SECONDS) -> int | None:
        """Wait for the other side to close, and return its code."""
        end = time.monotonic() + seconds
        try:
            while True:
                self.connection.recv(max(0.01, end - time.monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def ask_often(self, times: int) -> None:
        """Send so many pings at once, and take the answers."""
        for _ in range(times):
            self.send({"type": "ping"})
        for _ in range(times):
            self.receive("pong", "refused")

    def is_open(self) -> bool:
        return self.ask({"type": "ping"}, "pong")["type"] == "pong"


@contextmanager
def at(
    site: Site, match_id: str, visitor: Visitor | None = None, origin: str | None = None, asked: str = ""
) -> Iterator[Socket]:
    """A tab at a table, of ``visitor`` (None: of somebody whom the site does not know); ``asked`` ends its address."""
    headers = {"Cookie": visitor.cookie_header} if visitor else {}
    address = f"ws{site.url.removeprefix('http')}/ws/matches/{match_id}/{asked}"
    with connect(address, origin=origin or site.url, additional_headers=headers, max_size=None) as connection:
        yield Socket(connection)


class Game:
    """A match of two guests."""

    def __init__(self, site: Site, watchable: bool = True, tempo: str = "untimed") -> None:
        self.site = site
        self.guests = [visits.guest(site.url), visits.guest(site.url)]
        self.id, link = self.guests[0].invite(2, tempo)
        self.guests[1].accept(link)

    def tab(self, seat: int) -> AbstractContextManager[Socket]:
        return at(self.site, self.id, self.guests[seat])

    def decision(self) -> tuple[int, int, list[str]]:
        """Return the version, who has to choose, and the options."""
        for seat in (0, 1):
            with self.tab(seat) as tab:
                table = tab.hello()
                decision = table["view"]["decision"]
                if decision["seat"] == seat:
                    return table["version"], seat, [option["key"] for option in decision["options"]]
        raise AssertionError("nobody has to choose")


def choose(version: int, option: str, action: str) -> Message:
    return {"type": "choose", "id": action, "version": version, "option": option}
