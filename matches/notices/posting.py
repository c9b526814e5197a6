"""Posting notices to the outbox: of matches that have begun to wait, or ended; and digests that are due."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from ccg.outbox.services import post
from matches.clocks import standing as standings
from matches.models import Match
from matches.notices import telling, waiting
from matches.notices.models import Told
from matches.notices.ways import DIGEST_TASK, can_mail, wanted_ways, ways_to
from matches.storage import database
from matches.storage.faults import Failing
from matches.storage.seat_sets import seats_of

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches, and digests, that one look takes up; the next comes soon."""
ENDS_TOLD_FOR = timedelta(days=1)
FOUND_AFTER = timedelta(minutes=1)
"""Whoever has been at the table by then need not be told that there is one."""

failing = Failing()
"""Matches of which nobody could be told by a fault."""


def sweep() -> None:
    """Post notices for matches that have begun to wait, or ended; and digests that are due."""
    write_each(waiting.waiting_matches().exclude(told__version=F("version")), lambda match: _post(match, over=False))
    ended = waiting.between_people().filter(state=Match.State.FINISHED, changed__gte=timezone.now() - ENDS_TOLD_FOR)
    write_each(ended.filter(Q(told__isnull=True) | Q(told__over=False)), lambda match: _post(match, over=True))
    _post_digests()


def write_each(matches: QuerySet[Match], change: Callable[[Match], None]) -> None:
    """Make the change for each match, in a transaction of its own; one broken match does not stop the others."""
    for match in matches.exclude(public_id__in=failing.now())[:AT_ONCE]:
        with failing.attempt(match.public_id, log, "nobody could be told of match %s", match.public_id):
            database.write(partial(change, match))


def post_found(match: Match) -> None:
    """Post, inside the transaction that begins ``match``, that everybody at its table has an opponent."""
    for seat in match.seats.filter(user__isnull=False).select_related("user", "user__notice_wishes"):
        for task, what in ways_to(seat):
            key = f"{task}:{match.public_id}:found:{seat.number}:{what}"
            payload = {"match": match.public_id, "seat": seat.number, "about": "found", "to": what}
            post(task, payload, key=key, delay=FOUND_AFTER)


def _post(match: Match, *, over: bool) -> None:
    """Post what everybody who is meant wants to get, and note that it is told; all of it or nothing."""
    before = Told.objects.filter(match=match).values_list("version", flat=True).first()
    Told.objects.update_or_create(match=match, defaults={"version": match.version, "over": over})
    seats = match.seats.filter(user__isnull=False).select_related("user", "user__notice_wishes")
    for seat in seats if over else seats.filter(number__in=_newly_waited_for(match, before)):
        for task, what in wanted_ways(seat, over):
            key = f"{task}:{match.public_id}:{'end' if over else match.version}:{seat.number}:{what}"
            payload = {"match": match.public_id, "version": match.version, "seat": seat.number}
            post(task, {**payload, "about": "end" if over else "move", "to": what}, key=key)
    if match.players > 2:
        if not over:
            _post_out(match, before or 0)
        _post_left(match, 0 if over else before or 0, over=over)


def _newly_waited_for(match: Match, told: int | None) -> list[int]:
    """Return the seats that are waited for and have not been told so, with version ``told`` or before.

    Whose question stands since then has been told of it, whatever others have chosen at the same time. In a pause
    nobody is waited for; once it is over all are told, as they may rely on it and clocks go on.
    """
    standing = standings.read(bytes(match.standing), match.players, match.version)
    if standing.paused:
        return []
    since = {seat: max(standing.asked[seat], standing.resumed) for seat in seats_of(match.deciders)}
    return [seat for seat in since if told is None or since[seat] > told]


def _post_out(match: Match, told: int) -> None:
    """Post who was taken out since version ``told``: the end, which all are told of, may be weeks away."""
    out = telling.taken_out(match, told)
    for seat in match.seats.filter(number__in=out, user__isnull=False).select_related("user", "user__notice_wishes"):
        for task, what in wanted_ways(seat, over=True):
            key = f"{task}:{match.public_id}:out:{seat.number}:{what}"
            post(task, {"match": match.public_id, "seat": seat.number, "about": "out", "to": what}, key=key)


def _post_left(match: Match, told: int, *, over: bool) -> None:
    """Post to those in whose seats others play on since after version ``told`` that they do, or that it is ``over``."""
    for left in waiting.left_to_others().filter(match=match, version__gt=told).select_related("user__notice_wishes"):
        for task, what in wanted_ways(left, over=True):
            key = f"{task}:{match.public_id}:left {'end' if over else 'out'}:{left.pk}:{what}"
            payload = {"match": match.public_id, "left": left.pk, "about": "end" if over else "out", "to": what}
            post(task, payload, key=key)


def _post_digests() -> None:
    today, posted = f"{timezone.now():%Y-%m-%d}", 0
    for wishes in waiting.due_for_a_digest().select_related("user"):
        if can_mail(wishes.user):
            # With the day: one that never went out would else be all that is ever posted.
            key = f"{DIGEST_TASK}:{wishes.user_id}:{wishes.digested or 'first'}:{today}"
            # Whoever cannot be reached stays due for ever, and must not take the place of others.
            posted += post(DIGEST_TASK, {"user": wishes.user_id}, key=key)
        if posted == AT_ONCE:
            return
