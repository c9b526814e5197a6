"""Signs of farmed ratings and thrown games, marked for staff and never punished by machine."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from matches.models import Move
from matches.ratings import devices
from matches.ratings.models import RatedMatch, RatingChange, Sign
from matches.ratings.skills import expected

WINDOW = timedelta(days=30)
"""How far back matches of a pair are looked at."""

SHORT_MOVES_EACH = 20
"""A match that somebody leaves within so many moves of each player has hardly begun; to its end it takes hundreds."""
MOST_SHORT = 3
"""Matches given up so early to the same one, from which on it is a sign."""
MOST_EARLY, EARLY_OF = 6, 2
"""Matches given up so early by one, whoever they meet, or to one, whoever gives them up, from which on it is a sign;
and of how many matches, or wins, one is then such a match at least."""

ONE_SIDED = 8
"""Matches of a pair from which on it is looked at whether the same one wins them."""
BEYOND_CHANCE = 2.6
"""How many standard deviations more of them than the ratings foretold are a sign: by chance one pair in 200."""

FEEDERS, FED_EACH = 2, 3
"""Players who have lost to the same one, so often each, and have played nobody else, from which on they are a sign."""

SHARED, SHARED_TIMES = 3, 3
"""Matches won against somebody who plays from the same device, and how many times those that were lost."""


def look(row: RatedMatch) -> None:
    """Look for signs after a match was counted. Inside the transaction that counts it.

    At a table of several, at who won and each of the others: none of them gains more by it.
    """
    changes = list(row.changes.select_related("rating"))
    first = [change for change in changes if change.rank == 1]
    others = [change for change in changes if change.rank > 1]
    for loser in others:
        if len(first) == 1 and _are_there(first[0], loser):
            _look_at_pair(row, first[0], loser)
    early = list(_given_up().filter(rated=row, early=True).select_related("rating"))
    for change in early:
        _look_at_who_gives_up(row, change)
    if early and len(first) == 1:
        _look_at_who_wins_by_it(row, first[0])


def _look_at_pair(row: RatedMatch, winner: RatingChange, loser: RatingChange) -> None:
    met = _played_by(winner.rating_id, loser.rating_id)
    won = [one for one in met if _came_before(one, winner.rating_id, loser.rating_id)]
    lost = sum(_came_before(one, loser.rating_id, winner.rating_id) for one in met)
    short = _given_up().filter(rating=loser.rating_id, rated__in=[one.pk for one in won], early=True).count()
    _note(Sign.Kind.SHORT, winner, loser, row, short, MOST_SHORT)
    if len(met) >= ONE_SIDED and _beyond_chance(met, winner.rating_id, loser.rating_id) >= BEYOND_CHANCE:
        _note(Sign.Kind.ONE_SIDED, winner, loser, row, len(met), ONE_SIDED)
    if len(won) >= SHARED_TIMES * lost and devices.shared(winner.rating.user_id, loser.rating.user_id):
        _note(Sign.Kind.DEVICE, winner, loser, row, len(won), SHARED)
    if len(won) == len(met) >= FED_EACH and _plays_nobody_else(loser.rating_id, len(met)):
        fed = _fed(winner.rating_id)
        if len(fed) >= FEEDERS:
            _note(Sign.Kind.FED, winner, loser, row, sum(fed.values()), FEEDERS * FED_EACH)


def _look_at_who_gives_up(row: RatedMatch, change: RatingChange) -> None:
    """Look whether somebody gives up early wherever they play: for a friend, or to be rated lower than they are."""
    own = _given_up().filter(rating=change.rating_id, rated__created__gt=timezone.now() - WINDOW)
    early = own.filter(early=True).count()
    if change.rating.user_id is not None and EARLY_OF * early >= own.count():
        _note(Sign.Kind.THROWS, change, None, row, early, MOST_EARLY)


def _look_at_who_wins_by_it(row: RatedMatch, winner: RatingChange) -> None:
    """Look whether others give up early against somebody, each of them not often enough to be seen alone."""
    own = RatingChange.objects.filter(rating=winner.rating_id, rated__created__gt=timezone.now() - WINDOW)
    won = set(own.filter(rank=1).values_list("rated", flat=True))
    given = _given_up().filter(rated__in=won, early=True).exclude(rating=winner.rating_id)
    early = given.values("rated").distinct().count()
    if winner.rating.user_id is not None and EARLY_OF * early >= len(won):
        _note(Sign.Kind.GIVEN, winner, None, row, early, MOST_EARLY)


def _are_there(*changes: RatingChange) -> bool:
    return all(change.rating.user_id is not None for change in changes)


def _played_by(*ratings: int) -> list[RatedMatch]:
    """Return the matches that all these ratings were in within the window."""
    rows = RatedMatch.objects.filter(created__gt=timezone.now() - WINDOW)
    for rating in ratings:
        rows = rows.filter(changes__rating=rating)
    return list(rows.prefetch_related("changes"))


def _seats(row: RatedMatch) -> dict[int, RatingChange]:
    """Return the changes of a match, by rating."""
    return {change.rating_id: change for change in row.changes.all()}


def _came_before(row: RatedMatch, one: int, other: int) -> bool:
    """Return whether one rating came before another in a match; of a draw neither has."""
    seats = _seats(row)
    return seats[one].rank < seats[other].rank


def _beyond_chance(met: list[RatedMatch], winner: int, loser: int) -> float:
    """Return by how many standard deviations the wins are more than the ratings foretold before the first match.

    Those of later ones come from these very matches, and would explain any farm.
    """
    first = _seats(min(met, key=lambda row: row.pk))
    chance = expected(first[winner].before, first[loser].before)
    won = sum(_came_before(row, winner, loser) for row in met)
    return (won - chance * len(met)) / math.sqrt(len(met) * chance * (1 - chance))


def _plays_nobody_else(rating: int, matches: int) -> bool:
    """Return whether this rating was in no more than so many matches within the window."""
    return RatedMatch.objects.filter(created__gt=timezone.now() - WINDOW, changes__rating=rating).count() == matches


def _fed(winner: int) -> dict[int, int]:
    """Return who has lost to the winner often enough, has won nothing and has played nobody else, with how often."""
    won: dict[int, int] = {}
    other: set[int] = set()
    for row in _played_by(winner):
        for opponent in _seats(row).keys() - {winner}:
            if _came_before(row, winner, opponent):
                won[opponent] = won.get(opponent, 0) + 1
            else:
                other.add(opponent)
    often = {one: count for one, count in won.items() if count >= FED_EACH and one not in other}
    return {one: count for one, count in often.items() if _plays_nobody_else(one, count)}


def _given_up() -> QuerySet[RatingChange]:
    """Return what matches made of ratings, each with whether its player left that match ``early``."""
    leaving = (
        Q(seat=OuterRef("seat"), kind=Move.Kind.CONCEDE, option="")
        | Q(seat=OuterRef("seat"), kind=Move.Kind.TIME)
        | Q(kind=Move.Kind.CLAIM, option=Cast(OuterRef("seat"), CharField()))
    )
    hardly_begun = F("match__players") * SHORT_MOVES_EACH
    left = Move.objects.filter(leaving, match=OuterRef("rated__match"), seq__lte=hardly_begun)
    return RatingChange.objects.annotate(early=Exists(left))


def _note(kind: Any, gains: RatingChange, other: RatingChange | None, row: RatedMatch, count: int, least: int) -> None:
    if count >= least:
        Sign.objects.update_or_create(
            kind=kind, user=gains.rating.user, other=other.rating.user if other is not None else None,
            defaults={"matches": count, "last": row, "state": Sign.State.OPEN},
        )  # fmt: skip
