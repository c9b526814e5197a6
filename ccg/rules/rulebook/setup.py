"""Setup: shuffle, reveal bases, draw hands, and one chance to redraw (rulebook: Setup)."""

from __future__ import annotations

from enum import IntEnum

from msgspec import field

from ccg.rules.core import characteristics
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import Option
from ccg.rules.core.state import SeatNumber
from ccg.rules.rulebook.hands_and_decks import Draw, draw

UNNAMED = -1
"""No effect has named the first player of a phase."""


class SetupStep(IntEnum):
    """The steps of the setup, numbered as in the rulebook.

    Steps 2 and 3 (bases, fleet defense level) need no doing: bases lie in the resource area from the start and the
    level is always worked out from them. Who goes first is known as soon as the bases are.
    """

    SHUFFLE = 1
    FIRST_PLAYER = 3
    DRAW = 4
    REDRAW = 5


class Setup(Frame):
    """The setup before the first turn. ``waiting`` are the players who still decide on their hand."""

    step: SetupStep = SetupStep.SHUFFLE
    waiting: list[SeatNumber] = field(default_factory=list)
    named: SeatNumber = UNNAMED

    def run(self, engine: Engine) -> None:
        state = engine.state
        if self.step == SetupStep.SHUFFLE:
            self.step = SetupStep.FIRST_PLAYER
            for seat in range(len(state.players)):
                engine.shuffle(seat, "start")
        elif self.step == SetupStep.FIRST_PLAYER:
            self.step = SetupStep.DRAW
            state.first = self._first_player(engine)
            engine.emit("first", state.first)
        elif self.step == SetupStep.DRAW:
            self.step = SetupStep.REDRAW
            for seat in engine.seats():
                engine.push(Draw([seat], _hand_size(engine, seat)))
            self.waiting = engine.seats()
        else:
            self.waiting = [seat for seat in self.waiting if not engine.player(seat).lost]
            if self.waiting:
                engine.ask(self.waiting[0], "opening_hand")
            else:
                engine.end(self)

    def _first_player(self, engine: Engine) -> SeatNumber:
        """Draw among those tied for the least starting influence (ruling 1)."""
        if self.named != UNNAMED:
            return self.named
        lowest = characteristics.lowest_influence(engine)
        return engine.draw_lot(lowest, "first player") if len(lowest) > 1 else lowest[0]

    def options(self, engine: Engine) -> list[Option]:
        return [Option("keep"), Option("redraw")]

    def take(self, engine: Engine, option: Option) -> None:
        seat = self.waiting.pop(0)
        engine.emit("redraw" if option.verb == "redraw" else "keep", seat)
        if option.verb == "redraw":
            player = engine.player(seat)
            player.deck.extend(player.hand)
            player.hand.clear()
            engine.shuffle(seat, "redraw")
            draw(engine, seat, _hand_size(engine, seat))


def _hand_size(engine: Engine, seat: SeatNumber) -> int:
    return engine.definition(engine.player(seat).resource[0]).hand or 0


def settle_first_player(engine: Engine, named: SeatNumber = UNNAMED) -> None:
    """Work out the first player as a phase starts: least influence; on a tie the previous one stays,
    else the tied player next after them in turn order (First Player; ruling 1).

    An effect may have ``named`` the player who goes first instead.
    """
    if named != UNNAMED:
        engine.state.first = named
        return
    lowest = characteristics.lowest_influence(engine)
    count = len(engine.state.players)
    previous = engine.state.first
    first = min(lowest, key=lambda seat: (seat - previous) % count)
    if first != previous:
        engine.state.first = first
        engine.emit("first", first)
