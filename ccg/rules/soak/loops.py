"""Who can only pass (ruling 92): whole positions are compared, not the checksums that the engine notes."""

from __future__ import annotations

from collections import Counter

from ccg.rules.core.data import encode
from ccg.rules.core.state import Deeds
from ccg.rules.game import Game
from ccg.rules.soak.broken import Broken

THIRD_TIME = 3
"""How often the same position stands right after a deed before the player who did it can only pass."""

TOO_MANY = 100
"""After so many deeds in one phase a player can only pass, whatever the positions."""


def only_passes(game: Game) -> None:
    """Whoever is held can only pass: as an action, in effects rounds and against Cylon threats."""
    decision = game.decision
    if decision is None or decision.kind not in ("action", "effects", "cylon"):
        return
    verbs = [option.verb for option in decision.options]
    if decision.seat in game.engine.state.deeds.held and verbs != ["pass"]:
        raise Broken("loops", f"seat {decision.seat} can only pass and is offered {verbs} ({decision.kind})")


class Stood:
    """The positions that have stood in a phase right after a deed, and how often, as far as they were looked at."""

    def __init__(self) -> None:
        self._noted: list[int] | None = None
        """What the engine had noted of the phase when it was last looked at; None: never."""
        self._held: list[int] = []
        self._times: Counter[bytes] = Counter()
        self._whole = True
        """Whether each position that the engine has noted in the phase has been looked at here as well."""

    def look(self, game: Game) -> None:
        """Count the position if a deed has led to it, and compare who is held; raises :class:`Broken`.

        To be called after every move. What stood earlier in a phase is not known where the first look is in its middle,
        nor where one move has led to two positions; then nobody is said to be held too soon until the next phase.
        """
        deeds = game.engine.state.deeds
        times = self._counted(game, deeds)
        too_many = {seat for seat, done in enumerate(deeds.done) if done >= TOO_MANY}
        newly = set(deeds.held).difference(self._held, too_many)
        too_late = not too_many.issubset(deeds.held) or (times >= THIRD_TIME and not deeds.held)
        too_soon = self._whole and newly and times < THIRD_TIME
        if too_late or too_soon:
            raise Broken("loops", f"{deeds.held} held after {deeds.done} deeds; the position has stood {times} times")
        self._noted, self._held = list(deeds.positions), list(deeds.held)

    def _counted(self, game: Game, deeds: Deeds) -> int:
        """Return how often the position has stood right after a deed; 0 if no deed has led to it just now."""
        first, noted = self._noted is None, self._noted or []
        if first or deeds.positions[: len(noted)] != noted:  # another phase
            noted, self._held = [], []
            self._times.clear()
            self._whole = not (first and deeds.positions)
        new = len(deeds.positions) - len(noted)
        if new > 1:
            self._whole = False
        if new != 1:
            return 0
        position = _position(game)
        self._times[position] += 1
        return self._times[position]


def _position(game: Game) -> bytes:
    """Return everything that makes the position, but for what is noted about loops."""
    state = game.copy().engine.state
    state.deeds = Deeds()
    return encode(state)
