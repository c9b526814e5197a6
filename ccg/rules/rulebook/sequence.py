"""Frames that run one after another for several players, and effects delayed until a given moment.

A player's frame is pushed on the agenda only when that player's turn has come. So when a player leaves the game,
and the frames above theirs are removed, no frame of another player is among them (rulings 5 and 54).
"""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules.core import outcome
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.state import SeatNumber
from ccg.rules.rulebook.hands_and_decks import Discard
from ccg.rules.rulebook.resolving import Perform


class InSequence(Frame):
    """Runs the frames of the ``queue`` in order, each when the one before has ended.

    What several players do ``together`` is one instruction: what it sets off, and who has won or lost by it, is
    seen when all have done it (rulings 4 and 18).
    """

    queue: list[Perform | Discard]
    together: bool = True

    def run(self, engine: Engine) -> None:
        if self.queue:
            engine.push(self.queue.pop(0))
        else:
            engine.end(self)
            outcome.judge(engine)

    def is_one_instruction(self) -> bool:
        return self.together

    def forget(self, seat: SeatNumber) -> None:
        self.queue = [frame for frame in self.queue if not frame.belongs_to(seat)]


def in_sequence(frames: Sequence[Perform | Discard], together: bool = True) -> list[Frame]:
    """Return the frames to push so that ``frames`` run one after another: none, the only one, or a queue.

    They are parts of one instruction, unless not ``together``.
    """
    return [InSequence(list(frames), together)] if len(frames) > 1 else list(frames)


def begin_delayed(engine: Engine, moment: str) -> None:
    """Start all effects delayed until this ``moment``, player by player from the first player (ruling 18).

    Several effects of one player start in the order in which they were delayed.
    """
    due = [delayed for delayed in engine.state.delayed if delayed.moment == moment]
    engine.state.delayed = [delayed for delayed in engine.state.delayed if delayed.moment != moment]
    in_order = [delayed for seat in engine.seats() for delayed in due if delayed.context.you == seat]
    frames = [Perform(context=delayed.context, block=delayed.block) for delayed in in_order]
    engine.push(*in_sequence(frames, together=False))
