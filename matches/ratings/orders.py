"""The order in which the players of a match finished, from its result and the events that all may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ccg.rules import EventView
from matches.clocks import standing as standings
from matches.models import Match, Move
from matches.seats import stand_ins
from matches.storage import stored_events
from matches.table import ending

LEAVING = ("concede", "out of time", "absent")
"""The events of players who leave."""


def ranks_of(match: Match) -> list[int]:
    """Return the place of each seat of a finished ``match``: 1 for who won, equal numbers for who shared a place."""
    if match.players == 2:
        return [2 if seat in match.losers else 1 for seat in range(2)]
    influence = ending.of(match).course[-1].influence
    return ranks(match.players, match.winners, match.losers, _moves_of(match), influence, stand_ins.left_at(match))


def _moves_of(match: Match) -> list[list[EventView]]:
    """Return what all may know of each move, by its number.

    Who is asked at once can run out of time at once, and is taken out one after another: which of them comes first says
    nothing. So all of that is told with the first of these moves.
    """
    moves: list[list[EventView]] = []
    first, before = 0, None
    for number, move in enumerate(match.moves.order_by("seq")):
        seen = list(stored_events.seen_by(bytes(move.events), None))
        if before is not None and _ran_out_at_once(match, before, move):
            moves[first] += seen
            moves.append([])
        else:
            first = number
            moves.append(seen)
        before = move
    return moves


def _ran_out_at_once(match: Match, before: Move, move: Move) -> bool:
    """Return whether two moves one after the other have taken out two whose time ran out at the same moment."""
    if before.kind != Move.Kind.TIME or move.kind != Move.Kind.TIME:
        return False
    clocks = standings.read(bytes(before.standing), match.players, before.seq).clocks
    return clocks is not None and clocks.seats[before.seat].left == clocks.seats[move.seat].left


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
