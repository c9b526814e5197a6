"""Paying costs: spending resource stacks one at a time (Generating Resources, Paying Costs; ruling 9).

Nothing is spent until the cost is covered, so a half-made payment can be taken back.
"""

from __future__ import annotations

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.agenda import Engine, Frame
from ccg.rules.cards import RESOURCES, Cost, Resource
from ccg.rules.instructions import Exhaust
from ccg.rules.options import Option
from ccg.rules.state import Card, Piece, Seat

Amounts = list[int]
"""Persuasion, logistics and security, in that order."""


class Payment(Frame):
    """``seat`` pays a cost for ``card``: ``owed`` is what is still to be covered, ``spent`` the stacks so far.

    When it is covered the frame below is told by its ``paid`` with the excess.
    """

    seat: Seat
    owed: Amounts
    card: Card
    spent: list[int] = field(default_factory=list)
    excess: Amounts = field(default_factory=lambda: [0, 0, 0])

    def run(self, engine: Engine) -> None:
        if any(self.owed):
            engine.ask(self.seat, "payment")
            return
        engine.end(self)
        payer = engine.state.agenda[-1]
        assert isinstance(payer, Payer)
        payer.paid(engine, self.excess)
        for stack in self.spent:
            piece = engine.piece(stack)
            engine.tell("spend", self.seat, piece.top, stack, number=characteristics.yields(engine, piece))
        engine.push(Exhaust(self.spent))

    def options(self, engine: Engine) -> list[Option]:
        return [Option("pay", piece=stack.id) for stack in useful_stacks(engine, self.seat, self.owed, self.spent)]

    def take(self, engine: Engine, option: Option) -> None:
        stack = engine.piece(option.piece)
        made = characteristics.yields(engine, stack)
        kind = _kind(engine, stack)
        self.spent.append(stack.id)
        covered = min(made, self.owed[kind])
        self.owed[kind] -= covered
        self.excess[kind] += made - covered

    def half_made(self) -> bool:
        return True

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class Payer(Frame):
    """A frame that has something paid for."""

    def paid(self, engine: Engine, excess: Amounts) -> None:
        """Go on, now that the cost is covered; ``excess`` was made beyond it."""
        raise NotImplementedError


def useful_stacks(engine: Engine, seat: Seat, owed: Amounts, spent: list[int]) -> list[Piece]:
    """Give the stacks of ``seat`` that make a resource still ``owed`` and are not yet ``spent``."""
    return [
        piece
        for piece in engine.player(seat).resource
        if piece.is_stack and not piece.exhausted and piece.id not in spent and owed[_kind(engine, piece)]
    ]


def funds(engine: Engine, seat: Seat) -> Amounts:
    """Give how much of each resource the unspent stacks of ``seat`` can make."""
    total = [0, 0, 0]
    for piece in engine.player(seat).resource:
        if piece.is_stack and not piece.exhausted:
            total[_kind(engine, piece)] += characteristics.yields(engine, piece)
    return total


def covers(amounts: Amounts, cost: Cost) -> bool:
    """Whether ``amounts`` cover ``cost`` in every resource (PAY-6)."""
    return amounts[0] >= cost[0] and amounts[1] >= cost[1] and amounts[2] >= cost[2]


def cheapest(engine: Engine, payment: Payment) -> list[int]:
    """Propose stacks that cover what is owed: the fewest left over, then the fewest stacks.

    Small numbers of stacks: for each resource every sum is tried once (a knapsack over its stacks).
    """
    proposal: list[int] = []
    for kind, owed in enumerate(payment.owed):
        if owed:
            stacks = [
                piece
                for piece in useful_stacks(engine, payment.seat, payment.owed, payment.spent)
                if _kind(engine, piece) == kind
            ]
            proposal += _fewest(owed, [(piece.id, characteristics.yields(engine, piece)) for piece in stacks])
    return proposal


def _fewest(owed: int, stacks: list[tuple[int, int]]) -> list[int]:
    best: dict[int, list[int]] = {0: []}
    for stack, made in stacks:
        for total, chosen in list(best.items()):
            if total < owed and (total + made not in best or len(best[total + made]) > len(chosen) + 1):
                best[total + made] = [*chosen, stack]
    return best[min(total for total in best if total >= owed)]


def _kind(engine: Engine, stack: Piece) -> int:
    resource: Resource | None = engine.definition(stack).produces
    assert resource is not None
    return RESOURCES.index(resource)
