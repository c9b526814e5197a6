"""Turns: ready, execution and Cylon phase, again and again until somebody has won (Turn Structure)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.agenda import Engine, Frame
from ccg.rules.cylon_phase import CylonPhase
from ccg.rules.execution_phase import ExecutionPhase
from ccg.rules.ready_phase import ReadyPhase
from ccg.rules.state import Phase

PHASES: dict[Phase, type[ReadyPhase | ExecutionPhase | CylonPhase]] = {
    Phase.READY: ReadyPhase,
    Phase.EXECUTION: ExecutionPhase,
    Phase.CYLON: CylonPhase,
}


class Turns(Frame):
    """The frame at the bottom of the agenda. ``left`` are the phases still to come in this turn."""

    left: list[Phase] = field(default_factory=list)

    def run(self, engine: Engine) -> None:
        engine.state.modifiers.clear()  # effects last until the end of the phase (Effects)
        if not self.left:
            engine.state.turn += 1
            self.left = list(PHASES)
        engine.push(PHASES[self.left.pop(0)]())
