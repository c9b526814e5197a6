"""What must hold whenever a player leaves the game (rulings 5, 26, 54 and 90).

A concession can come at any moment, and each card may be in the middle of something then. Random games come
upon few of these moments by themselves; :func:`ccg.rules.soak.playing.soak` makes every player concede, in
copies, at every decision of some games.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules.core.events import Event
from ccg.rules.core.state import Challenge, SeatNumber
from ccg.rules.game import Game
from ccg.rules.soak.broken import Broken

MOVES = ("play", "use", "boost", "resolve", "spend")
"""Events that tell of a player's own move: nobody makes one because somebody leaves."""

LEAVING = ("concede", "lose")
ENDINGS = ("commit", "trigger", "challenge over")
"""With what the end of a challenge begins that a leaver has broken off: a challenger is committed."""


def check_leaving(before: Game, seat: SeatNumber, events: Sequence[Event], after: Game) -> None:
    """Make all checks on the concession of ``seat``, told in ``events``."""
    if after.result is not None:
        return
    no_move_goes_on(events)
    broken_off_at_once(before, seat, events)
    half_made_moves_are_taken_back(before, seat, after)


def no_move_goes_on(events: Sequence[Event]) -> None:
    """Nobody's move is made by itself because somebody leaves."""
    made = [event.kind for event in events if event.kind in MOVES]
    if made:
        raise Broken("leaving", f"somebody concedes, and by itself happens: {', '.join(made)}")


def broken_off_at_once(before: Game, seat: SeatNumber, events: Sequence[Event]) -> None:
    """A challenge of the leaver ends before anything else happens in it (ruling 90).

    Once it is resolved there is nothing left to break off; what waits for the win goes on (ruling 72).
    """
    challenge = before.engine.state.challenge
    if challenge is None or challenge.resolved or seat not in _sides(challenge):
        return
    kinds = [event.kind for event in events]
    first = next((kind for kind in kinds if kind not in LEAVING), "")
    if first not in ENDINGS or ("challenge over" not in kinds and first != "trigger"):
        raise Broken("leaving", f"a challenge is broken off, and there happens: {', '.join(kinds)}")


def _sides(challenge: Challenge) -> tuple[SeatNumber, SeatNumber]:
    return challenge.challenging, challenge.opponent


def half_made_moves_are_taken_back(before: Game, seat: SeatNumber, after: Game) -> None:
    """A concession while a move is half made leads to the same game as taking that move back first (ruling 90)."""
    decision = before.decision
    if decision is None or not decision.can_take_back:
        return
    other = before.copy()
    other.take_back()
    other.concede(seat)
    if other.save() != after.save():
        asked = [(game.decision.seat, game.decision.kind) if game.decision else None for game in (after, other)]
        raise Broken(
            "leaving",
            f"seat {seat} concedes at {decision.kind} of seat {decision.seat}; then {asked[0]} is asked, "
            f"but {asked[1]} if the half-made move is taken back first",
        )
