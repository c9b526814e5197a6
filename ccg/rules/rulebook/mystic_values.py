"""Revealing mystic values, for a challenge or otherwise (Revealing a Mystic Value; ruling 27)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.cards import phrases
from ccg.rules.core import selectors, zones
from ccg.rules.core.engine import Engine, Frame, Returned
from ccg.rules.core.options import Option
from ccg.rules.core.state import ComingReveal, Modifier, SeatNumber, Until
from ccg.rules.rulebook.hands_and_decks import top_card
from ccg.rules.rulebook.resolving import Perform, Revealed


class RevealMystic(Frame):
    """``seat`` reveals a mystic value for the challenge: ``side`` 0 is the challenger's, 1 the defender's.

    Effects may add a value, let one be chosen, or put something else in its place. Each value is revealed by itself,
    so what is set off knows which it is about (ruling 106): ``changes`` are still to be carried out, and the
    ``latest`` of the ``values`` is what the card revealed last counts to. The last of the ``choosers`` chooses among
    these.
    """

    seat: SeatNumber
    side: int
    changes: list[ComingReveal] | None = None
    values: list[int] = field(default_factory=list)
    latest: int = 0
    choosers: list[SeatNumber] = field(default_factory=list)

    def run(self, engine: Engine) -> None:
        if self.changes is None:
            self.changes = self._taken(engine)
            if any(change.how == "skip" for change in self.changes):
                self._skip(engine, self.changes)
            else:
                self._add(engine, 0, reveal_value(engine, self.seat))
        elif self.changes:
            change = self.changes.pop(0)
            if engine.player(change.context.you).lost:
                return
            if change.how == "choose":
                self.choosers.append(change.context.you)
            value = reveal_value(engine, self.seat)
            self._add(engine, 0 if change.how == "sum" else len(self.values), value)
        else:
            engine.end(self)
            choosers = [seat for seat in self.choosers if not engine.player(seat).lost]
            if choosers:
                engine.push(ChooseValue(choosers[-1], self.side, self.values))

    def receive(self, engine: Engine, returned: Returned) -> None:
        """Another card was revealed instead of the last one."""
        if isinstance(returned, RevealedInstead):
            self._add(engine, self.latest, returned.change)
        else:
            super().receive(engine, returned)

    def _add(self, engine: Engine, place: int, value: int) -> None:
        """Let ``value`` count to that of the values, or be a new one; the first counts unless another is chosen."""
        if place == len(self.values):
            self.values.append(0)
        self.values[place] += value
        self.latest = place
        challenge = engine.state.challenge
        assert challenge is not None
        challenge.mystic[self.side] = self.values[0]

    def _skip(self, engine: Engine, changes: list[ComingReveal]) -> None:
        engine.end(self)
        challenge = engine.state.challenge
        assert challenge is not None
        challenge.mystic[self.side] = 0
        for change in changes:
            power = Modifier("power", change.context, change.pieces, amount=change.context.x)
            engine.modify(power)
        engine.emit("no mystic", self.seat)

    def _taken(self, engine: Engine) -> list[ComingReveal]:
        """Return what changes this reveal, from the first player round, and use up what was for the next one only.

        A choice among values waits for a value: one that is skipped is none (ruling 105).
        """
        granted = engine.state.granted
        mine = [
            change
            for change in granted.reveals
            if change.seat == self.seat and not engine.player(change.context.you).lost
        ]
        if any(change.how == "skip" for change in mine):
            mine = [change for change in mine if change.how != "choose"]
        turns = engine.seats()
        mine.sort(key=lambda change: turns.index(change.context.you))
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

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class Contest(Frame):
    """Each player reveals a mystic value; the highest one performs ``winner``. Ties reveal again.

    Those who reveal do so by one instruction: what it sets off waits until the last of them has (ruling 94).
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
            self.values = [
                (seat, value + returned.change if seat == returned.seat else value) for seat, value in self.values
            ]
        else:
            super().receive(engine, returned)

    def is_one_instruction(self) -> bool:
        return bool(self.waiting)

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
