"""Revealing mystic values, for a challenge or otherwise (Revealing a Mystic Value; ruling 27)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.cards import phrases
from ccg.rules.core import selectors, zones
from ccg.rules.core.engine import Engine, Frame, Returned
from ccg.rules.core.options import Option
from ccg.rules.core.state import ComingReveal, Modifier, SeatNumber, Until
from ccg.rules.rulebook.hands_and_decks import top_card
from ccg.rules.rulebook.instructions import Instruction
from ccg.rules.rulebook.resolving import Perform, Revealed


class RevealMystic(Instruction):
    """``seat`` reveals a mystic value for the challenge: ``side`` 0 is the challenger's, 1 the defender's.

    Effects may add a value, let one be chosen, or put something else in its place.
    """

    seat: SeatNumber
    side: int

    def happen(self, engine: Engine) -> None:
        challenge = engine.state.challenge
        assert challenge is not None
        changes = self._taken(engine)
        if any(change.how == "skip" for change in changes):
            challenge.mystic[self.side] = 0
            for change in changes:
                power = Modifier("power", change.context, change.pieces, amount=change.context.x)
                engine.modify(power)
            engine.emit("no mystic", self.seat)
            return
        values = [reveal_value(engine, self.seat)]
        choosers = []
        for change in changes:
            value = reveal_value(engine, self.seat)
            if change.how == "sum":
                values[0] += value
            else:
                values.append(value)
                choosers.append(change.context.you)
        challenge.mystic[self.side] = values[0]
        if choosers:
            engine.push(ChooseValue(choosers[-1], self.side, values))

    def _taken(self, engine: Engine) -> list[ComingReveal]:
        """Return what changes this reveal, and use up what was for the next one only."""
        granted = engine.state.granted
        mine = [
            change
            for change in granted.reveals
            if change.seat == self.seat and not engine.player(change.context.you).lost
        ]
        granted.reveals = [change for change in granted.reveals if change not in mine or change.until != Until.TURN]
        return mine


class RevealValue(Frame):
    """``seat`` reveals a mystic ``value``, which is returned once all that this sets off is done."""

    seat: SeatNumber
    value: int | None = None

    def run(self, engine: Engine) -> None:
        if self.value is None:
            self.value = reveal_value(engine, self.seat)
        else:
            engine.end(self, Revealed(self.value))

    def receive(self, engine: Engine, returned: Returned) -> None:
        if isinstance(returned, RevealedInstead) and self.value is not None:
            self.value += returned.change
        else:
            super().receive(engine, returned)


class RevealedInstead(Returned, frozen=True):
    """``seat`` has revealed another mystic value instead of ``old``, which differs by ``change``."""

    seat: SeatNumber
    old: int
    change: int


class RevealAgain(Frame):
    """The value ``old`` that ``seat`` has just revealed is ignored, and another one revealed instead."""

    seat: SeatNumber
    old: int

    def run(self, engine: Engine) -> None:
        change = reveal_value(engine, self.seat) - self.old
        engine.end(self, RevealedInstead(self.seat, self.old, change))


class ChooseValue(Frame):
    """``seat`` chooses which of several revealed mystic ``values`` counts for a side of the challenge."""

    seat: SeatNumber
    side: int
    values: list[int]

    def run(self, engine: Engine) -> None:
        engine.ask(self.seat, "mystic_value")

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", number=value) for value in sorted(set(self.values))]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        if engine.state.challenge is not None:
            engine.state.challenge.mystic[self.side] = option.number

    def receive(self, engine: Engine, returned: Returned) -> None:
        if isinstance(returned, RevealedInstead):
            self.values[self.values.index(returned.old)] += returned.change
        else:
            super().receive(engine, returned)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class Contest(Frame):
    """Each player reveals a mystic value; the highest one performs ``winner``. Ties reveal again.

    ``winner`` is pushed only when the contest has been decided. At most ``left`` more rounds are played, since
    there are decks that tie every time.
    """

    winner: Perform
    waiting: list[SeatNumber]
    values: list[tuple[SeatNumber, int]] = field(default_factory=list)
    left: int = 20

    def run(self, engine: Engine) -> None:
        if self.waiting:
            seat = self.waiting.pop(0)
            if top_card(engine, seat) is not None:
                self.values.append((seat, reveal_value(engine, seat)))
            return
        best = max((value for _, value in self.values), default=0)
        leaders = [seat for seat, value in self.values if value == best]
        if len(leaders) > 1 and self.left:
            self.left -= 1
            self.waiting, self.values = leaders, []
            return
        engine.end(self)
        if len(leaders) == 1:
            self.winner.context.you = leaders[0]
            engine.push(self.winner)

    def receive(self, engine: Engine, returned: Returned) -> None:
        if isinstance(returned, RevealedInstead):
            seat, value = self.values[-1]  # the one just revealed
            self.values[-1] = (seat, value + returned.change)
        else:
            super().receive(engine, returned)

    def forget(self, seat: SeatNumber) -> None:
        self.waiting = [other for other in self.waiting if other != seat]
        self.values = [(other, value) for other, value in self.values if other != seat]


def reveal_value(engine: Engine, seat: SeatNumber) -> int:
    """Reveal and discard the top card of a deck; return its mystic value, with the modifiers of reveals added.

    Nothing is revealed, and the value is 0, if deck and discard pile are both empty.
    """
    card = top_card(engine, seat)
    if card is None:
        return 0
    definition = engine.card(card)
    engine.player(seat).deck.pop()
    zones.to_discard(engine, [card])
    base = engine.player(seat).resource[0]
    why = tuple(
        active.cause("revealed", active.amount(engine, base))
        for active in engine.active_modifiers("revealed")
        if active.context.you == seat and selectors.is_card(definition, phrases.selector(active.word))
    )
    value = (definition.mystic or 0) + sum(cause.amount for cause in why)
    engine.emit("mystic", seat, card, number=value, source="deck", to="discard", why=why)
    return value
