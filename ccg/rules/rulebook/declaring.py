"""Declaring a challenge: with what, against whom, as what, and what it costs.

Rulebook: Challenge Procedure; rulings 51, 85 and 95.
"""

from __future__ import annotations

from ccg.rules.core import characteristics
from ccg.rules.core.engine import ActiveModifier, Engine, Frame, Returned, Source
from ccg.rules.core.options import Option
from ccg.rules.core.state import ROLES, Challenge, Context, Piece, Role, SeatNumber
from ccg.rules.rulebook.challenge import ChallengeProcedure
from ccg.rules.rulebook.payment import AvailableResources, Paid, Payment
from ccg.rules.rulebook.playing import PaidTogether, expedite_costs


def declare(
    engine: Engine,
    seat: SeatNumber,
    challenger: Piece,
    challenged: SeatNumber | None = None,
    against: Piece | None = None,
    role: Role | None = None,
) -> None:
    """Begin a challenge by ``challenger`` against a player, or against a Cylon threat (CYLON-6d).

    ``role`` is the type that a challenger with Strafe challenges as.
    """
    challenge = Challenge(seat, challenger.id, challenged, role=challenger.role if role is None else role)
    if against is not None:
        challenge.threat = challenge.defender = against.id
        challenge.cylon_player = engine.next_seat(seat)
        challenge.defended = True
    engine.begin_challenge(challenge)
    engine.push(ChallengeProcedure())
    engine.emit_about("challenge", challenger, on=against, opponent=challenge.opponent)
    if role is not None:
        engine.emit("strafe", seat, piece=challenger.id, to=ROLES[role])


def begin(engine: Engine, seat: SeatNumber, option: Option) -> None:
    """Begin to declare a challenge to a player."""
    engine.push(Declare(seat, option.piece, option.player))


def price_of(engine: Engine, challenged: SeatNumber) -> int:
    """Return how many resources of any type it costs to challenge this player."""
    base = engine.player(challenged).resource[0]
    return sum(active.amount(engine, base) for active in prices(engine, challenged))


def prices(engine: Engine, challenged: SeatNumber) -> list[ActiveModifier]:
    """Return the active modifiers that make it cost something to challenge this player."""
    return [active for active in engine.active_modifiers("price") if active.context.you == challenged]


def price_payable(engine: Engine, seat: SeatNumber, challenged: SeatNumber, challenger: int) -> bool:
    """Return whether ``seat`` can pay for a challenge to this player without the challenger (ABIL-2; ruling 95)."""
    price = price_of(engine, challenged)
    return not price or AvailableResources.of(engine, seat, kept=[challenger]).cover([0, 0, 0, price])


class Declare(Frame):
    """A challenge to a player is declared: first the type that a challenger with Strafe challenges as (ruling 85).

    Then what the challenge costs is paid; until it is ``covered`` the move is only half made.
    """

    seat: SeatNumber
    challenger: int
    challenged: SeatNumber
    role: Role | None = None
    covered: bool = False

    def asked_by(self, engine: Engine) -> Source | None:
        """Return the challenger: its Strafe asks, and it is what the price is paid for."""
        challenger = engine.find(self.challenger)
        return Source(challenger.top, challenger.id) if challenger is not None else None

    def run(self, engine: Engine) -> None:
        challenger = engine.find(self.challenger)
        if self.covered:
            engine.end(self)
            if engine.player(self.challenged).lost or challenger is None:
                return
            if characteristics.may_challenge(engine, challenger):
                declare(engine, self.seat, challenger, challenged=self.challenged, role=self.role)
        elif self.role is None and "strafe" in characteristics.keywords(engine, engine.piece(self.challenger)):
            engine.ask(self.seat, "strafe")
        elif price := price_of(engine, self.challenged):
            expedite = expedite_costs(engine, self.seat)
            engine.push(Payment(self.seat, [0, 0, 0, price], expedite, kept=[self.challenger]))
        else:
            self.covered = True

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", word="personnel"), Option("choose", word="ship")]

    def take(self, engine: Engine, option: Option) -> None:
        self.role = Role[option.word.upper()]

    def receive(self, engine: Engine, returned: Returned) -> None:
        """The excess may still pay for expedite cards, which resolve before the challenge begins (ruling 51)."""
        if isinstance(returned, Paid):
            self.covered = True
            context = Context(self.seat, engine.piece(self.challenger).top)
            engine.push(PaidTogether(context=context, excess=returned.excess, bound=returned.bound, queue=[]))
        else:
            super().receive(engine, returned)

    def half_made(self) -> bool:
        return not self.covered

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat
