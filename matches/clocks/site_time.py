"""The time that clocks go by: real time of the server, without the time during which no server was up.

Servers say several times a second that they are up (:func:`beat`); a gap between two beats is a time in which nobody
could play, and is added to what has stood still; after a start, so are the seconds in which players find their way
back. So clocks stop while the site is down, without a single deadline being changed. Where the clock of the machine is
set back, so is what has stood still, and the time of the site goes on. The database is the truth; a process remembers
what it read for as long as a beat holds.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import partial

from django.utils import timezone
from msgspec import Struct

from matches.clocks.models import UpTime
from matches.storage import database

BEAT_SECONDS = 0.1
"""How often a server says that it is up: so much may be given back to whoever had to decide when it was killed."""

GRACE_SECONDS = 1.0
"""A longer silence of all servers is a gap: shorter than any server takes to start again, so each restart is one."""

RETURN_SECONDS = 6.0
"""How long clocks stand still once a server has started after a gap: by then browsers have found it."""

GRACE = timedelta(seconds=GRACE_SECONDS)
RETURN = timedelta(seconds=RETURN_SECONDS)


class _Known(Struct):
    """What this process has read."""

    stopped: int = 0
    """Milliseconds that stood still, with those to come before ``since``."""
    since: int = 0
    """When clocks began to go, or will, in milliseconds of real time."""
    until: float = float("-inf")
    """Until when that may be relied on, by the monotonic clock."""
    serving: bool = False
    beat: tuple[datetime, float] | None = None
    """When this process said for the last time that it is up, by the real time and by a clock that nobody sets."""


_known = _Known()


def beat() -> None:
    """Say that this server is up; a gap since the last beat of any server is added to what stood still."""
    now, ticks = timezone.now(), time.monotonic()
    # What is written holds only where the row is as it was read, so it needs no transaction around both.
    _remember(database.write(partial(_beat, now, set_back=_set_back(now, ticks)), one_statement=True), serving=True)
    _known.beat = (now, ticks)


def _set_back(now: datetime, ticks: float) -> bool:
    """Return whether the real time has been set back since the last beat of this process, or it may have been.

    Only its own clock says so: that of another machine may simply be ahead of it.
    """
    return _known.beat is None or _set_by(_known.beat, now, ticks) < -GRACE


def _set_by(beat: tuple[datetime, float], now: datetime, ticks: float) -> timedelta:
    """Return by how much the real time was set since a beat, by a clock that nobody sets."""
    real, ticked = beat
    return now - real - timedelta(seconds=ticks - ticked)


def _beat(now: datetime, *, set_back: bool) -> UpTime:
    """Write the beat down, unless another server has just done so; return the row."""
    row, new = UpTime.objects.get_or_create(pk=UpTime.ONLY, defaults={"beat": now, "since": now})
    if not new:
        gap = now - row.beat
        # Conditional on what was read: of two servers that come up at once, one counts the gap.
        mine = UpTime.objects.filter(pk=UpTime.ONLY, beat=row.beat)
        if gap > GRACE:
            # Sockets outlive a database that is away, but not a server; and of what an earlier start gave players to
            # come back, the rest has not been used.
            since = now if _known.serving else now + RETURN
            begun = max(row.beat, row.since)
            mine.update(beat=now, since=since, stopped=row.stopped + _milliseconds(since - begun))
            row.refresh_from_db()
        elif gap < -GRACE and set_back and row.beat - timezone.now() > GRACE:  # reading may have taken longer, too
            mine.update(beat=now, since=row.since + gap, stopped=row.stopped + _milliseconds(gap))
            row.refresh_from_db()
        elif gap > timedelta(seconds=BEAT_SECONDS / 2):
            mine.update(beat=now)
    return row


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
        return _real(max(row.beat + GRACE, row.since)) - row.stopped
    _remember(row, serving=False)
    return about_now()


def last_up() -> int:
    """Return the time of the site in milliseconds when a server was last up; raises ``UpTime.DoesNotExist`` before."""
    row = UpTime.objects.get(pk=UpTime.ONLY)
    return _real(max(row.beat, row.since)) - row.stopped


def now_if_known() -> int | None:
    """Return the time of the site, or None if this process would have to read the database for it.

    It would where the clock of the machine has been set and no beat has taken that in yet: somebody who chooses in that
    tenth of a second would lose an hour, or win one.
    """
    ticks = time.monotonic()
    if ticks >= _known.until:
        return None
    if _known.beat is not None and abs(_set_by(_known.beat, timezone.now(), ticks)) > GRACE:
        return None
    return about_now()


def about_now() -> int:
    """Return the time of the site as far as this process knows it, without reading: good for showing clocks."""
    return max(_real(timezone.now()), _known.since) - _known.stopped


def now_to_show() -> int:
    """Return the time of the site for pages that only show it: a server writes nothing for that."""
    return about_now() if _known.serving else now()


def up() -> bool:
    """Return whether a server is up now, so that time may run out for people."""
    return UpTime.objects.filter(pk=UpTime.ONLY, beat__gt=timezone.now() - GRACE).exists()


def up_since() -> datetime:
    """Return since when clocks have gone without a gap; after a gap, that may be in a few seconds."""
    row = UpTime.objects.filter(pk=UpTime.ONLY).first()
    return row.since if row is not None else datetime.fromtimestamp(0, UTC)


def forget() -> None:
    """Forget what was read (for tests: as if the process had been started anew)."""
    fresh = _Known()
    for field in fresh.__struct_fields__:
        setattr(_known, field, getattr(fresh, field))


def _remember(row: UpTime, *, serving: bool) -> None:
    _known.stopped, _known.since = row.stopped, _real(row.since)
    _known.until = time.monotonic() + GRACE_SECONDS
    _known.serving = _known.serving or serving


def _real(moment: datetime) -> int:
    return _milliseconds(moment - datetime.fromtimestamp(0, UTC))


def _milliseconds(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)
