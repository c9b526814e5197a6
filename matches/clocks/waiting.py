"""The matches that wait for somebody, and how long they still do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import F, QuerySet, Value
from msgspec import Struct

from matches.clocks import arithmetic, site_time
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.standing import Turn
from matches.models import Match, MatchSeat
from matches.storage.seat_sets import seats_of

NO_CLOCK = float("inf")


def seats_that_decide() -> QuerySet[MatchSeat]:
    """Return the seats that must decide in running matches; lessons are left out."""
    # The bit of the seat in the set of those who must decide: see matches.storage.seat_sets.
    own = F("match__deciders").bitand(Value(1).bitleftshift(F("number")))
    seats = MatchSeat.objects.filter(match__state=Match.State.RUNNING, match__lesson="")
    return seats.annotate(decides=own).filter(decides__gt=0)


def seats_to_decide(user: Any) -> QuerySet[MatchSeat]:
    """Return the seats of ``user`` that must decide in a running match; lessons are left out."""
    return seats_that_decide().filter(user=user)


def count_for(user: Any, *, besides: str = "") -> int:
    """Return how many matches wait for ``user``, besides the one with this id; in a pause none does."""
    seats = seats_to_decide(user).exclude(match__public_id=besides)
    stands = seats.values_list("match__standing", "match__players", "match__version")
    return sum(not standings.read(bytes(standing), players, version).paused for standing, players, version in stands)


def is_paused(match: Match) -> bool:
    """Return whether the clocks of ``match`` are stopped by agreement: nobody can choose anything then."""
    return standings.read(bytes(match.standing), match.players, match.version).paused


def left_for(match: Match, seat: int | None, now: int) -> int | None:
    """Return how many milliseconds ``seat`` has left in ``match``; None without clocks, less than 0 is never told."""
    standing = standings.read(bytes(match.standing), match.players, match.version)
    if standing.clocks is None or seat is None:
        return None
    return max(0, arithmetic.left(standing.clocks, seat, now))


class RunningTurn(Struct, frozen=True):
    """The turn of a seat whose clock runs, and when (site time) it runs out."""

    seat: int
    turn: Turn
    until: int


def turns_that_run(match: Match) -> list[RunningTurn]:
    """Return the turns of those whose clocks run at ``match``: nobody's in a pause, or of whoever is on vacation."""
    standing = standings.read(bytes(match.standing), match.players, match.version)
    clocks, tempo = standing.clocks, tempos.read(match.tempo)
    if clocks is None or match.state != Match.State.RUNNING:
        return []
    return [
        RunningTurn(seat, standings.turn_of(standing, tempo, seat), clocks.since + clocks.seats[seat].left)
        for seat in seats_of(clocks.ticking)
    ]


def urgent_first(matches: Iterable[tuple[Match, int | None]]) -> list[tuple[Match, int | None, int | None]]:
    """Return matches, given with the seat of whose list it is, with the time that seat has left.

    Those that wait for it come first, the one with the least time before all; the rest as they were given.
    """
    now = site_time.now_to_show()
    rows = [(match, seat, left_for(match, seat, now)) for match, seat in matches]
    return sorted(rows, key=_urgency)


def next_for(user: Any, *, after: str) -> Match | None:
    """Return the match that waits for ``user`` most urgently, another than ``after`` (its id); None if none does.

    Where that one still waits as well, the one that is the next urgent: so all come in turn, whatever is left undone.
    """
    seats = seats_to_decide(user).select_related("match").defer("match__saved", "cards").order_by("match__changed")
    rows = urgent_first((seat.match, seat.number) for seat in seats if not is_paused(seat.match))
    # Compared here: not every text that somebody sends is one for the database.
    found = [match for match, _, _ in rows]
    at = next((place for place, match in enumerate(found) if match.public_id == after), -1)
    others = found[at + 1 :] + found[:at] if at >= 0 else found
    return others[0] if others else None


def _urgency(row: tuple[Match, int | None, int | None]) -> tuple[bool, float]:
    match, seat, left = row
    waits = match.must_decide(seat) and not is_paused(match)
    return not waits, left if waits and left is not None else NO_CLOCK
