"""Matches that wait for somebody, found by looking at the database; and what is told to whom.

Who must decide is ``Match.deciders``; only matches between people count. Whoever has waited for less than
``settings.NOTICE_AFTER_SECONDS`` may still be at the table. Whether a tab is open says nothing and is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from ccg.outbox.services import post
from matches import database
from matches.clocks.waiting import seats_that_decide
from matches.models import Match, MatchSeat, Move
from matches.notices.models import Subscription, Told, Wishes
from matches.seat_sets import seats_of

AT_ONCE = 200
"""Matches that one look takes up; the next comes soon."""
ENDS_TOLD_FOR = timedelta(days=1)
DIGEST_EVERY = timedelta(hours=24)

MAIL_TASK = "matches.notices.mail"
PUSH_TASK = "matches.notices.push"
DIGEST_TASK = "matches.notices.digest"


class Notice(Struct, frozen=True):
    """What is told: a title, a sentence, and the address that it leads to. Public knowledge alone."""

    title: str
    text: str
    url: str


def sweep() -> None:
    """Post notices for matches that have begun to wait, or ended; and digests that are due."""
    for match in waiting_matches().exclude(told__version=F("version"))[:AT_ONCE]:
        database.write(lambda match=match: _post(match, over=False))  # type: ignore[misc]
    ended = _between_people().filter(state=Match.State.FINISHED, changed__gte=timezone.now() - ENDS_TOLD_FOR)
    for match in ended.filter(Q(told__isnull=True) | Q(told__over=False))[:AT_ONCE]:
        database.write(lambda match=match: _post(match, over=True))  # type: ignore[misc]
    _post_digests()


def waiting_matches() -> QuerySet[Match]:
    """Return the matches between people in which somebody has been waited for long enough to be told."""
    since = timezone.now() - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return _between_people().filter(state=Match.State.RUNNING, deciders__gt=0, changed__lte=since)


def waiting_for(user_id: int) -> list[Match]:
    """Return the matches that wait for this person, longest first."""
    own = MatchSeat.objects.filter(user=user_id).values("match_id", "number")
    seats = {row["match_id"]: row["number"] for row in own}
    waiting = waiting_matches().filter(pk__in=list(seats)).order_by("changed")
    return [match for match in waiting if match.must_decide(seats[match.pk])]


def notice_for(match: Match, seat: MatchSeat, *, over: bool) -> Notice | None:
    """Return what is to be told at ``seat`` now; None if it is no longer so, or they were there themselves."""
    others = [other.name for other in match.seats.exclude(pk=seat.pk).order_by("number")]
    against = " and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others)
    url = settings.SITE_ORIGINS[0] + reverse("matches:table", args=[match.public_id])
    if not over:
        if match.state != Match.State.RUNNING or not match.must_decide(seat.number):
            return None
        return Notice("Your move", f"Your match against {against} waits for you.", url)
    if match.state != Match.State.FINISHED or _was_there(match, seat):
        return None
    result = match.result or {}
    outcome = (
        "You have won."
        if seat.number in result.get("winners", [])
        else ("You have lost." if seat.number in result.get("losers", []) else "Nobody has won.")
    )
    return Notice("Your match is over", f"Your match against {against} is over. {outcome}", url)


def visited(user: Any) -> None:
    """Somebody has been here: the next mail may be sent. Writes only where one was sent since."""
    if user.is_authenticated and Wishes.objects.filter(user=user, mailed__isnull=False).exists():
        Wishes.objects.filter(user=user).update(mailed=None)


def has_been_here(user_id: int, since: Any) -> bool:
    """Return whether this person has chosen anything since then, in a tab that has been open all the time, say."""
    seats = MatchSeat.objects.filter(user=user_id, match__moves__created__gt=since)
    return seats.filter(number=F("match__moves__seat")).exists()


# -- inside


def _between_people() -> QuerySet[Match]:
    return Match.objects.defer("saved", "seed").filter(lesson="").exclude(seats__kind=MatchSeat.Kind.COMPUTER)


def _post(match: Match, *, over: bool) -> None:
    """Post what everybody who is meant wants to get, and note that it is told; all of it or nothing."""
    Told.objects.update_or_create(match=match, defaults={"version": match.version, "over": over})
    seats = match.seats.filter(user__isnull=False).select_related("user", "user__notice_wishes")
    for seat in seats if over else seats.filter(number__in=seats_of(match.deciders)):
        for task, what in _wanted(seat, over):
            key = f"{task}:{match.public_id}:{'end' if over else match.version}:{seat.number}:{what}"
            payload = {"match": match.public_id, "version": match.version, "seat": seat.number, "over": over}
            post(task, {**payload, "to": what}, key=key)


def _wanted(seat: MatchSeat, over: bool) -> Iterator[tuple[str, int]]:
    """Yield the ways by which somebody wants to be told, each with the row that says where."""
    wishes = getattr(seat.user, "notice_wishes", None) or Wishes(user_id=seat.user_id)
    if over and not wishes.endings:
        return
    if wishes.mail == Wishes.Mail.ONCE and can_mail(seat.user):
        yield MAIL_TASK, seat.user_id or 0
    for pk in Subscription.objects.filter(user=seat.user_id).values_list("pk", flat=True):
        yield PUSH_TASK, pk


def can_mail(user: Any) -> bool:
    """Return whether this site sends mail and ``user`` has an address and may sign in."""
    return bool(settings.EMAIL_HOST and user.email and user.is_active)


def _was_there(match: Match, seat: MatchSeat) -> bool:
    """Return whether somebody chose something themselves shortly before the end."""
    ended = match.finished or timezone.now()
    since = ended - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return Move.objects.filter(match=match, seat=seat.number, created__gte=since).exists()


def _post_digests() -> None:
    now = timezone.now()
    due = Wishes.objects.filter(Q(digested__isnull=True) | Q(digested__lte=now - DIGEST_EVERY), mail=Wishes.Mail.DAILY)
    deciding = seats_that_decide().filter(match__in=waiting_matches())
    people = due.filter(user__in=deciding.values("user")).select_related("user")
    for wishes in people[:AT_ONCE]:
        if can_mail(wishes.user):
            post(
                DIGEST_TASK,
                {"user": wishes.user_id},
                key=f"{DIGEST_TASK}:{wishes.user_id}:{wishes.digested or 'first'}",
            )
