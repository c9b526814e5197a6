"""One seat (or one who looks on) at a table, over the socket, through any number of lost connections."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from .lines import line

Message = dict[str, Any]
Note = Callable[[str, Message], None]
"""Is told what happens: its kind, and what about it."""

SILENCE = 20.0
SEEN_EVERY = 30
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
FINAL_CODES = (4401, 4404, 4409)
AGAIN = {"busy": 0.2, "fault": 0.5, "too_fast": 1.0, "unavailable": 1.0, "cannot_save": 1.0}
"""Refusals after which the same choice may be sent again with the same id, and after how many seconds."""


class SeatError(Exception):
    """The table did what its documentation says it never does."""


def by_hash(seed: str) -> Callable[[Message], str]:
    """Return a policy: always the same option for the same seed, turn and offer, and any of them over time."""

    def choose(table: Message) -> str:
        options = table["view"]["decision"]["options"]
        digest = hashlib.sha256(f"{seed}:{table['match']}:{table['version']}".encode()).digest()
        return str(options[int.from_bytes(digest[:8], "big") % len(options)]["key"])

    return choose


class SeatLog:
    """What happened at a seat, for who wants to know it afterwards: given to the seat as its ``note``.

    Raises SeatError where the site goes back on what it said: an answer, or the events of a version. None of these may
    be missing, so this is for who never falls far behind.
    """

    def __init__(self) -> None:
        self.accepted: dict[str, int] = {}
        """The versions that the choices of this seat made, by action id."""
        self.lost = 0
        """How many connections were lost."""
        self._version: int | None = None
        self._events: dict[int, Message] = {}

    def __call__(self, kind: str, about: Message) -> None:
        """Take in what happened."""
        match kind:
            case "lost":
                self.lost += 1
            case "acked" if self.accepted.setdefault(about["id"], about["version"]) != about["version"]:
                raise SeatError(f"{about['id']} made version {self.accepted[about['id']]}, and now {about['version']}")
            case "seen":
                self._see(about)

    def _see(self, table: Message) -> None:
        if self._version is not None and table["since"] > self._version:
            raise SeatError(f"events between {self._version} and {table['since']} are missing")
        for one in table["events"]:
            if self._events.setdefault(one["version"], one["events"]) != one["events"]:
                raise SeatError(f"the events of version {one['version']} have changed")
        self._version = table["version"]


class Seat:
    """Says hello, takes tables, chooses when it has to, and repeats after a lost connection what was not answered.

    ``note`` is told of everything; times are those of ``time.monotonic``. Set ``choosing`` to False to look on.
    """

    def __init__(
        self,
        urls: Sequence[str],
        cookies: str,
        match: str,
        choose: Callable[[Message], str],
        note: Note = lambda kind, message: None,
        *,
        pace: float = 0.0,
        patience: float = 60.0,
    ) -> None:
        self.match = match
        self.table: Message | None = None
        self.choosing = True
        self.connected = False
        self.lost_at: float | None = None
        self._urls = list(urls)
        self._cookies = cookies
        self._choose = choose
        self._note = note
        self._pace = pace
        self._patience = patience
        self._pending: Message | None = None
        self._sent_at = 0.0
        self._unsaid = 0
        self._asked = -1
        self._fresh = False
        self._stopping = False
        self._socket: ClientConnection | None = None
        self._later: asyncio.Task[None] | None = None

    @property
    def version(self) -> int | None:
        """The version of the table that was seen last."""
        return None if self.table is None else int(self.table["version"])

    @property
    def url(self) -> str:
        """The server that it is at, or tries next."""
        return self._urls[0]

    def stop(self) -> None:
        """Choose no more; once the last choice is answered, leave. Call it from the event loop."""
        self._stopping = True
        if self._socket is not None and self._done():
            self._closing = asyncio.ensure_future(self._socket.close())

    async def run(self) -> Message | None:
        """Sit until the match is over or :meth:`stop` was called; return the last table."""
        pause, away = FIRST_PAUSE, None
        while not (self._stopping and self._pending is None):
            try:
                async with line(self.url, self.match, self._cookies, open_timeout=10, close_timeout=2) as socket:
                    pause, away, self.connected = FIRST_PAUSE, None, True
                    return await self._sit(socket)
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as error:
                self._check_close(error)
                now = time.monotonic()
                if self.connected:
                    self.connected, self.lost_at = False, now
                    self._note("lost", {"url": self.url, "why": repr(error)[:200]})
                away = away or now
                if now - away > self._patience:
                    raise SeatError(f"nobody there for {self._patience} s: {error!r}") from error
                self._urls.append(self._urls.pop(0))
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(LONGEST_PAUSE, pause * 1.5)
        return self.table

    async def _sit(self, socket: ClientConnection) -> Message | None:
        self._socket = socket
        # Should the table be where it was before our last choice, we have to choose once more; but see it first.
        self._asked, self._fresh = -1, False
        await self._hello(socket)
        if self._pending is not None:
            await self._say(socket, self._pending)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as silence:
                while not self._done():
                    silence.reschedule(loop.time() + SILENCE)
                    await self._hear(socket, json.loads(await socket.recv()))
                    await self._go_on(socket)
        except ConnectionClosed:
            if not self._done():
                raise
        finally:
            self._socket = None
            self._wake(None)
        return self.table

    def _done(self) -> bool:
        over = self.table is not None and bool(self.table["over"])
        return self._pending is None and (over or self._stopping)

    async def _hear(self, socket: ClientConnection, message: Message) -> None:
        """Take one message. What is unknown and newer than what we have makes us ask for the whole."""
        match message["type"]:
            case "table":
                await self._look(socket, message)
            case "accepted":
                self._accepted(message)
            case "refused":
                await self._refused(socket, message)
            case "why" | "pong":
                pass
            case _:
                if message.get("version", 0) > (self.version or 0):
                    await self._hello(socket)
                if message["type"] == "heartbeat":
                    await self._say(socket, {"type": "ping", "seen": self.version})

    async def _look(self, socket: ClientConnection, table: Message) -> None:
        known = self.version
        if known is not None and table["version"] < known:
            self._note("back", {"from": known, "to": table["version"]})
            raise SeatError(f"the table went back from version {known} to {table['version']}")
        versions = [one["version"] for one in table["events"]]
        if versions != list(range(table["since"] + 1, table["version"] + 1)):
            raise SeatError(f"events of {versions} since {table['since']} up to {table['version']}")
        self.table, self._fresh = table, True
        self._note("seen", {"version": table["version"], "since": table["since"], "events": table["events"]})
        self._unsaid += 1
        if self._unsaid >= SEEN_EVERY:
            self._unsaid = 0
            await self._say(socket, {"type": "ping", "seen": self.version})

    def _accepted(self, message: Message) -> None:
        waited = self._pending is not None and message["id"] == self._pending["id"]
        took = time.monotonic() - self._sent_at if waited else None
        self._note("acked", {"id": message["id"], "version": message["version"], "took": took, "lost": self.lost_at})
        self._asked = max(self._asked, message["version"] - 1)
        if waited:
            self._pending, self.lost_at = None, None

    async def _refused(self, socket: ClientConnection, message: Message) -> None:
        code = message["code"]
        self._note("refused", {"id": message["id"], "code": code, "version": message["version"]})
        if code in AGAIN:
            await asyncio.sleep(AGAIN[code])
            await self._say(socket, self._pending or {"type": "hello", "since": self.version})
        elif code in ("late", "over"):
            self._pending = None
            await self._hello(socket)
        elif code not in ("no_such_table", "not_running", "logged_out"):
            raise SeatError(f"refused: {code}: {message['message']}")

    async def _go_on(self, socket: ClientConnection) -> None:
        """Choose, if it is our turn and time; if it is too early, come back."""
        table = self.table
        if table is None or not self._has_to_choose(table):
            return
        wait = self._sent_at + self._pace - time.monotonic()
        if wait > 0:
            self._wake(asyncio.create_task(self._go_on_after(socket, wait)))
            return
        self._asked = table["version"]
        option = self._choose(table)
        self._pending = {"type": "choose", "id": str(uuid4()), "version": table["version"], "option": option}
        self._sent_at = time.monotonic()
        self._note("sent", {**self._pending, "you": table["you"]})
        await self._say(socket, self._pending)

    async def _go_on_after(self, socket: ClientConnection, wait: float) -> None:
        await asyncio.sleep(wait)
        with contextlib.suppress(ConnectionClosed, OSError):  # whoever listens notices that, too
            await self._go_on(socket)

    def _wake(self, task: asyncio.Task[None] | None) -> None:
        """Come back with this task and no other."""
        if self._later is not None and self._later is not asyncio.current_task():
            self._later.cancel()
        self._later = task

    def _has_to_choose(self, table: Message) -> bool:
        if self._pending is not None or table["over"] or self._stopping or not self.choosing:
            return False
        decision = table["view"]["decision"]
        mine = decision is not None and table["you"] is not None and decision["seat"] == table["you"]
        return mine and self._fresh and table["version"] > self._asked

    def _check_close(self, error: Exception) -> None:
        if isinstance(error, ConnectionClosed) and error.rcvd is not None:
            self._note("closed", {"code": error.rcvd.code})
            if error.rcvd.code in FINAL_CODES:
                raise SeatError(f"closed with {error.rcvd.code}") from error

    async def _hello(self, socket: ClientConnection) -> None:
        await self._say(socket, {"type": "hello", "since": self.version})

    @staticmethod
    async def _say(socket: ClientConnection, message: Message) -> None:
        await socket.send(json.dumps({key: value for key, value in message.items() if key != "you"}))
