"""The sweep for clocks that have run out, and for matches that nobody comes back to.

Deadlines are columns, so any process finds all of them; done twice at once, each is done once, as it is a move like
others. Servers sweep, since time only runs while one of them is up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import close_old_connections, connections
from django.db.models import QuerySet
from django.utils import timezone

from matches.clocks import site_time, vacations
from matches.clocks.manners import ClockStrikes, EndInDraw
from matches.clocks.tempo import UNTIMED
from matches.models import Match
from matches.playing import moves
from matches.runners import answering
from matches.storage.faults import Failing, one_of_many

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches taken in one sweep; the next one comes in seconds."""

SWEEP_SECONDS = 2.0
"""How often a server looks for clocks that have run out."""

SLOW_ROUNDS = 300
"""After so many rounds matches are looked for that nobody has come back to."""

failing = Failing()
"""Matches that could not be moved on by their clocks, or ended."""


def sweep() -> int:
    """Let every clock strike that has run out, as far as a server is up; return how many matches went on by that."""
    if not site_time.up():
        return 0
    due = _running().filter(deadline__lte=site_time.now()).order_by("deadline")
    done = 0
    for public_id, version in due.values_list("public_id", "version")[:AT_ONCE]:
        done += _move(public_id, ClockStrikes(id=moves.site_id("clock", version)))
    return done


def end_abandoned() -> int:
    """End as a draw what has no clocks and has stood still for ``MATCH_ABANDONED_DAYS``; return how many."""
    before = timezone.now() - timedelta(days=settings.MATCH_ABANDONED_DAYS)
    still = _running().filter(changed__lt=before, tempo=str(UNTIMED)).order_by("changed")
    done = 0
    for public_id, version in still.values_list("public_id", "version")[:AT_ONCE]:
        done += _move(public_id, EndInDraw(id=moves.site_id("abandoned", version), why="abandoned"))
    return done


def _running() -> QuerySet[Match]:
    """Return the matches that run, but for those that have failed of late."""
    return Match.objects.filter(state=Match.State.RUNNING).exclude(public_id__in=failing.now())


def _move(public_id: str, command: ClockStrikes | EndInDraw) -> bool:
    """Make the move; one broken match does not stop the others."""
    with failing.attempt_alone(public_id, log, "match %s could not be moved on by its clock, or ended", public_id):
        return isinstance(moves.act(public_id, moves.Actor.runs_the_site(), command), moves.Accepted)
    return False


class Ticker:
    """The threads of a server that say that it is up, and sweep: a long sweep must not look like a server that is down.

    Everything is tried again in the next round. What fails is said once for an outage, not for each round.
    """

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._rounds = 0
        self._threads = [
            threading.Thread(target=self._work, args=args, name=f"clocks-{args[0].__name__}", daemon=True)
            for args in ((site_time.beat, site_time.BEAT_SECONDS), (self._sweep, SWEEP_SECONDS))
        ]

    def start(self) -> None:
        """Begin; the time without a server is taken in before anybody is let in."""
        try:
            site_time.beat()
        except Exception as error:
            log.warning("clocks: the database cannot be reached yet: %s", error)
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 1) -> None:
        """Let running rounds end and begin no new ones."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout)

    def _work(self, do: Callable[[], object], seconds: float) -> None:
        away = False
        try:
            while not self._stopping.is_set():
                close_old_connections()
                try:
                    do()
                    away = False
                except Exception as error:
                    # The database is away or busy: clocks stand still with it, and the next round may find it again.
                    log.log(logging.INFO if away else logging.WARNING, "clocks: no round this time: %s", error)
                    away = True
                self._stopping.wait(seconds)
        finally:
            connections.close_all()

    def _sweep(self) -> None:
        self._rounds += 1
        for part in (sweep, answering.sweep, vacations.end_due):
            with one_of_many(log, "clocks: %s failed", part.__qualname__):
                part()
        if self._rounds % SLOW_ROUNDS == 1:
            end_abandoned()
