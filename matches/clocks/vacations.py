"""Vacations of people who play by correspondence: their clocks stand still, for so many days a year at most.

A vacation is a row; that a player is away is a move in each of their matches, so everybody at the table sees it and it
is replayed. The moves are made by a piece of background work that is posted with the row
(``matches.runners.vacation_moves``).
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone

from ccg.locking import lock_person
from ccg.outbox.services import post
from matches.clocks.models import Vacation
from matches.models import Match
from matches.storage import database
from matches.storage.faults import one_of_many
from matches.storage.seat_sets import bits_of

log = logging.getLogger(__name__)

TASK = "clocks.vacation"
DAY = timedelta(days=1)
YEAR = timedelta(days=365)


class NoVacation(Exception):
    """It cannot begin; the text is for people."""


def present(user: Any) -> Vacation | None:
    """Return the vacation that ``user`` has now, None if there is none."""
    return Vacation.objects.filter(user=user, over=False).first()


def days_left(user: Any) -> int:
    """Return how many whole days ``user`` may still take: those of the last 365 days count.

    Of each vacation one does at least: it tells all opponents twice, so nobody begins and ends them without end.
    """
    now = timezone.now()
    vacations = Vacation.objects.filter(user=user, end__gt=now - YEAR)
    taken = sum((max(DAY, one.end - max(one.begin, now - YEAR)) for one in vacations), timedelta(0))
    return max(0, settings.VACATION_DAYS - -(-taken // DAY))


def begin(user: Any, days: int) -> Vacation:
    """Let a vacation of ``user`` begin now; raises :class:`NoVacation` where there are not so many days."""

    def write() -> Vacation:
        get_user_model().objects.select_for_update().get(pk=user.pk)  # one after another
        if present(user) is not None:
            raise NoVacation("You are on vacation already.")
        left = days_left(user)
        if not 1 <= days <= left:
            raise NoVacation(f"You can take from one to {left} days." if left else "No days are left this year.")
        now = timezone.now()
        vacation = Vacation.objects.create(user=user, begin=now, end=now + days * DAY)
        _post(vacation, away=True)
        return vacation

    return database.write(write)


def end(user: Any) -> None:
    """Let the vacation of ``user`` be over now, if there is one; days that were not used are left."""
    vacation = present(user)
    if vacation is not None:
        _end(vacation)


def end_due() -> int:
    """End the vacations whose days are over; return how many."""
    ended = 0
    for vacation in list(Vacation.objects.filter(over=False, end__lte=timezone.now())):
        with one_of_many(log, "vacation %s could not be ended", vacation.pk):
            _end(vacation)
            ended += 1
    return ended


def away_at(match: Match) -> int:
    """Return the set of seats of ``match`` whose people are on vacation, if it is one by correspondence."""
    if not match.is_by_correspondence:
        return 0
    seats = match.seats.filter(user__vacations__over=False)
    return bits_of(seats.values_list("number", flat=True))


def _end(vacation: Vacation) -> None:
    def write() -> None:
        # Who begins a match of theirs holds this lock and has looked whether they are away. Else the work below could
        # pass the match over that begins just now, and their clock there would stand still for good.
        lock_person(vacation.user)
        ended = min(vacation.end, timezone.now())
        if Vacation.objects.filter(pk=vacation.pk, over=False).update(over=True, end=ended):
            _post(vacation, away=False)

    database.write(write)


def _post(vacation: Vacation, *, away: bool) -> None:
    post(TASK, {"vacation": vacation.pk, "away": away}, key=f"{TASK}:{vacation.pk}:{away}")
