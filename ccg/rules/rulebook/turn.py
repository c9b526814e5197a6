"""Turns: ready, execution and Cylon phase, again and again until somebody has won (Turn Structure)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.core import loops
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.state import Phase, Until
from ccg.rules.rulebook.cylon_phase import CylonPhase
from ccg.rules.rulebook.execution_phase import ExecutionPhase
from ccg.rules.rulebook.ready_phase import ReadyPhase
from ccg.rules.rulebook.sequence import begin_delayed

PHASES: dict[Phase, type[ReadyPhase | ExecutionPhase | CylonPhase]] = {
    Phase.READY: ReadyPhase,
    Phase.EXECUTION: ExecutionPhase,
    Phase.CYLON: CylonPhase,
}


class Turns(Frame):
    """The frame at the bottom of the agenda. ``left`` are the phases still to come in this turn;
    ``ended`` that what belongs to the end of the last one has been begun.
    """

    left: list[Phase] = field(default_factory=list)
    ended: bool = True

    def run(self, engine: Engine) -> None:
        if not self.ended:
            self.ended = True
            if not self.left:
                begin_delayed(engine, "end of turn")
            begin_delayed(engine, "end of phase")  # on top, as it comes first
            return
        self.ended = False
        loops.begin_phase(engine)
        engine.expire(Until.PHASE, Until.NEXT_ACTION)  # effects last until the end of the phase (Effects)
        if not self.left:
            self._added_phases(engine)
        if not self.left:
            self._next_turn(engine)
        engine.push(PHASES[self.left.pop(0)]())

    def _added_phases(self, engine: Engine) -> None:
        """Let the phases come that an effect has added after the Cylon phase."""
        if engine.state.granted.more_phases:
            engine.state.granted.more_phases -= 1
            self.left = [Phase.EXECUTION, Phase.CYLON]

    def _next_turn(self, engine: Engine) -> None:
        engine.expire(Until.TURN)
        engine.state.used.clear()
        engine.state.turn += 1
        self.left = list(PHASES)
