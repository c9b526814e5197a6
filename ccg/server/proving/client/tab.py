"""One tab at a table that does as it is told: for two of them at once, and for what no honest client sends."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from .lines import line

Message = dict[str, Any]
SECONDS = 30.0


class Tab:
    """A socket whose newest table is in ``table``; answers to what was asked come by action id."""

    Closed = ConnectionClosed

    def __init__(self, url: str, cookies: str, match: str) -> None:
        self.url = url
        self.match = match
        self.table: Message = {}
        self._pong = asyncio.Event()
        self._socket: ClientConnection | None = None
        self.cookies = cookies
        self._answers: dict[str | None, asyncio.Queue[Message]] = {}
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Connect and see the table."""
        self._socket = await line(self.url, self.match, self.cookies, close_timeout=2)
        self._reading = asyncio.create_task(self._read())
        await self.say({"type": "hello"})
        await self.until(0)

    async def close(self) -> None:
        """Leave."""
        if self._socket is None:
            return
        with contextlib.suppress(ConnectionClosed, OSError):
            await self._socket.close()
        self._reading.cancel()

    async def say(self, message: Message | str | bytes) -> None:
        """Send one frame."""
        assert self._socket is not None, "open it first"
        await self._socket.send(json.dumps(message) if isinstance(message, dict) else message)

    async def ask(self, message: Message) -> Message:
        """Send what has an action id, and return the answer to it."""
        answers = self._answers.setdefault(message["id"], asyncio.Queue())
        await self.say(message)
        return await asyncio.wait_for(answers.get(), SECONDS)

    async def until_pong(self) -> None:
        """See that somebody still listens, and answers. Raises TimeoutError, or :attr:`Closed`."""
        async with asyncio.timeout(SECONDS):
            while not self._pong.is_set():
                await self.say({"type": "ping"})
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._pong.wait(), 1.5)

    @property
    def close_code(self) -> int | None:
        """With which code it was closed, if it was."""
        return self._socket.close_code if self._socket is not None else None

    async def until(self, version: int) -> Message:
        """Return the table once it is at this version or later; asks for it if that takes long."""
        async with asyncio.timeout(SECONDS):
            while self.table.get("version", -1) < version:
                self._news.clear()
                try:
                    await asyncio.wait_for(self._news.wait(), 2)
                except TimeoutError:
                    await self.say({"type": "hello", "since": self.table.get("version")})
        return self.table

    async def _read(self) -> None:
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):
            async for frame in self._socket:
                await self._take(json.loads(frame))

    async def _take(self, message: Message) -> None:
        match message["type"]:
            case "table":
                if message["version"] >= self.table.get("version", -1):
                    self.table = message
                    self._news.set()
            case "accepted" | "refused" if message["id"] is not None:
                self._answers.setdefault(message["id"], asyncio.Queue()).put_nowait(message)
            case "pong":
                self._pong.set()
            case "accepted" | "refused" | "why":
                pass
            case _ if message.get("version", 0) > self.table.get("version", -1) and self.table:
                await self.say({"type": "hello", "since": self.table["version"]})
