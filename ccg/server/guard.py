"""Limits that hold before any of our code sees what a socket sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

from ccg.counting import group_of

from .limits import Buckets

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

# The longest message that is passed on whole. A longer one arrives cut off behind this many bytes, so
# that the consumer sees that it is too long and can say so on a socket that stays open.
MESSAGE_BYTES = 16 * 1024
# What the server process accepts at all; the same limit holds for what we send.
TRANSPORT_BYTES = 1024 * 1024

# What all sockets of one visitor may do together; a table asks for its share with ``scope["spend"]``, and says with
# ``scope["charge"]`` what was spent for them unasked.
OPENED_A_SECOND, OPENED_AT_ONCE = 1, 30
FRAMES_A_SECOND, FRAMES_AT_ONCE = 100, 600

SLOWLY = 2.0
"""Seconds that it takes to be refused."""

POLICY_VIOLATION = 1008


class SocketGuard:
    """ASGI middleware for WebSockets: refuses who opens too many, cuts what is too long, counts what a visitor asks."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._opened = Buckets(OPENED_A_SECOND, OPENED_AT_ONCE)
        self._frames = Buckets(FRAMES_A_SECOND, FRAMES_AT_ONCE)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        visitor = group_of((scope.get("client") or [""])[0])
        if not self._opened.take(visitor):
            await receive()
            await asyncio.sleep(SLOWLY)  # so that asking again and again is slow as well
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # 403, as it is not open yet
            return
        scope["spend"] = partial(self._frames.take, visitor)
        scope["charge"] = partial(self._frames.spend, visitor)
        await self._application(scope, partial(_received, receive), send)


async def _received(receive: Receive) -> Message:
    """Return the next message, with at most one byte or character more than a consumer has to accept."""
    message = await receive()
    for kind in ("text", "bytes"):
        content = message.get(kind)
        if content and len(content) > MESSAGE_BYTES:
            message = {**message, kind: content[: MESSAGE_BYTES + 1]}
    return message


async def refuse(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """ASGI application for WebSocket addresses that do not exist: a plain refusal, not a crash."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})
