"""The event loop, and Twisted's reactor on it."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from twisted.logger import Logger

from ccg.server.event_loop import Faults, loop

ROOT = Path(__file__).resolve().parents[2]

BREAKING = """
import socket, struct, sys
from ccg.server.event_loop import loop
from twisted.internet import reactor
from twisted.internet.protocol import Factory, Protocol

lost = []
class Listening(Protocol):
    def connectionLost(self, reason=None):
        lost.append(reason)

port = reactor.listenTCP(0, Factory.forProtocol(Listening), interface="127.0.0.1")
caller = socket.create_connection(("127.0.0.1", port.getHost().port))
caller.sendall(bytes(int(sys.argv[1])))
caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
caller.close()
for _ in range(20):
    reactor.iterate(0.01)
print(len(lost))
"""


@pytest.mark.parametrize("said", [0, 11, 200_000], ids=["nothing", "a little", "much"])
def test_who_speaks_and_breaks_the_line_at_once_is_gone(said: int) -> None:
    """The loop tells of both together, and never again of that line. In a process where nothing else has used it."""
    command = [sys.executable, "-c", BREAKING, str(said)]
    assert subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout == "1\n"


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


def test_what_goes_wrong_in_a_callback_is_written_down_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    """Twisted goes on, and keeps it to itself; strangers may find a way to have it happen again and again."""
    seconds = [1000.0]
    twisted = Logger(observer=Faults(clock=lambda: seconds[0]))

    def fail(why: str) -> None:
        try:
            raise ZeroDivisionError(why)
        except ZeroDivisionError:
            twisted.failure("as always")

    twisted.info("a line was lost")
    fail("the first")
    fail("the second")
    fail("the third")
    seconds[0] += 61
    fail("the last")
    assert [str(one.exc_info and one.exc_info[1]) for one in caplog.records] == ["the first", "the last"]
    assert "2 more" in caplog.records[1].getMessage()
    assert "raise ZeroDivisionError(why)" in caplog.text
