"""How often the API may be asked, and what the answers say of it.

A count for each visitor and minute, in each server process for itself: it protects the process that does the work, and
works whatever has become of Redis. What a request costs is counted besides, for pages as well (admission.py).
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from threading import Lock
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ccg.counting import group_of
from ccg.server.limits import REMEMBERED

MINUTE = 60
READING, WRITING = 600, 60
"""Requests a minute, of one person or one address."""
SAFE = ("GET", "HEAD", "OPTIONS")

_counts: OrderedDict[str, tuple[int, float]] = OrderedDict()
_lock = Lock()


class Throttle(BaseThrottle):
    """Counts reading and writing apart, by person, else by address."""

    def __init__(self) -> None:
        self._limit, self._used, self._ends = 0, 0, 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count one more request; return whether it is still within the limit."""
        if not settings.LIMITS:
            return True
        reading = request.method in SAFE
        self._limit = max(1, int((READING if reading else WRITING) * settings.LIMITS))
        user = request.user
        who = f"person {user.pk}" if user and user.is_authenticated else group_of(request.META.get("REMOTE_ADDR", ""))
        self._used, self._ends = _counted(f"{'reading' if reading else 'writing'} {who}")
        return self._used <= self._limit

    def wait(self) -> float:
        """Return after how many seconds there is more."""
        return max(0.0, self._ends - time.monotonic())

    def headers(self) -> dict[str, str]:
        """Return what an answer says of the limit: how much there is a minute, how much is left, until when."""
        if not self._limit:
            return {}
        return {
            "RateLimit-Limit": str(self._limit),
            "RateLimit-Remaining": str(max(0, self._limit - self._used)),
            "RateLimit-Reset": str(math.ceil(self.wait())),
        }


def forget() -> None:
    """Forget all counts."""
    with _lock:
        _counts.clear()


def _counted(key: str) -> tuple[int, float]:
    """Count one more; return how many there were since the minute began, and when it ends."""
    now = time.monotonic()
    with _lock:
        used, ends = _counts.pop(key, (0, 0.0))
        if now >= ends:
            used, ends = 0, now + MINUTE
        _counts[key] = (used + 1, ends)
        while len(_counts) > REMEMBERED:
            _counts.popitem(last=False)
    return used + 1, ends
