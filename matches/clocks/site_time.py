"""The time that clocks go by: real time of the server, without the time during which no server was up.

Servers say every few seconds that they are up (:func:`beat`); a gap between two beats is a time in which nobody could
play, and is added to what has stood still. So clocks stop while the site is down, without a single deadline being
changed. The database is the truth; a process remembers what it read for as long as a beat holds.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone
from msgspec import Struct

from matches import database
from matches.clocks.models import UpTime

BEAT_SECONDS = 2.0
"""How often a server says that it is up."""

GRACE_SECONDS = 10.0
"""A longer silence of all servers is a gap."""

GRACE = timedelta(seconds=GRACE_SECONDS)


class _Known(Struct):
    """What this process has read: how many milliseconds stood still, and until when that may be relied on."""

    stopped: int = 0
    until: float = float("-inf")
    serving: bool = False


_known = _Known()


def beat() -> None:
    """Say that this server is up; a gap since the last beat of any server is added to what stood still."""
    _remember(database.write(_beat), serving=True)


def _beat() -> int:
    """Write the beat down; return the milliseconds that stood still."""
    now = timezone.now()
    row, new = UpTime.objects.get_or_create(pk=UpTime.ONLY, defaults={"beat": now, "since": now})
    if not new:
        gap = now - row.beat
        # Conditional on what was read: of two servers that come up at once, one counts the gap.
        mine = UpTime.objects.filter(pk=UpTime.ONLY, beat=row.beat)
        if gap > GRACE:
            mine.update(beat=now, since=now, stopped=row.stopped + _milliseconds(gap))
            row.refresh_from_db()
        elif gap > timedelta(0):
            mine.update(beat=now)
    return row.stopped


def now() -> int:
    """Return the time of the site in milliseconds; reads the database if this process knows nothing recent.

    A process that is no server counts no time beyond the last beat of a server (and :data:`GRACE_SECONDS`).
    """
    known = now_if_known()
    if known is not None:
        return known
    if _known.serving:
        beat()
        return about_now()
    row = UpTime.objects.filter(pk=UpTime.ONLY).first()
    if row is None:
        return _real(timezone.now())
    if timezone.now() - row.beat > GRACE:
        return _real(row.beat + GRACE) - row.stopped
    _remember(row.stopped, serving=False)
    return about_now()


def now_if_known() -> int | None:
    """Return the time of the site, or None if this process would have to read the database for it."""
    return about_now() if time.monotonic() < _known.until else None


def about_now() -> int:
    """Return the time of the site as far as this process knows it, without reading: good for showing clocks."""
    return _real(timezone.now()) - _known.stopped


def up() -> bool:
    """Return whether a server is up now, so that time may run out for people."""
    return UpTime.objects.filter(pk=UpTime.ONLY, beat__gt=timezone.now() - GRACE).exists()


def up_since() -> datetime:
    """Return since when there has been a server without a gap."""
    row = UpTime.objects.filter(pk=UpTime.ONLY).first()
    return row.since if row is not None else datetime.fromtimestamp(0, UTC)


def forget() -> None:
    """Forget what was read (for tests: as if the process had been started anew)."""
    fresh = _Known()
    _known.stopped, _known.until, _known.serving = fresh.stopped, fresh.until, fresh.serving


def _remember(stopped: int, *, serving: bool) -> None:
    _known.stopped, _known.until = stopped, time.monotonic() + GRACE_SECONDS
    _known.serving = _known.serving or serving


def _real(moment: datetime) -> int:
    return _milliseconds(moment - datetime.fromtimestamp(0, UTC))


def _milliseconds(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)
