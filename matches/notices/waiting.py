"""Who is waited for while they are away, found by looking at the database; and what has ended without them.

Who must decide is ``Match.deciders``; only matches between people count. Whoever has waited for less than
``settings.NOTICE_AFTER_SECONDS`` may still be at the table. Whether a tab is open says nothing and is not asked.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from matches.clocks.waiting import seats_that_decide
from matches.models import FOR_ALL, LeftSeat, Match, MatchSeat, Move
from matches.notices.models import Wishes
from matches.orders import services as orders

DIGEST_EVERY = timedelta(hours=24)
DIGEST_TELLS_OF = timedelta(hours=48)
"""How long ago a match may have ended of which a digest tells: a day, and another while no mail could be sent."""

NEVER = datetime.fromtimestamp(0, UTC)


def between_people() -> QuerySet[Match]:
    """Return the matches between people, lessons left out."""
    # Where the computer plays on for somebody who has left, people played from the beginning.
    computers = MatchSeat.objects.filter(match=OuterRef("pk"), kind=MatchSeat.Kind.COMPUTER, stand_in="")
    return Match.objects.defer("saved", "seed").filter(~Exists(computers), lesson="")


def waiting_matches() -> QuerySet[Match]:
    """Return the matches between people in which somebody has been waited for long enough to be told."""
    since = timezone.now() - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    return between_people().filter(state=Match.State.RUNNING, deciders__gt=0, changed__lte=since)


def waiting_for(user_id: int) -> list[Match]:
    """Return the matches that wait for this person, longest first."""
    own = MatchSeat.objects.filter(user=user_id).values("match_id", "number")
    seats = {row["match_id"]: row["number"] for row in own}
    waiting = waiting_matches().filter(pk__in=list(seats)).order_by("changed")
    return [match for match in waiting if match.must_decide(seats[match.pk])]


def over_unseen() -> QuerySet[MatchSeat]:
    """Return the seats of people in matches that have ended lately without them, for the digest to tell of."""
    shortly_before = OuterRef("match__finished") - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    there = of_their_own().filter(match=OuterRef("match"), seat=OuterRef("number"), created__gte=shortly_before)
    ended = between_people().filter(state=Match.State.FINISHED, finished__gt=timezone.now() - DIGEST_TELLS_OF)
    return MatchSeat.objects.filter(~Exists(there), user__isnull=False, match__in=ended.values("pk"))


def over_for(wishes: Wishes) -> list[MatchSeat]:
    """Return the seats of this person in matches that their next digest tells the end of, if they want that."""
    if not wishes.endings:
        return []
    seats = over_unseen().filter(user=wishes.user_id).select_related("match").order_by("match__finished")
    return list(seats.filter(match__finished__gt=wishes.digested) if wishes.digested else seats)


def out_while_away() -> QuerySet[MatchSeat]:
    """Return the seats of people who were out of a match in which others play on, with when (``out``).

    ``did`` is the kind of the move with which they were, and ``own`` whether it is about them. Left out is who has
    conceded, and who was there as they lost.
    """
    move = Move.objects.filter(match=OuterRef("match"), seq=OuterRef("out_at"))
    about = Q(kind=Move.Kind.CLAIM, option=Cast(OuterRef("number"), CharField()))
    about |= Q(kind__in=[Move.Kind.TIME, Move.Kind.CONCEDE], seat=OuterRef("number"))
    shortly_before = OuterRef("out") - timedelta(seconds=settings.NOTICE_AFTER_SECONDS)
    there = of_their_own().filter(match=OuterRef("match"), seat=OuterRef("number"), created__gte=shortly_before)
    seats = MatchSeat.objects.filter(user__isnull=False, out_at__isnull=False)
    seats = seats.annotate(
        out=Subquery(move.values("created")[:1]), did=Subquery(move.values("kind")[:1]), own=Exists(move.filter(about))
    )
    return seats.exclude(own=True, did=Move.Kind.CONCEDE).exclude(Exists(there), own=False)


def out_unseen() -> QuerySet[MatchSeat]:
    """Return those of :func:`out_while_away` of whom a digest tells: lately, of matches that still go on."""
    running = between_people().filter(state=Match.State.RUNNING)
    return out_while_away().filter(match__in=running.values("pk"), out__gt=timezone.now() - DIGEST_TELLS_OF)


def out_for(wishes: Wishes) -> list[MatchSeat]:
    """Return the seats of this person of which their next digest tells that they are out, if they want that."""
    if not wishes.endings:
        return []
    seats = out_unseen().filter(user=wishes.user_id).select_related("match").order_by("out")
    return list(seats.filter(out__gt=wishes.digested) if wishes.digested else seats)


def left_to_others() -> QuerySet[LeftSeat]:
    """Return the seats that people have left to others, with when there was ``news``: of that, or of the end.

    Whoever has come back has none, and of several seats of one person at a table the last one counts.
    """
    same = {"match": OuterRef("match"), "user": OuterRef("user")}
    later = LeftSeat.objects.filter(**same, version__gt=OuterRef("version"))
    seats = LeftSeat.objects.filter(~Exists(later), ~Exists(MatchSeat.objects.filter(**same)), user__isnull=False)
    return seats.annotate(news=Coalesce("match__finished", "left"))


def left_for(wishes: Wishes) -> list[LeftSeat]:
    """Return the seats that this person has left to others and that their next digest tells of, if they want that."""
    if not wishes.endings:
        return []
    since = max(wishes.digested or NEVER, timezone.now() - DIGEST_TELLS_OF)
    return list(left_to_others().filter(user=wishes.user_id, news__gt=since).select_related("match").order_by("news"))


def due_for_a_digest() -> QuerySet[Wishes]:
    """Return the wishes of everybody who wants a digest, whose last one is old enough, and to whom one has news."""
    long_ago = Q(digested__isnull=True) | Q(digested__lte=timezone.now() - DIGEST_EVERY)
    deciding = seats_that_decide().filter(match__in=waiting_matches())
    last = Coalesce(OuterRef("digested"), Value(NEVER))
    over = over_unseen().filter(user=OuterRef("user"), match__finished__gt=last)
    out = out_unseen().filter(user=OuterRef("user"), out__gt=last)
    lately = timezone.now() - DIGEST_TELLS_OF
    left = left_to_others().filter(user=OuterRef("user"), news__gt=last).filter(news__gt=lately)
    news = Q(user__in=deciding.values("user")) | Q(Exists(over) | Exists(out) | Exists(left), endings=True)
    return Wishes.objects.filter(long_ago, news, mail=Wishes.Mail.DAILY)


def is_digest_due(wishes: Wishes) -> bool:
    """Return whether the last digest was sent so long ago that the next one may go out."""
    return wishes.digested is None or wishes.digested <= timezone.now() - DIGEST_EVERY


def has_been_here(user_id: int, since: Any, until: Any = None) -> bool:
    """Return whether this person has done anything in that time, in a tab that has been open all the time, say.

    Without ``until``, up to now.
    """
    seats = MatchSeat.objects.filter(user=user_id, match=OuterRef("match"), number=OuterRef("seat"))
    done = of_their_own().filter(Exists(seats), created__gt=since)
    return (done if until is None else done.filter(created__lte=until)).exists()


def visited(user: Any) -> None:
    """Somebody has been here: the next mail may be sent. Writes only where one was sent since."""
    if user.is_authenticated and Wishes.objects.filter(user=user, mailed__isnull=False).exists():
        Wishes.objects.filter(user=user).update(mailed=None)


def of_their_own() -> QuerySet[Move]:
    """Return the moves that a player has made; not what clocks, orders or whoever runs the site do at their seat."""
    ours = Q(kind__in=[Move.Kind.TIME, Move.Kind.VACATION]) | Q(kind=Move.Kind.CONCEDE, option__startswith=FOR_ALL)
    return Move.objects.exclude(ours).exclude(orders.by_site())
