"""Telling those who drain the outbox that there is something new. A hint: the sweep finds it anyway."""

from __future__ import annotations

import logging
import threading

from celery import current_app
from django.conf import settings

log = logging.getLogger(__name__)

DRAIN_TASK = "ccg.outbox.drain"

news = threading.Event()
"""Set when something was posted in this process; its own drainer threads wait for it."""


def wake() -> None:
    """Let somebody drain soon: the threads of this process, or a worker when there is a broker."""
    if not settings.CELERY_BROKER_URL:
        news.set()
        return
    try:
        # One try and no waiting: what was asked for is safe in its row, and a sweep comes every 5 s.
        current_app.send_task(DRAIN_TASK, retry=False, expires=settings.OUTBOX_SWEEP_SECONDS)
    except Exception:
        log.warning("outbox: the broker does not answer; the sweep will find the work", exc_info=True)
