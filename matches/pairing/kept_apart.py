"""Who is not to meet in a queue: who blocks whom, and who plays already, has just or often played whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import QuerySet

from decks.social import opinions
from matches.models import Match, MatchSeat
from matches.pairing.choosing import Pair, Waiting, pair_of
from matches.pairing.models import QueueEntry
from matches.pairing.queues import CORRESPONDENCE, Queue
from matches.seats.rated import SAME_PEOPLE_A_DAY

NOT_AGAIN = timedelta(days=1)
"""How long somebody who waits is not paired with the opponent they had just played as they joined."""


def refused(queue: Queue, waiting: Collection[Waiting], now: datetime) -> set[Pair]:
    """Return the pairs of users that are not to meet in ``queue``, for any of the reasons below."""
    users = [one.user for one in waiting]
    pairs = blocked(users) | set(just_played(waiting, now))
    if queue.kind == CORRESPONDENCE:
        pairs |= playing_now(users)
    return pairs | (met_often(users, now) if queue.rated else set())


def blocked(users: Collection[int]) -> set[Pair]:
    """Return the pairs among ``users`` one of whom blocks the other."""
    return {pair_of(*pair) for pair in opinions.blocks_among(users)}


def just_played(waiting: Collection[Waiting], now: datetime) -> dict[Pair, datetime]:
    """Return the pairs that had just played each other as one of them joined, and when they can meet again.

    After a day they can: there may be nobody else.
    """
    entries = QueueEntry.objects.filter(pk__in=[one.entry for one in waiting], joined__gt=now - NOT_AGAIN)
    last = entries.exclude(last_opponent=None).order_by("joined")
    return {
        pair_of(user, opponent): joined + NOT_AGAIN
        for user, opponent, joined in last.values_list("user_id", "last_opponent_id", "joined")
    }


def playing_now(users: Collection[int]) -> set[Pair]:
    """Return the pairs among ``users`` whose match by correspondence from a queue still runs."""
    seats = MatchSeat.objects.filter(user__in=users, match__state=Match.State.RUNNING, match__from_queue=True)
    return set(_meetings(seats.filter(match__tempo__startswith=CORRESPONDENCE)))


def met_often(users: Collection[int], now: datetime) -> set[Pair]:
    """Return the pairs among ``users`` who have begun as many rated matches of two within a day as count.

    Only ranked queues keep them apart.
    """
    seats = MatchSeat.objects.filter(
        user__in=users, match__rated=True, match__players=2, match__started__gt=now - timedelta(days=1)
    )
    return {both for both, count in _meetings(seats).items() if count >= SAME_PEOPLE_A_DAY}


def _meetings(seats: QuerySet[MatchSeat]) -> Counter[Pair]:
    """Return which pairs sit together at ``seats``, and at how many tables."""
    tables: dict[int, list[int]] = {}
    for match, user in seats.values_list("match_id", "user_id"):
        tables.setdefault(match, []).append(user)
    return Counter(pair_of(*people) for people in tables.values() if len(people) == 2)
