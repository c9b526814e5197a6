"""Hints between processes: one group on the channel layer, with one channel for each process that has sockets.

While one batch is on its way the next one gathers, so many hints at once cost few messages. What is sent while the
layer is away is dropped: hints may be lost, and sockets find out by their heartbeat. Each process says every few
seconds that it is still in the group, so a layer that comes back empty knows everybody again soon.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

import msgspec
from channels.layers import InMemoryChannelLayer, get_channel_layer
from msgspec import Struct

log = logging.getLogger(__name__)

GROUP = "hints"
JOIN_SECONDS = 5.0
"""How often a process says that it is in the group."""

PAUSE_SECONDS = 1.0
"""How long to wait before listening again, after the layer failed."""

SECONDS_TO_SEND = 5.0
"""How long a layer that does not answer keeps the next hints waiting."""

MOST_AT_ONCE = 500
"""Hints in one message."""

MOST_WAITING = 10_000
"""Hints that wait for a slow layer; more are dropped."""


class NewVersion(Struct, frozen=True, tag=True, array_like=True):
    """A match has reached a version."""

    match_id: str
    version: int


class EndedSession(Struct, frozen=True, tag=True, array_like=True):
    """A session of a person is over."""

    user_id: int
    mark: str


class PersonChanged(Struct, frozen=True, tag=True, array_like=True):
    """Something about a person has changed."""

    user_id: int


Hint = NewVersion | EndedSession | PersonChanged
Hear = Callable[[list[Hint]], None]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Hint]).decode


def needed() -> bool:
    """Return whether there may be other processes: a layer in memory reaches nobody but ourselves."""
    layer = get_channel_layer()
    return layer is not None and not isinstance(layer, InMemoryChannelLayer)


async def send(hints: Iterable[Hint], sender: str = "") -> None:
    """Send ``hints`` to all processes."""
    layer: Any = get_channel_layer()
    await layer.group_send(GROUP, {"type": "hints", "sender": sender, "hints": _encode(list(hints))})


class Wire:
    """What one event loop sends to other processes, and hears of them."""

    def __init__(self, hear: Hear) -> None:
        self.loop = asyncio.get_running_loop()
        self._hear = hear
        self._name = uuid4().hex
        self._waiting: list[Hint] = []
        self._sending: asyncio.Task[None] | None = None
        self._silent = self._deaf = False
        self._tasks = [asyncio.create_task(self._listen())]

    def pass_on(self, hint: Hint) -> None:
        """Send ``hint`` to other processes soon."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(hint)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                async with asyncio.timeout(SECONDS_TO_SEND):
                    await send(batch, self._name)
                self._silent = False
            except Exception as error:
                # Said once for an outage, not for each of its hints.
                log.log(logging.INFO if self._silent else logging.WARNING, "hints are not sent: %r", error)
                self._silent = True

    async def _listen(self) -> None:
        """Hear what others say, for as long as the loop runs and whatever happens to the layer."""
        while True:
            keeping: asyncio.Task[None] | None = None
            try:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                keeping = asyncio.create_task(_stay(layer, channel))
                while True:
                    self._take(await layer.receive(channel))
                    self._deaf = False
            except Exception as error:
                log.log(logging.INFO if self._deaf else logging.WARNING, "hints are not heard: %r", error)
                self._deaf = True
            finally:
                if keeping is not None:
                    keeping.cancel()
            await asyncio.sleep(PAUSE_SECONDS)

    def _take(self, message: dict[str, Any]) -> None:
        if message["sender"] == self._name:
            return
        self._hear(_decode(message["hints"]))


async def _stay(layer: Any, channel: str) -> None:
    """Stay in the group, also if the layer forgets everything."""
    while True:
        await asyncio.sleep(JOIN_SECONDS)
        try:
            await layer.group_add(GROUP, channel)
        except Exception as error:
            log.info("the channel layer does not answer: %s", error)


_wires: list[Wire] = []
"""The wire of the loop on which this process has its sockets, if there may be other processes."""


def open_here(hear: Hear) -> None:
    """Have the running loop hear of other processes; ``hear`` is called with their hints."""
    if not needed() or (_wires and _wires[0].loop is asyncio.get_running_loop()):
        return
    _wires[:] = [Wire(hear)]


def pass_on(hint: Hint) -> None:
    """Send ``hint`` to other processes, if there may be any. Call it on the loop."""
    if _wires:
        _wires[0].pass_on(hint)
