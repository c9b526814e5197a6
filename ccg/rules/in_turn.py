"""What several players do one after another, and what was put off to a moment for several of them.

Each of them is on the agenda only when it is their turn, so that nobody's doings lie above those of another
player who leaves meanwhile (rulings 5 and 54).
"""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules.agenda import Engine, Frame
from ccg.rules.instructions import Discard
from ccg.rules.performing import Perform
from ccg.rules.state import Seat


class InTurn(Frame):
    """The frames of the ``queue`` are carried out, each when the one before has ended."""

    queue: list[Perform | Discard]

    def run(self, engine: Engine) -> None:
        if self.queue:
            engine.push(self.queue.pop(0))
        else:
            engine.end(self)

    def forget(self, seat: Seat) -> None:
        self.queue = [frame for frame in self.queue if not frame.belongs_to(seat)]


def in_turn(frames: Sequence[Perform | Discard]) -> list[Frame]:
    """Give the frame, if one is needed, in which all of ``frames`` are carried out one after another."""
    return [InTurn(list(frames))] if len(frames) > 1 else list(frames)


def begin_delayed(engine: Engine, moment: str) -> None:
    """Let what was put off to this ``moment`` happen, in the order in which it was put off."""
    due = [delayed for delayed in engine.state.delayed if delayed.moment == moment]
    engine.state.delayed = [delayed for delayed in engine.state.delayed if delayed.moment != moment]
    due = [delayed for delayed in due if not engine.player(delayed.scope.you).lost]
    engine.push(*in_turn([Perform(scope=delayed.scope, block=delayed.block) for delayed in due]))
