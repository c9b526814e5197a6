"""Turns: ready, execution and Cylon phase, again and again until somebody has won (Turn Structure)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.agenda import Engine, Frame
from ccg.rules.cylon_phase import CylonPhase
from ccg.rules.execution_phase import ExecutionPhase
from ccg.rules.in_turn import begin_delayed
from ccg.rules.ready_phase import ReadyPhase
from ccg.rules.state import Phase, Until

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
            begin_delayed(engine, "end of phase")
            if not self.left:
                begin_delayed(engine, "end of turn")
            return
        self.ended = False
        engine.expire(Until.PHASE, Until.NEXT_ACTION)  # effects last until the end of the phase (Effects)
        if not self.left:
            self._added_phases(engine)
        if not self.left:
            self._next_turn(engine)
        engine.push(PHASES[self.left.pop(0)]())

    def _added_phases(self, engine: Engine) -> None:
        """Let the phases come that an effect has added after the Cylon phase."""
        for modifier in [m for m in engine.state.modifiers if m.kind == "add phases"][:1]:
            engine.state.modifiers.remove(modifier)
            self.left = [Phase.EXECUTION, Phase.CYLON]

    def _next_turn(self, engine: Engine) -> None:
        engine.expire(Until.TURN)
        engine.state.used.clear()
        engine.state.turn += 1
        self.left = list(PHASES)
