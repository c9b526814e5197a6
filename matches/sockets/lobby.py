"""The socket of pages that wait for others: it says that something is new, and the page asks for itself again.

There are two: the list of open tables, and the page of one table that has not begun. Nothing is said but that something
has changed, so that whoever may open the page need not be asked for again here, and a lost message costs some seconds,
after which the page looks by itself (``data-refresh``).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from matches.hints import notifications
from matches.hints.listeners import ALL_TABLES, listeners
from matches.sockets import news
from matches.sockets.consumers import FLOODED, LONG_FRAME

CHANGED = '{"type":"changed"}'

SOONEST = 0.1
"""Seconds until what has changed is said, with what changes meanwhile."""

PAGES_A_SECOND = 50
"""How many of those who wait at one place are told in a second, by chance: each asks for its page then."""

LATEST = 5.0
"""Seconds after which all are told, however many there are: pages without a socket look as often. Sockets cost a
stranger little, and with a thousand of them at a table whoever waits there would learn too late that it has begun."""


class LobbyConsumer(AsyncWebsocketConsumer):
    """One socket of one page: that of the table in its address, or of the list where there is none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.place = ALL_TABLES
        self._changed = False
        self._telling: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle what comes until the socket ends, and forget it then: whoever is cancelled hears of no disconnect."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._forget()

    async def connect(self) -> None:
        """Let the client in, whoever it is."""
        self.place = self.scope["url_route"]["kwargs"].get("match_id", ALL_TABLES)
        await self.accept()
        notifications.listen_here(news.hear)
        listeners.wait(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a frame: nothing can be asked here, and too many cost the socket."""
        spend: Callable[[float], bool] | None = self.scope.get("spend")
        if spend is not None and not spend(1 + len(text_data or bytes_data or "") / LONG_FRAME):
            await self.close(FLOODED)

    def hear_of_tables(self) -> None:
        """What the page shows has changed."""
        self._changed = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while self._changed:
            await asyncio.sleep(
                SOONEST + random.uniform(0, min(listeners.waiting(self.place) / PAGES_A_SECOND, LATEST))
            )
            self._changed = False
            await self.send(CHANGED)

    def _forget(self) -> None:
        listeners.wait_no_more(self)
        if self._telling is not None:
            self._telling.cancel()
