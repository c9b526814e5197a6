"""Draining inside the server process, for the embedded profile: same rows, same code, no broker."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import close_old_connections, connections

from .services import drain
from .wake import news

log = logging.getLogger(__name__)


class Drainers:
    """The threads of one server process that drain the outbox, until they are stopped."""

    def __init__(self, count: int) -> None:
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
                news.wait(settings.OUTBOX_SWEEP_SECONDS)
        finally:
            connections.close_all()

    def _drain(self) -> None:
        close_old_connections()
        try:
            drain(until=self._stopping.is_set)
        except Exception:
            # The database is away or busy; the next round may have more luck.
            log.exception("outbox: draining stopped")
