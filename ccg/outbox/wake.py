"""Telling those who drain the outbox that there is something new. A hint: the sweep finds it anyway."""

from __future__ import annotations

import logging
import threading
import time

from django.conf import settings

log = logging.getLogger(__name__)

DRAIN_TASK = "ccg.outbox.drain"
PAUSE_SECONDS = 0.5
"""How long to leave a broker alone that does not answer."""

news = threading.Event()
"""Set when something was posted in this process; its own drainer threads wait for it."""


def wake() -> None:
    """Let somebody drain soon: the threads of this process, or a worker when there is a broker."""
    if not settings.CELERY_BROKER_URL:
        news.set()
    else:
        _caller.call()


class Caller:
    """Calls workers through the broker, on a thread of its own: a broker that is away keeps nobody waiting.

    Calls that come while one is on its way become one.
    """

    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def call(self) -> None:
        """Have a worker called soon."""
        self._wanted.set()
        with self._starting:
            # Not alive in a process forked from one that had it, either.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="outbox-caller", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        silent = False
        while True:
            self._wanted.wait()
            self._wanted.clear()
            called = call_worker(logging.INFO if silent else logging.WARNING)
            silent = not called
            if silent:
                time.sleep(PAUSE_SECONDS)


def call_worker(level: int = logging.WARNING) -> bool:
    """Tell a worker that there is something new; return whether the broker took the message."""
    # Loading Celery is a tenth of a server's start, and the embedded profile has no use for it.
    from celery import current_app

    try:
        # One try and no waiting: what was asked for is safe in its row, and workers look by themselves.
        current_app.send_task(DRAIN_TASK, retry=False, expires=settings.OUTBOX_SWEEP_SECONDS)
    except Exception as error:
        log.log(level, "outbox: the broker does not answer; the sweep will find the work: %s", error)
        return False
    return True


_caller = Caller()
