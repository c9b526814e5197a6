"""Reminders in correspondence: half, and then a tenth, of the time that somebody had for a turn is left.

They are found by a sweep. When the next one is due is a row for each match, in the time of the site; it is renewed as
the match moves on. Only a clock that runs reminds: nobody is reminded during a pause, or of a match that waits while
they are on vacation. Each is told once for a turn: its key in the outbox has the version that began the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F
from msgspec import Struct

from ccg.outbox.services import post
from matches.clocks import site_time
from matches.clocks.waiting import turns_that_run
from matches.models import Match, MatchSeat
from matches.notices import telling, waiting
from matches.notices.models import Reminder
from matches.notices.posting import write_each
from matches.notices.ways import ways_to

FRACTIONS: tuple[tuple[int, telling.About], ...] = ((10, "tenth"), (2, "half"))
"""The parts of a turn's time at whose beginning somebody is reminded, the smallest first."""


class Due(Struct, frozen=True):
    """A reminder at a seat: which one, when, and of which turn."""

    seat: int
    which: telling.About
    at: int
    turn: int


def sweep() -> None:
    """Post the reminders whose time has come, and note when the next ones are."""
    matches = waiting.between_people().filter(state=Match.State.RUNNING, tempo__startswith="correspondence")
    write_each(matches.exclude(reminder__version=F("version")), _look)
    write_each(matches.filter(reminder__due__lte=site_time.now()), _look)


def reminders_of(match: Match) -> Iterator[Due]:
    """Yield the reminders of the turns that run at ``match``, past and future, the last of each seat first."""
    for running in turns_that_run(match):
        for part, which in FRACTIONS:
            yield Due(running.seat, which, running.until - running.turn.had // part, running.turn.began)


def _look(match: Match) -> None:
    """Post the last reminder that is due at each seat, and note the next one; all of it or nothing."""
    now, told, later = site_time.now(), set(), []
    for due in reminders_of(match):
        if due.at > now:
            later.append(due.at)
        elif due.seat not in told:
            told.add(due.seat)
            _post(match, due)
    Reminder.objects.update_or_create(match=match, defaults={"version": match.version, "due": min(later, default=None)})


def _post(match: Match, due: Due) -> None:
    seat = MatchSeat.objects.select_related("user", "user__notice_wishes").get(match=match, number=due.seat)
    if seat.user is None:
        return
    for task, what in ways_to(seat):
        key = f"{task}:{match.public_id}:{due.which}:{due.turn}:{due.seat}:{what}"
        payload = {"match": match.public_id, "seat": due.seat, "turn": due.turn, "about": due.which, "to": what}
        post(task, payload, key=key)
