"""Revealing mystic values, for a challenge or otherwise (Revealing a Mystic Value; ruling 27)."""

from __future__ import annotations

from msgspec import field

from ccg.rules import outcome, selecting
from ccg.rules.agenda import Engine, Frame, TriggerRound
from ccg.rules.instructions import Instruction, top_card
from ccg.rules.language import phrases
from ccg.rules.options import Option
from ccg.rules.performing import Perform
from ccg.rules.state import Modifier, Seat, Until


class RevealMystic(Instruction):
    """``seat`` reveals a mystic value for the challenge: ``side`` 0 is the challenger's, 1 the defender's.

    Effects may add a value, let one be chosen, or put something else in its place.
    """

    seat: Seat
    side: int

    def happen(self, engine: Engine) -> None:
        challenge = engine.state.challenge
        assert challenge is not None
        changes = self._taken(engine)
        if any(change.word == "skip" for change in changes):
            challenge.mystic[self.side] = 0
            for change in changes:
                power = Modifier("power", change.scope, change.pieces, amount=change.scope.x)
                engine.modify(power)
            engine.tell("no mystic", self.seat)
            return
        values = [reveal_value(engine, self.seat)]
        choosers = []
        for change in changes:
            value = reveal_value(engine, self.seat)
            if change.word == "sum":
                values[0] += value
            else:
                values.append(value)
                choosers.append(change.scope.you)
        challenge.mystic[self.side] = values[0]
        if choosers:
            engine.push(ChooseValue(choosers[-1], self.side, values))

    def _taken(self, engine: Engine) -> list[Modifier]:
        """Give what changes this reveal, and use up what was for the next one only."""
        mine = [
            modifier
            for modifier in engine.state.modifiers
            if modifier.kind == "reveal" and modifier.amount == self.seat and not engine.player(modifier.scope.you).lost
        ]
        for change in mine:
            if change.until == Until.TURN:
                engine.state.modifiers.remove(change)
        return mine


class RevealValue(Instruction):
    """``seat`` reveals a mystic value that is X for the effect beneath."""

    seat: Seat

    def happen(self, engine: Engine) -> None:
        value = reveal_value(engine, self.seat)
        beneath = engine.state.agenda[-1]
        if isinstance(beneath, Perform):
            beneath.scope.x = value


class RevealAgain(Instruction):
    """The value ``old`` that ``seat`` has just revealed is ignored, and another one revealed instead."""

    seat: Seat
    old: int

    def happen(self, engine: Engine) -> None:
        change = reveal_value(engine, self.seat) - self.old
        agenda = engine.state.agenda
        round_ = max(place for place, frame in enumerate(agenda) if isinstance(frame, TriggerRound))
        beneath = agenda[round_ - 1]
        challenge = engine.state.challenge
        if isinstance(beneath, ChooseValue):
            beneath.values[beneath.values.index(self.old)] += change
        elif isinstance(beneath, Contest):
            seat, value = beneath.values[-1]  # the one just revealed
            beneath.values[-1] = (seat, value + change)
        elif isinstance(beneath, Perform):
            beneath.scope.x += change
        elif challenge is not None:
            side = 0 if self.seat == challenge.challenging else 1
            challenge.mystic[side] = (challenge.mystic[side] or 0) + change


class ChooseValue(Frame):
    """``seat`` chooses which of several revealed mystic ``values`` counts for a side of the challenge."""

    seat: Seat
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

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class Contest(Frame):
    """Each player reveals a mystic value; the highest one performs ``winner``. Ties reveal again.

    ``winner`` is not pushed before; ``left`` bounds the rounds, for decks that can only tie.
    """

    winner: Perform
    waiting: list[Seat]
    values: list[tuple[Seat, int]] = field(default_factory=list)
    left: int = 20

    def run(self, engine: Engine) -> None:
        self.waiting = [seat for seat in self.waiting if not engine.player(seat).lost]
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
            self.winner.scope.you = leaders[0]
            engine.push(self.winner)


def reveal_value(engine: Engine, seat: Seat) -> int:
    """Let the top card of a deck be shown and discarded; give its mystic value, with what adds to it.

    Nothing is revealed, and the value is 0, if deck and discard pile are both empty.
    """
    card = top_card(engine, seat)
    if card is None:
        return 0
    definition = engine.card(card)
    engine.player(seat).deck.pop()
    outcome.to_discard(engine, [card])
    base = engine.player(seat).resource[0]
    why = tuple(
        force.cause("revealed", force.amount(engine, base))
        for force in engine.in_force("revealed")
        if force.scope.you == seat and selecting.is_card(definition, phrases.selector(force.word))
    )
    value = (definition.mystic or 0) + sum(cause.amount for cause in why)
    engine.tell("mystic", seat, card, number=value, source="deck", to="discard", why=why)
    return value
