"""Which finished matches say something of the decks in them."""

from __future__ import annotations

from decks import results
from matches.models import Match, MatchSeat


def count(match: Match) -> None:
    """Count what has come of a finished match, if it was one of two people with different lists.

    Has to be in the transaction that notes that this is done.
    """
    seats = list(match.seats.order_by("number"))
    people = {seat.user_id for seat in seats if seat.kind == MatchSeat.Kind.PERSON and seat.user_id is not None}
    lists = {seat.deck_version for seat in seats if seat.deck_version}
    if len(seats) != 2 or len(people) != 2 or len(lists) != 2 or match.result is None:
        return
    winners = match.result["winners"]
    first, second = sorted(seats, key=lambda seat: seat.number not in winners)
    results.count(first.deck_version, second.deck_version, drawn=len(winners) != 1)


def lists_of_people(match: Match) -> set[str]:
    """Return the content hashes of the lists that people played in ``match``; those of lessons have none."""
    people = match.seats.filter(kind=MatchSeat.Kind.PERSON)
    return set(people.values_list("deck_version", flat=True)) - {""}
