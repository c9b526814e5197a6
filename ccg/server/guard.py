"""Limits that hold before any of our code sees what a socket sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

from ccg.counting import group_of

from .limits import Buckets

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

log = logging.getLogger(__name__)

# The longest message that is passed on whole. A longer one arrives cut off behind this many bytes, so
# that the consumer sees that it is too long and can say so on a socket that stays open.
MESSAGE_BYTES = 16 * 1024
# What the server process accepts at all; the same limit holds for what we send.
TRANSPORT_BYTES = 1024 * 1024
# Messages that may wait for the consumer. A person clicking never has three.
WAITING_MESSAGES = 64

# What all sockets of one visitor may do together; a table asks for its share with ``scope["spend"]``, and says with
# ``scope["charge"]`` what was spent for them unasked.
OPENED_A_SECOND, OPENED_AT_ONCE = 1, 30
FRAMES_A_SECOND, FRAMES_AT_ONCE = 100, 600

SLOWLY = 2.0
"""Seconds that it takes to be refused."""

POLICY_VIOLATION = 1008


class SocketGuard:
    """ASGI middleware for WebSockets: cuts what is too long, closes who sends faster than we can answer.

    Servers keep what arrives in a queue without a bound, which one hostile client fills. Here each
    message is counted when it arrives, not when somebody gets round to reading it.
    """

    def __init__(self, application: Application, waiting: int = WAITING_MESSAGES) -> None:
        self._application = application
        self._waiting = waiting
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
        arrived: asyncio.Queue[Message] = asyncio.Queue()
        pump = asyncio.create_task(self._pump(scope, receive, send, arrived))
        try:
            await self._application(scope, arrived.get, send)
        finally:
            pump.cancel()

    async def _pump(
        self, scope: MutableMapping[str, Any], receive: Receive, send: Send, arrived: asyncio.Queue[Message]
    ) -> None:
        """Take messages as they come, until the socket ends or sends too many."""
        while True:
            message = await receive()
            if message["type"] == "websocket.receive":
                if arrived.qsize() >= self._waiting:
                    break
                message = _cut(message)
            arrived.put_nowait(message)
            if message["type"] == "websocket.disconnect":
                return
        log.warning("closed a flooding socket: %s from %s", scope["path"], (scope.get("client") or ["?"])[0])
        while not arrived.empty():
            arrived.get_nowait()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        arrived.put_nowait({"type": "websocket.disconnect", "code": POLICY_VIOLATION})


def _cut(message: Message) -> Message:
    """Return the message with at most one byte or character more than a consumer has to accept."""
    for kind in ("text", "bytes"):
        content = message.get(kind)
        if content and len(content) > MESSAGE_BYTES:
            message = {**message, kind: content[: MESSAGE_BYTES + 1]}
    return message


async def refuse(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """ASGI application for WebSocket addresses that do not exist: a plain refusal, not a crash."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})
