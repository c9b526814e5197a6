"""Draining on threads of a process: same rows, same code, no broker.

The embedded server does all its work so. Workers of the full profile do it beside their tasks, so that work goes on
while the broker, which would tell them of it, is away or has forgotten everything.
"""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connections

from .services import drain
from .sweeps import look_around
from .wake import news

log = logging.getLogger(__name__)


class Drainers:
    """The threads of one process that drain the outbox, at news and every so many seconds, until they are stopped."""

    def __init__(self, count: int, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"outbox-{number}", daemon=True) for number in range(count)
        ]

    def start(self) -> None:
        """Begin; what was left over by an earlier process is done first."""
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 5) -> None:
        """Let running work end, start nothing new. Threads that take too long die with the process."""
        self._stopping.set()
        news.set()
        for thread in self._threads:
            thread.join(timeout)

    def _work(self) -> None:
        try:
            while not self._stopping.is_set():
                # Cleared before looking: what is posted while we look sets it again.
                news.clear()
                self._drain()
                news.wait(self._seconds or settings.OUTBOX_SWEEP_SECONDS)
        finally:
            connections.close_all()

    def _drain(self) -> None:
        close_old_connections()
        try:
            drain(until=self._has_to_end)
        except (DatabaseError, InterfaceError) as error:
            # It is away or busy, or its disk is full; the next round may have more luck.
            log.warning("outbox: the database does not do what it should, again in a moment: %s", error)
        except Exception:
            log.exception("outbox: draining stopped")

    def _has_to_end(self) -> bool:
        """Return whether nothing new is to be begun. Looks around before each row: there may be work for hours."""
        look_around()
        return self._stopping.is_set()
