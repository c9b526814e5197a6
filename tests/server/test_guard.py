"""What holds before a consumer sees what a socket sent."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from ccg.server import guard as guarding
from ccg.server.guard import (
    FRAMES_AT_ONCE,
    MESSAGE_BYTES,
    OPENED_AT_ONCE,
    POLICY_VIOLATION,
    Message,
    Receive,
    Send,
    SocketGuard,
    refuse,
)

SCOPE: dict[str, Any] = {"type": "websocket", "path": "/ws/test/", "client": ["127.0.0.1", 1]}


class Wire:
    """The server's side of a socket: what a client sends, and what it was sent."""

    def __init__(self, *messages: Message) -> None:
        self.coming: asyncio.Queue[Message] = asyncio.Queue()
        for message in messages:
            self.coming.put_nowait(message)
        self.sent: list[Message] = []

    async def send(self, message: Message) -> None:
        self.sent.append(message)


def text(content: str) -> Message:
    return {"type": "websocket.receive", "text": content}


CONNECT: Message = {"type": "websocket.connect"}
DISCONNECT: Message = {"type": "websocket.disconnect", "code": 1000}


async def heard_by_consumer(wire: Wire) -> list[Message]:
    """What arrives at a consumer."""
    heard: list[Message] = []

    async def consumer(scope: Any, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            heard.append(message)
            if message["type"] == "websocket.disconnect":
                return

    await asyncio.wait_for(SocketGuard(consumer)(SCOPE, wire.coming.get, wire.send), 5)
    return heard


async def test_ordinary_messages_pass_unchanged_and_in_order() -> None:
    messages = [CONNECT, *(text(str(number)) for number in range(20)), DISCONNECT]
    wire = Wire(*messages)
    assert await heard_by_consumer(wire) == messages
    assert wire.sent == []


async def test_a_message_of_the_longest_kind_passes_whole() -> None:
    longest = text("x" * MESSAGE_BYTES)
    assert longest in await heard_by_consumer(Wire(CONNECT, longest, DISCONNECT))


@pytest.mark.parametrize("kind", ["text", "bytes"])
async def test_a_longer_one_arrives_cut_just_behind_the_limit(kind: str) -> None:
    content: Any = "x" * 500_000 if kind == "text" else b"x" * 500_000
    heard = await heard_by_consumer(Wire(CONNECT, {"type": "websocket.receive", kind: content}, DISCONNECT))
    assert len(heard[1][kind]) == MESSAGE_BYTES + 1


async def test_an_error_of_the_consumer_comes_through() -> None:
    async def broken(scope: Any, receive: Receive, send: Send) -> None:
        raise RuntimeError("ours")

    wire = Wire()
    with pytest.raises(RuntimeError, match="ours"):
        await SocketGuard(broken)(SCOPE, wire.coming.get, wire.send)


async def test_one_visitor_opens_only_so_many_sockets(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = 1.0
    monkeypatch.setattr(guarding, "SLOWLY", 0.2)
    begun: list[Any] = []

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        begun.append(scope["client"])

    guard = SocketGuard(application)
    wires = [Wire(CONNECT) for _ in range(OPENED_AT_ONCE + 5)]
    began = time.monotonic()
    await asyncio.gather(*(guard(dict(SCOPE), wire.coming.get, wire.send) for wire in wires))
    assert time.monotonic() - began >= 0.2, "being refused takes its time"
    assert len(begun) == OPENED_AT_ONCE
    assert wires[-1].sent == [{"type": "websocket.close", "code": POLICY_VIOLATION}]
    await guard({**SCOPE, "client": ["127.0.0.2", 1]}, Wire(CONNECT).coming.get, wires[0].send)
    assert begun[-1] == ["127.0.0.2", 1]


async def test_all_sockets_of_a_visitor_share_what_they_may_ask_for(settings: Any) -> None:
    settings.LIMITS = 1.0
    taken: list[bool] = []

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        taken.append(all(scope["spend"](4) for _ in range(FRAMES_AT_ONCE // 8)))

    guard = SocketGuard(application)
    for _ in range(3):
        await guard(dict(SCOPE), Wire(CONNECT).coming.get, Wire().send)
    assert taken == [True, True, False]


async def test_what_a_visitor_is_sent_unasked_is_taken_from_what_they_may_ask_for(settings: Any) -> None:
    settings.LIMITS = 1.0
    taken: list[bool] = []

    async def application(scope: Any, receive: Receive, send: Send) -> None:
        taken.append(scope["spend"](1))
        scope["charge"](FRAMES_AT_ONCE)
        taken.append(scope["spend"](1))

    await SocketGuard(application)(dict(SCOPE), Wire(CONNECT).coming.get, Wire().send)
    assert taken == [True, False]


async def test_an_address_that_does_not_exist_is_refused() -> None:
    wire = Wire(CONNECT)
    await refuse(SCOPE, wire.coming.get, wire.send)
    assert [message["type"] for message in wire.sent] == ["websocket.close"]
