"""Gaining and losing influence, judged after each change (ruling 4), and what prevents or reduces it.

Rulebook: Glossary (influence), Victory Conditions; rulings 4 and 88.
"""

from __future__ import annotations

from ccg.rules.core import outcome
from ccg.rules.core.engine import Engine, Frame, InstructionKind, Returned
from ccg.rules.core.state import SeatNumber
from ccg.rules.rulebook.instructions import Replaceable


class LossReduced(Returned, frozen=True):
    """``seat`` is to lose so much ``less``."""

    seat: SeatNumber
    less: int


class ReduceLoss(Frame):
    """What ``seat`` is about to lose becomes ``less``, by a replacement of that loss."""

    seat: SeatNumber
    less: int

    def run(self, engine: Engine) -> None:
        engine.end(self, LossReduced(self.seat, self.less))


class Influence(Replaceable):
    """Change the influence of several players at the same time: ``changes`` are seats and amounts.

    What is prevented now does not happen ("can't" beats "can").
    """

    changes: list[tuple[SeatNumber, int]]

    def kind(self) -> InstructionKind:
        return "lose influence"

    def subjects(self, engine: Engine) -> list[int]:
        """Nobody loses what is prevented, so nothing happens instead of it (ruling 88)."""
        return [] if prevented(engine, -1) else [seat for seat, amount in self.changes if amount < 0]

    def spare(self, subject: int) -> None:
        self.changes = [(seat, amount) for seat, amount in self.changes if seat != subject]

    def receive(self, engine: Engine, returned: Returned) -> None:
        """What a player is about to lose has become less."""
        if isinstance(returned, LossReduced):
            self.changes = [
                (seat, min(0, amount + returned.less) if seat == returned.seat and amount < 0 else amount)
                for seat, amount in self.changes
            ]
        else:
            super().receive(engine, returned)

    def happen(self, engine: Engine) -> None:
        for seat, amount in self.changes:
            if amount and not engine.player(seat).lost and not prevented(engine, amount):
                engine.player(seat).influence += amount
                engine.emit("gain" if amount > 0 else "lose influence", seat, number=abs(amount))
        outcome.judge(engine)


def prevented(engine: Engine, amount: int) -> bool:
    """Return whether influence cannot change in the direction of ``amount`` now."""
    what = "influence gain" if amount > 0 else "influence loss"
    return any(active.word == what for active in engine.active_modifiers("prevent"))
