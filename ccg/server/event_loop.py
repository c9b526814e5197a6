"""The event loop of the server: uvloop, with which a choice costs a tenth less than with that of asyncio.

Twisted, on which daphne is built, keeps the first reactor that is installed. So this module is imported before anything
of theirs, and installs it: on uvloop, or on asyncio's own loop where uvloop is not to be had (Windows).
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from socket import SO_ERROR, SOL_SOCKET
from typing import Any

from ccg.spared import not_installed

# No connection of ours is encrypted by Twisted: a proxy does that.
with not_installed("OpenSSL"):
    from twisted.internet import asyncioreactor, error, tcp
    from twisted.internet.main import installReactor
    from twisted.logger import LogLevel

log = logging.getLogger(__name__)

THREADS = 8
"""For everything that is not asynchronous and brings no thread of its own."""
FAULT_SECONDS = 60.0
"""How seldom a callback that has failed is written down."""


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _tell(of: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Write down what went wrong where nobody waited, unless it is that somebody has left and their request ended."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        of.default_exception_handler(context)


class Faults:
    """Observer of Twisted's log: writes down what goes wrong in callbacks, after which Twisted simply goes on.

    Daphne lets nobody hear anything of that log. One is written down in a minute, as strangers may find a way to have
    it happen again and again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = 0.0
        self._kept_back = 0

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take an event of the log."""
        failure = event.get("log_failure")
        if failure is None or event.get("log_level") is not LogLevel.critical:
            return
        if self._clock() < self._next:
            self._kept_back += 1
            return
        raised = (failure.type, failure.value, failure.getTracebackObject())
        log.error("a callback of the server has failed (%d more since the last)", self._kept_back, exc_info=raised)
        self._next, self._kept_back = self._clock() + FAULT_SECONDS, 0


class SiteReactor(asyncioreactor.AsyncioSelectorReactor):
    """Twisted's reactor on a loop that tells of a broken line once only, and then watches it no more.

    uvloop calls whoever reads one last time. Where there was still something to read, the reader does not learn that
    the line is broken: the connection would stay for ever, and each try to write to it would fail.
    """

    def _readOrWrite(self, selectable: Any, read: bool) -> None:  # noqa: N802
        super()._readOrWrite(selectable, read)
        if read and isinstance(selectable, tcp.Connection) and selectable.fileno() != -1:
            broken = selectable.socket.getsockopt(SOL_SOCKET, SO_ERROR)
            if broken:
                self._disconnectSelectable(selectable, error.ConnectionLost(os.strerror(broken)), read)


loop = _new_loop()
loop.set_exception_handler(_tell)
loop.set_default_executor(ThreadPoolExecutor(THREADS))
installReactor(SiteReactor(loop))
