"""Setup: shuffle, reveal bases, draw hands, and one chance to redraw (rulebook: Setup)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from msgspec import field

from ccg.rules.core import characteristics
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import Option
from ccg.rules.core.state import MOST_PLAYERS, SeatNumber
from ccg.rules.rulebook.hands_and_decks import Draw, draw

KEEP: Final = Option("keep")
REDRAW: Final = Option("redraw")

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
    """The setup before the first turn.

    ``waiting`` are the players whose first hand is not settled yet, from the first player on: just the seat of who
    still decides, and :func:`_answer` of who has chosen before their turn. All are asked at once and answer in any
    order, each once; what they choose is carried out, and told, in turn order (docs/decisions/0016-opening-hands.md).
    """

    step: SetupStep = SetupStep.SHUFFLE
    waiting: list[int] = field(default_factory=list)
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
            self._settle_hands(engine)

    def _first_player(self, engine: Engine) -> SeatNumber:
        """Draw among those tied for the least starting influence (ruling 1)."""
        if self.named != UNNAMED:
            return self.named
        lowest = characteristics.lowest_influence(engine)
        return engine.draw_lot(lowest, "first player") if len(lowest) > 1 else lowest[0]

    def _settle_hands(self, engine: Engine) -> None:
        """Settle the hand of the next player in turn order, if they have chosen; else ask all who have not."""
        self.waiting = [entry for entry in self.waiting if not engine.player(_seat_of(entry)).lost]
        if not self.waiting:
            engine.end(self)
        elif _is_seat(self.waiting[0]):
            engine.ask(self.waiting[0], "opening_hand")
        else:
            entry = self.waiting.pop(0)
            self._settle(engine, _seat_of(entry), redraws=_chosen(entry) == REDRAW)

    def options(self, engine: Engine) -> list[Option]:
        return [KEEP, REDRAW]

    def deciding(self, engine: Engine) -> list[SeatNumber]:
        return [entry for entry in self.waiting if _is_seat(entry)]

    def take_from(self, engine: Engine, seat: SeatNumber, option: Option) -> None:
        self.waiting[self.waiting.index(seat)] = _answer(seat, option)

    def answer_of(self, seat: SeatNumber) -> Option | None:
        return next((_chosen(entry) for entry in self.waiting if not _is_seat(entry) and _seat_of(entry) == seat), None)

    def _settle(self, engine: Engine, seat: SeatNumber, redraws: bool) -> None:
        engine.emit("redraw" if redraws else "keep", seat)
        if redraws:
            player = engine.player(seat)
            player.deck.extend(player.hand)
            player.hand.clear()
            engine.shuffle(seat, "redraw")
            draw(engine, seat, _hand_size(engine, seat))


def _answer(seat: SeatNumber, option: Option) -> int:
    """Return the entry of who has chosen, in one number like a card: so entries of those who have not stay seats."""
    return (2 if option == REDRAW else 1) << 3 | seat


def _is_seat(entry: int) -> bool:
    """Return whether this player still decides."""
    return entry < MOST_PLAYERS


def _seat_of(entry: int) -> SeatNumber:
    return entry & 7


def _chosen(entry: int) -> Option:
    return REDRAW if entry >> 3 == 2 else KEEP


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
