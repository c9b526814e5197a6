"""Signs of farmed ratings and thrown games among matches of two, marked for staff and never punished by machine."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from django.utils import timezone

from matches.models import Match, Move
from matches.ratings import devices
from matches.ratings.models import RatedMatch, RatingChange, Sign
from matches.ratings.skills import expected

WINDOW = timedelta(days=30)
"""How far back matches of a pair are looked at."""

SHORT_MOVES = 40
"""A match conceded within so many moves has hardly begun; one that is played to its end takes hundreds."""
MOST_SHORT = 3
"""Matches given up so early to the same one, from which on it is a sign."""

ONE_SIDED = 8
"""Matches of a pair from which on it is looked at whether the same one wins them."""
BEYOND_CHANCE = 2.6
"""How many standard deviations more of them than the ratings foretold are a sign: by chance one pair in 200."""

FEEDERS, FED_EACH = 2, 3
"""Players who have lost to the same one, so often each, and have played nobody else, from which on they are a sign."""

SHARED, SHARED_TIMES = 3, 3
"""Matches won against somebody who plays from the same device, and how many times those that were lost."""


def look(row: RatedMatch, match: Match) -> None:
    """Look for signs after a match was counted. Inside the transaction that counts it."""
    changes = list(row.changes.select_related("rating"))
    if match.players != 2 or {change.rank for change in changes} != {1, 2}:
        return
    winner, loser = sorted(changes, key=lambda change: change.rank)
    if winner.rating.user_id is None or loser.rating.user_id is None:
        return
    met = _played_by(winner.rating_id, loser.rating_id)
    won = [one for one in met if _won_by(one, winner.rating_id)]
    lost = len(met) - len(won)
    _note(Sign.Kind.SHORT, winner, loser, row, sum(_given_up(one, loser.rating_id) for one in won), MOST_SHORT)
    if len(met) >= ONE_SIDED and _beyond_chance(met, winner.rating_id) >= BEYOND_CHANCE:
        _note(Sign.Kind.ONE_SIDED, winner, loser, row, len(met), ONE_SIDED)
    if len(won) >= SHARED_TIMES * lost and devices.shared(winner.rating.user_id, loser.rating.user_id):
        _note(Sign.Kind.DEVICE, winner, loser, row, len(won), SHARED)
    if not lost and len(won) >= FED_EACH and _plays_nobody_else(loser.rating_id, len(met)):
        fed = _fed(winner.rating_id)
        if len(fed) >= FEEDERS:
            _note(Sign.Kind.FED, winner, loser, row, sum(fed.values()), FEEDERS * FED_EACH)


def _played_by(*ratings: int) -> list[RatedMatch]:
    """Return the matches of two that all these ratings were in within the window."""
    rows = RatedMatch.objects.filter(created__gt=timezone.now() - WINDOW, match__players=2)
    for rating in ratings:
        rows = rows.filter(changes__rating=rating)
    rows = rows.select_related("match").defer("match__saved", "match__seed", "match__standing")
    return list(rows.prefetch_related("changes"))


def _seats(row: RatedMatch) -> dict[int, RatingChange]:
    """Return the changes of a match, by rating."""
    return {change.rating_id: change for change in row.changes.all()}


def _won_by(row: RatedMatch, rating: int) -> bool:
    """Return whether this rating has won; of a draw nobody has."""
    ranks = {one: change.rank for one, change in _seats(row).items()}
    return ranks[rating] == 1 and set(ranks.values()) == {1, 2}


def _beyond_chance(met: list[RatedMatch], winner: int) -> float:
    """Return by how many standard deviations the wins are more than the ratings foretold before the first match.

    Those of later ones come from these very matches, and would explain any farm.
    """
    first = _seats(min(met, key=lambda row: row.pk))
    before = {one == winner: change.before for one, change in first.items()}
    chance = expected(before[True], before[False])
    won = sum(_won_by(row, winner) for row in met)
    return (won - chance * len(met)) / math.sqrt(len(met) * chance * (1 - chance))


def _plays_nobody_else(rating: int, matches: int) -> bool:
    """Return whether this rating was in no more than so many matches within the window."""
    return RatedMatch.objects.filter(created__gt=timezone.now() - WINDOW, changes__rating=rating).count() == matches


def _fed(winner: int) -> dict[int, int]:
    """Return who has lost to the winner often enough, has won nothing and has played nobody else, with how often."""
    won: dict[int, int] = {}
    other: set[int] = set()
    for row in _played_by(winner):
        (opponent,) = _seats(row).keys() - {winner}
        if _won_by(row, winner):
            won[opponent] = won.get(opponent, 0) + 1
        else:
            other.add(opponent)
    often = {one: count for one, count in won.items() if count >= FED_EACH and one not in other}
    return {one: count for one, count in often.items() if _plays_nobody_else(one, count)}


def _given_up(row: RatedMatch, loser: int) -> bool:
    """Return whether the loser has conceded this match when it had hardly begun."""
    if row.match.version > SHORT_MOVES:
        return False
    seat = next(change.seat for change in row.changes.all() if change.rating_id == loser)
    return Move.objects.filter(match=row.match_id, seat=seat, kind=Move.Kind.CONCEDE).exists()


def _note(kind: Any, winner: RatingChange, loser: RatingChange, row: RatedMatch, count: int, least: int) -> None:
    if count >= least:
        Sign.objects.update_or_create(
            kind=kind, user=winner.rating.user, other=loser.rating.user,
            defaults={"matches": count, "last": row, "state": Sign.State.OPEN},
        )  # fmt: skip
