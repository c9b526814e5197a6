"""Setup: shuffle, reveal bases, draw hands, and one chance to redraw (rulebook: Setup)."""

from __future__ import annotations

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.agenda import Engine, Frame
from ccg.rules.instructions import Draw, draw
from ccg.rules.options import Option
from ccg.rules.state import Seat

UNNAMED = -1
"""No effect has named the first player of a phase."""


class Setup(Frame):
    """The setup before the first turn. ``waiting`` are the players who still decide on their hand.

    Steps 1 to 3 of the rulebook (bases, fleet defense level) need no doing: bases lie in the resource
    area from the start and the level is always worked out from them.
    """

    step: int = 0
    waiting: list[Seat] = field(default_factory=list)
    named: Seat = UNNAMED

    def run(self, engine: Engine) -> None:
        state = engine.state
        if self.step == 0:
            for player in state.players:
                state.chance.shuffle(player.deck)
        elif self.step == 1:
            state.first = self._first_player(engine)
            engine.tell("first", state.first)
        elif self.step == 2:
            for seat in engine.seats():
                engine.push(Draw([seat], _hand_size(engine, seat)))
            self.waiting = engine.seats()
        else:
            self.waiting = [seat for seat in self.waiting if not engine.player(seat).lost]
            if self.waiting:
                engine.ask(self.waiting[0], "opening_hand")
            else:
                engine.end(self)
            return
        self.step += 1

    def _first_player(self, engine: Engine) -> Seat:
        """Draw among those tied for the least starting influence (ruling 1)."""
        if self.named != UNNAMED:
            return self.named
        lowest = characteristics.lowest_influence(engine)
        return lowest[engine.state.chance.below(len(lowest))] if len(lowest) > 1 else lowest[0]

    def options(self, engine: Engine) -> list[Option]:
        return [Option("keep"), Option("redraw")]

    def take(self, engine: Engine, option: Option) -> None:
        seat = self.waiting.pop(0)
        engine.tell(option.verb, seat)
        if option.verb == "redraw":
            player = engine.player(seat)
            player.deck.extend(player.hand)
            player.hand.clear()
            engine.state.chance.shuffle(player.deck)
            draw(engine, seat, _hand_size(engine, seat))


def _hand_size(engine: Engine, seat: Seat) -> int:
    return engine.definition(engine.player(seat).resource[0]).hand or 0


def settle_first_player(engine: Engine, named: Seat = UNNAMED) -> None:
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
        engine.tell("first", first)
