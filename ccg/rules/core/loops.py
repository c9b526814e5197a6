"""Loops of a player's doing: positions that stand again, and too much done in one phase (ruling 92).

A deed is something that a player does and need not do: an action, an event or ability in a challenge, a challenge to a
Cylon threat, an offered ability that is accepted. Where the same position stands a third time in one phase right after
a deed, or a player has done too much in it, that player can only pass for the rest of the phase.

Abilities that have to happen are nobody's deed. Where they set each other off and somebody is asked each time, what
they set off is cut off for the rest of the phase, after so many choices or once it lies too deep. What goes on for ever
without asking anybody is stopped by the limits of :mod:`ccg.rules.core.engine`.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

from ccg.rules.core.data import encode
from ccg.rules.core.engine import DEPTH_LIMIT, MOST_CHOICES, Engine
from ccg.rules.core.state import Deeds, SeatNumber

SAME_POSITION: Final = 3
"""How often one position may stand in one phase before it counts as a loop."""

MOST_DEEDS: Final = 100
"""What one player may do in one phase; in fifteen hundred random games with all cards it was 9 at most."""

DEEPEST: Final = DEPTH_LIMIT // 2
"""How many frames may lie on the agenda as somebody has to choose; the rest is for what is still to be done there."""

_NOTHING_DONE: Final = Deeds()


def begin_phase(engine: Engine) -> None:
    """Forget what was done in the phase before."""
    engine.state.deeds = Deeds()


def held(engine: Engine, seat: SeatNumber) -> bool:
    """Return whether the player at ``seat`` can only pass for the rest of the phase."""
    return seat in engine.state.deeds.held


def note_deed(engine: Engine, seat: SeatNumber) -> None:
    """Note that the player at ``seat`` has done something, and in which position that has left the game."""
    deeds = engine.state.deeds
    position = _position(engine)
    deeds.positions.append(position)
    if deeds.positions.count(position) >= SAME_POSITION:
        _hold(engine, seat)
    count_deed(engine, seat)


def count_deed(engine: Engine, seat: SeatNumber) -> None:
    """Note that the player at ``seat`` has done something in the middle of which nothing can be compared."""
    deeds = engine.state.deeds
    while len(deeds.done) <= seat:
        deeds.done.append(0)
    deeds.done[seat] += 1
    if deeds.done[seat] >= MOST_DEEDS:
        _hold(engine, seat)


def note_choice(engine: Engine) -> None:
    """Note that somebody has to choose, and cut off what abilities set off if that goes on for too long (ruling 92)."""
    state = engine.state
    if engine.set_off() < 2 or engine.is_cut_off():
        return
    state.deeds.chained = MOST_CHOICES if len(state.agenda) > DEEPEST else state.deeds.chained + 1
    if engine.is_cut_off():
        engine.emit("chain")


def _hold(engine: Engine, seat: SeatNumber) -> None:
    if not held(engine, seat):
        engine.state.deeds.held.append(seat)
        engine.emit("loop", seat)


def _position(engine: Engine) -> int:
    """Return a checksum of the whole state but for what is noted here and what was asked last: equal for equal ones.

    Three that differ and have the same one are to be expected once in some 10^14 phases.
    """
    state = engine.state
    deeds, asking, question = state.deeds, state.asking, state.question
    state.deeds, state.asking, state.question = _NOTHING_DONE, None, ""
    position = crc32(encode(state))
    state.deeds, state.asking, state.question = deeds, asking, question
    return position
