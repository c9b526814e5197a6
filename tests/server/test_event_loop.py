"""The event loop, and Twisted's reactor on it."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct

import pytest

from ccg.server.event_loop import loop

# isort: split
from twisted.internet import reactor
from twisted.internet.protocol import Factory, Protocol


@pytest.mark.parametrize("said", [b"", b"half a line", b"x" * 200_000], ids=["nothing", "a little", "much"])
def test_who_speaks_and_breaks_the_line_at_once_is_gone(said: bytes) -> None:
    """The loop tells of both together, and never again of that line."""
    lost: list[object] = []

    class Listening(Protocol):
        def connectionLost(self, reason: object = None) -> None:  # noqa: N802
            lost.append(reason)

    port = reactor.listenTCP(0, Factory.forProtocol(Listening), interface="127.0.0.1")
    try:
        caller = socket.create_connection(("127.0.0.1", port.getHost().port))
        caller.sendall(said)
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        caller.close()
        for _ in range(20):
            reactor.iterate(0.01)
        assert len(lost) == 1
    finally:
        port.stopListening()
        reactor.iterate(0.01)


@pytest.mark.parametrize(("failed", "told"), [(asyncio.CancelledError(), 0), (ValueError(), 1)])
def test_a_request_that_ended_with_its_visitor_is_no_fault(
    caplog: pytest.LogCaptureFixture, failed: BaseException, told: int
) -> None:
    """Visitors leave all the time, and each traceback is ten kilobytes of the log."""
    with caplog.at_level(logging.ERROR):
        given_up = loop.create_future()
        given_up.set_exception(failed)
        del given_up
    assert len(caplog.records) == told
