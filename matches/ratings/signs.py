"""Signs of farmed ratings and thrown games among matches of two, marked for staff and never punished by machine."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from matches.models import Match, Move
from matches.ratings.models import RatedMatch, RatingChange, Sign
from matches.ratings.skills import expected

WINDOW = timedelta(days=30)
"""How far back matches of a pair are looked at."""

SHORT_MOVES = 40
"""A match conceded within so many moves has hardly begun; one that is played to its end takes hundreds."""
MOST_SHORT = 3
"""Matches given up so early to the same one, from which on it is a sign."""

ONE_SIDED = 8
"""Matches of a pair, all won by the same one, from which on it is a sign where they should have been even."""
EVEN = 0.6
"""The winner of such matches should not have been expected to win more than this share of them."""


def look(row: RatedMatch, match: Match) -> None:
    """Look for signs after a match was counted. Inside the transaction that counts it."""
    changes = list(row.changes.select_related("rating"))
    if match.players != 2 or {change.rank for change in changes} != {1, 2}:
        return
    winner, loser = sorted(changes, key=lambda change: change.rank)
    if winner.rating.user_id is None or loser.rating.user_id is None:
        return
    won, lost = _between(winner, loser)
    _note(Sign.Kind.SHORT, winner, loser, row, sum(_given_up(one, loser.rating_id) for one in won), MOST_SHORT)
    if not lost and _even(won, winner.rating_id):
        _note(Sign.Kind.ONE_SIDED, winner, loser, row, len(won), ONE_SIDED)


def _between(winner: RatingChange, loser: RatingChange) -> tuple[list[RatedMatch], list[RatedMatch]]:
    """Return the matches of this pair that the winner of the last one has won, and the others."""
    pair = (
        RatedMatch.objects.filter(created__gt=timezone.now() - WINDOW, match__players=2)
        .filter(changes__rating=winner.rating_id)
        .filter(changes__rating=loser.rating_id)
        .select_related("match")
        .defer("match__saved", "match__seed")
        .prefetch_related("changes")
    )
    won: list[RatedMatch] = []
    lost: list[RatedMatch] = []
    for row in pair:
        first = any(change.rating_id == winner.rating_id and change.rank == 1 for change in row.changes.all())
        (won if first else lost).append(row)
    return won, lost


def _given_up(row: RatedMatch, loser: int) -> bool:
    """Return whether the loser has conceded this match when it had hardly begun."""
    if row.match.version > SHORT_MOVES:
        return False
    seat = next(change.seat for change in row.changes.all() if change.rating_id == loser)
    return Move.objects.filter(match=row.match_id, seat=seat, kind=Move.Kind.CONCEDE).exists()


def _even(won: list[RatedMatch], winner: int) -> bool:
    """Return whether the winner of these matches should have lost some of them, as ratings were before the first."""
    first = min(won, key=lambda row: row.pk)
    before = {change.rating_id == winner: change.before for change in first.changes.all()}
    return expected(before[True], before[False]) <= EVEN


def _note(kind: Any, winner: RatingChange, loser: RatingChange, row: RatedMatch, count: int, least: int) -> None:
    if count >= least:
        Sign.objects.update_or_create(
            kind=kind, user=winner.rating.user, other=loser.rating.user,
            defaults={"matches": count, "last": row, "state": Sign.State.OPEN},
        )  # fmt: skip
