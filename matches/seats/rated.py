"""Whether a match counts for ratings, and why not where it does not.

That is settled when a match begins, by who sits at the table; a match that is ended by a fault of ours counts for
nobody after all. Every match that does not count has the code of a reason, and each reason is a sentence for people.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from matches.models import Match, MatchSeat

SAME_PEOPLE_A_DAY = 5
"""Rated matches of exactly the same people in 24 hours; what they play beyond that says little that is new."""

WITHOUT_CLOCKS = "untimed"
"""The tempo of such a match, as ``matches.clocks.tempo`` writes it."""

ABANDONED = "abandoned"
"""The reason of the result of a match that nobody came to, or back to (``ccg.rules``)."""

PLAYED_ON = "played_on"
"""The reason of a match that begins with the moves of another (``matches.replays.playing_on``)."""

REASONS: dict[str, str] = {
    "": "It was begun before there were ratings.",
    "account": "Somebody at the table had deleted their account.",
    "casual": "It was played for fun.",
    "computer": "A computer played, and matches against the computer change no rating.",
    "fault": "It was ended by a fault of the cards or of this site, so nobody gains or loses by it.",
    "guest": "A guest played; ratings are for those who have an account.",
    "lesson": "It was a lesson.",
    "nobody_came": "Nobody came to it before the time of all had run out, so it says nothing of anybody.",
    PLAYED_ON: "It was played on from a point of another match, against the computer.",
    "outdated": "It was ended because the rules program was updated, so nobody gains or loses by it.",
    "same_people": f"The same people had played {SAME_PEOPLE_A_DAY} rated matches within a day already.",
    "untimed": "It had no clocks, so whoever stayed away from it lost nothing by that.",
    "time_again": "Who ran out of time had lost another match by correspondence in that way within a week, and whoever"
    " stays away loses rating once.",
}
"""Why a match is not rated: a stable code, and what people are told. "" is that of matches older than the rest."""

ASKED_FOR = frozenset({"fault", "nobody_came", "outdated", "same_people", "time_again"})
"""The reasons of matches that their players wanted to be rated: it is asked for again with a rematch."""

NEEDS_ACCOUNT = (
    "Rated matches need an account, so that a rating stays somebody's. Make one on the page of your name: it takes a"
    " name and a password, and what you have played as a guest stays yours."
)
"""What a guest is told who wants to play for ratings."""

NEEDS_CLOCKS = "Rated matches need clocks, so that nobody who would lose keeps the other one waiting. Choose a time."
"""What is told to whoever wants to play for ratings without clocks."""


def sentence(match: Match) -> str:
    """Return the sentence that says why ``match`` is not rated; "" for one that is."""
    return "" if match.rated else REASONS[match.unrated_why]


def nobody_came(match: Match) -> bool:
    """Return whether the clocks of a finished ``match`` ran out for all before anybody there had chosen anything.

    One without clocks that was left in its middle ends for the same reason, and is a draw of what was played.
    """
    return match.tempo != WITHOUT_CLOCKS and match.result is not None and match.result["reason"] == ABANDONED


def is_asked_for(match: Match) -> bool:
    """Return whether the players of ``match``, which has begun, wanted it to be rated, whatever came of that."""
    return match.rated or match.unrated_why in ASKED_FOR


def why_it_will_not(match: Match, seats: Collection[MatchSeat], joining: Any = None) -> str:
    """Return the sentence that says why an open ``match``, asked to be rated, would not be if it began now.

    "" if it would, and for one that has begun: that is settled. ``joining`` may sit down there. While more seats are
    free than that nobody knows yet: it depends on who comes.
    """
    free = [seat for seat in seats if seat.kind == MatchSeat.Kind.FREE]
    comes = joining is not None and joining.is_authenticated and not joining.is_guest
    if match.state != Match.State.OPEN or not match.rated or len(free) > comes:
        return ""
    coming = [MatchSeat(kind=MatchSeat.Kind.PERSON, user=joining) for _ in free]
    why = _why_not(match, [*(seat for seat in seats if seat not in free), *coming])
    return REASONS[why] if why else ""


def settle(match: Match, seats: Collection[MatchSeat]) -> None:
    """Settle at the beginning of ``match`` whether it is rated; before, ``match.rated`` says whether that is asked for.

    Sets the two fields and does not save them. Inside the transaction that begins the match.
    """
    match.unrated_why = _why_not(match, seats)
    match.rated = not match.unrated_why


def unrate(match: Match, why: str) -> None:
    """Let a match not count after all, with the code ``why`` of a reason."""
    Match.objects.filter(pk=match.pk, rated=True).update(rated=False, unrated_why=why)
    match.rated, match.unrated_why = False, why


def _why_not(match: Match, seats: Collection[MatchSeat]) -> str:
    if match.lesson:
        return "lesson"
    if any(seat.kind != MatchSeat.Kind.PERSON for seat in seats):
        return "computer"
    if any(seat.user is None for seat in seats):
        return "account"
    if any(seat.user.is_guest for seat in seats if seat.user is not None):
        return "guest"
    if not match.rated:
        return "casual"
    if match.tempo == WITHOUT_CLOCKS:
        return "untimed"
    return "same_people" if played_lately([seat.user_id for seat in seats]) >= SAME_PEOPLE_A_DAY else ""


def played_lately(people: Collection[int | None]) -> int:
    """Return how many rated matches exactly these people have begun within the last day."""
    same = Match.objects.filter(rated=True, players=len(people), started__gt=timezone.now() - timedelta(days=1))
    for person in people:
        # Who has left their seat to somebody else has played it as well, and who stands in has not.
        same = same.filter(Q(seats__user=person, seats__stand_in="") | Q(left_seats__user=person))
    return same.distinct().count()
