"""The order in which the players of a match finished, from its result and the events that all may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ccg.rules import EventView
from matches.models import Match
from matches.seats import stand_ins
from matches.storage import stored_events
from matches.table import ending

LEAVING = ("concede", "out of time", "absent")
"""The events of players who leave."""


def ranks_of(match: Match) -> list[int]:
    """Return the place of each seat of a finished ``match``: 1 for who won, equal numbers for who shared a place."""
    if match.players == 2:
        return [2 if seat in match.losers else 1 for seat in range(2)]
    packed = match.moves.order_by("seq").values_list("events", flat=True)
    moves = [stored_events.seen_by(bytes(row), None) for row in packed]
    influence = ending.of(match).course[-1].influence
    return ranks(match.players, match.winners, match.losers, moves, influence, stand_ins.left_at(match))


def ranks(
    players: int,
    winners: Iterable[int],
    losers: Iterable[int],
    moves: Iterable[Iterable[EventView]],
    influence: list[int],
    left: Mapping[int, int] = {},
) -> list[int]:
    """Return the places at a table of several, from the events of each move; who left in the same move shares a place.

    First who won, or who drew; then who was still there, by influence; then who had lost it all, the later the better;
    and last who left: conceded, ran out of time or stayed away, the later the better. ``left`` are those whose seat was
    another's from that version on, whatever has come of it.
    """
    winners, losers = set(winners) - set(left), set(losers) | set(left)
    lost: dict[int, int] = {seat: version - 1 for seat, version in left.items()}
    conceded: set[int] = set(left)
    for number, events in enumerate(moves):
        for event in events:
            if event.kind == "lose" and event.player is not None:
                lost.setdefault(event.player, number)
            elif event.kind in LEAVING and event.player is not None:
                conceded.add(event.player)

    def standing(seat: int) -> tuple[int, int]:
        if seat in winners or seat not in losers:
            return 0, 0
        if seat not in lost:
            return 1, -influence[seat]
        return 3 if seat in conceded else 2, -lost[seat]

    standings = [standing(seat) for seat in range(players)]
    return [1 + sum(other < own for other in standings) for own in standings]
