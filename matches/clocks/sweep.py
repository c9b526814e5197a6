"""The sweep for clocks that have run out, and for matches that nobody comes back to.

Deadlines are columns, so any process finds all of them; done twice at once, each is done once, as it is a move like
others. Servers sweep, since time only runs while one of them is up: on one thread each, which also says that it is.
"""

from __future__ import annotations

import logging
import threading
from datetime import timedelta

from django.conf import settings
from django.db import close_old_connections, connections
from django.utils import timezone

from matches import moves
from matches.clocks import site_time, vacations
from matches.clocks.manners import ClockStrikes, EndInDraw
from matches.clocks.tempo import UNTIMED
from matches.models import Match

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches taken in one sweep; the next one comes in seconds."""

SLOW_ROUNDS = 300
"""After so many rounds matches are looked for that nobody has come back to."""


def sweep() -> int:
    """Let every clock strike that has run out, as far as a server is up; return how many matches went on by that."""
    if not site_time.up():
        return 0
    due = Match.objects.filter(state=Match.State.RUNNING, deadline__lte=site_time.now()).order_by("deadline")
    done = 0
    for public_id, version in due.values_list("public_id", "version")[:AT_ONCE]:
        done += _move(public_id, ClockStrikes(id=f"clock-{version}"))
    return done


def end_abandoned() -> int:
    """End as a draw what has no clocks and has stood still for ``MATCH_ABANDONED_DAYS``; return how many."""
    before = timezone.now() - timedelta(days=settings.MATCH_ABANDONED_DAYS)
    still = Match.objects.filter(state=Match.State.RUNNING, changed__lt=before, tempo=str(UNTIMED)).order_by("changed")
    done = 0
    for public_id, version in still.values_list("public_id", "version")[:AT_ONCE]:
        done += _move(public_id, EndInDraw(id=f"abandoned-{version}", why="abandoned"))
    return done


def _move(public_id: str, command: ClockStrikes | EndInDraw) -> bool:
    """Make the move; one broken match does not stop the others."""
    try:
        return isinstance(moves.act(public_id, moves.Actor.runs_the_site(), command), moves.Accepted)
    except Exception:
        log.exception("the clock of match %s could not strike", public_id)
        return False


class Ticker:
    """The thread of a server that says that it is up, and sweeps."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._away = False
        self._thread = threading.Thread(target=self._work, name="clocks", daemon=True)

    def start(self) -> None:
        """Begin; the time without a server is taken in first."""
        self._thread.start()

    def stop(self, timeout: float = 1) -> None:
        """Let a running round end and begin no new one."""
        self._stopping.set()
        self._thread.join(timeout)

    def _work(self) -> None:
        rounds = 0
        try:
            while not self._stopping.is_set():
                self._round(slow=rounds % SLOW_ROUNDS == 0)
                rounds += 1
                self._stopping.wait(site_time.BEAT_SECONDS)
        finally:
            connections.close_all()

    def _round(self, *, slow: bool) -> None:
        close_old_connections()
        try:
            site_time.beat()
            sweep()
            vacations.end_due()
            if slow:
                end_abandoned()
            self._away = False
        except Exception as error:
            # The database is away or busy: clocks stand still with it, and the next round may find it again. Said once
            # for an outage, not for each round.
            log.log(logging.INFO if self._away else logging.WARNING, "clocks: no round this time: %s", error)
            self._away = True
