"""Paying costs: spending resource stacks one at a time (Generating Resources, Paying Costs; ruling 9).

Nothing is spent until the cost is covered, so a half-made payment can be taken back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ccg.rules import characteristics
from ccg.rules.agenda import Engine, Force, Frame
from ccg.rules.cards import RESOURCES, Cost
from ccg.rules.instructions import Commit, Exhaust
from ccg.rules.options import NO, YES, Option
from ccg.rules.state import Area, Card, Modifier, Piece, Seat, Until

Amounts = list[int]
"""Persuasion, logistics and security, in that order; in what is owed, then resources of any type."""

ANY = 3
OWED = (*RESOURCES, "any")
"""What can be owed, in the order of the amounts."""

CONVERTED = 3
"""What a stack makes of one type of choice instead of its logistics (an effect on the next action)."""

NOW = "now"
"""The word of a change made for a player's next action, from when they take that action until it is over."""


class Payment(Frame):
    """``seat`` pays a cost for ``card``: ``owed`` is what is still to be covered, ``spent`` the stacks so far.

    ``discount`` is taken off one type of resource. ``offered`` are units that could add to the stack just
    spent, ``helping`` those that do; ``converting`` is a stack that makes another type. When the cost is
    covered the frame below is told by its ``paid`` with the excess.
    """

    seat: Seat
    owed: Amounts
    card: Card
    discount: int = 0
    spent: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)
    helping: list[int] = field(default_factory=list)
    converting: int = 0
    excess: Amounts = field(default_factory=lambda: [0, 0, 0])

    def run(self, engine: Engine) -> None:
        if self.discount and self._discounted():
            engine.ask(self.seat, "discount")
        elif self.converting:
            engine.ask(self.seat, "convert")
        elif self._offers(engine):
            engine.ask(self.seat, "may")
        elif any(self.owed):
            engine.ask(self.seat, "payment")
        else:
            self._covered(engine)

    def _offers(self, engine: Engine) -> bool:
        """Whether a unit could add to the stack just spent: to what is owed, or to pay for an expedite card."""
        self.offered = [unit for unit in self.offered if self._of_use(engine, _added(engine, engine.piece(unit)))]
        return bool(self.offered)

    def _of_use(self, engine: Engine, kind: int) -> bool:
        if self.owed[kind] or self.owed[ANY]:
            return True
        reach = list(self.excess)
        for unit in self.offered:
            reach[_added(engine, engine.piece(unit))] += 1
        costs = (engine.card(card).expedite for card in engine.player(self.seat).hand if card != self.card)
        return any(cost is not None and cost[kind] > self.excess[kind] and covers(reach, cost) for cost in costs)

    def _discounted(self) -> bool:
        """Whether the player must say which type becomes cheaper; where there is one type, it does at once."""
        kinds = [kind for kind in range(ANY) if self.owed[kind]]
        if len(kinds) > 1:
            return True
        if kinds:
            self._cheapen(kinds[0])
        self.discount = 0
        return False

    def _cheapen(self, kind: int) -> None:
        self.owed[kind] = max(0, self.owed[kind] - self.discount)
        self.discount = 0

    def _covered(self, engine: Engine) -> None:
        engine.end(self)
        payer = engine.state.agenda[-1]
        assert isinstance(payer, Payer)
        payer.paid(engine, self.excess)
        for stack in self.spent:
            piece = engine.piece(stack)
            engine.tell("spend", self.seat, piece.top, stack, number=characteristics.yields(engine, piece))
        engine.push(Exhaust(self.spent), Commit(self.helping))

    def options(self, engine: Engine) -> list[Option]:
        if self.discount or self.converting:
            kinds = [kind for kind in range(ANY) if self.owed[kind] or (self.converting and self.owed[ANY])]
            return [Option("choose", word=RESOURCES[kind]) for kind in self._leading_on(engine, kinds)]
        if self.offered:
            means = Means.of(engine, self.seat, self.spent, [*self.helping, *self._refused(engine), self.offered[0]])
            return [YES, NO] if means.cover(self.owed) else [YES]
        return [Option("pay", piece=stack.id) for stack in useful_stacks(engine, self)]

    def _refused(self, engine: Engine) -> list[int]:
        """Give the units not wanted for the stack just spent, if there is no other stack to offer them for again."""
        if any(p.is_stack and not p.exhausted and p.id not in self.spent for p in engine.player(self.seat).resource):
            return []
        return [unit.id for unit in helpers(engine, self.seat) if unit.id not in (*self.helping, *self.offered)]

    def _leading_on(self, engine: Engine, kinds: list[int]) -> list[int]:
        """Give those of ``kinds`` with which the rest can still be covered."""
        found = []
        means = Means.of(engine, self.seat, self.spent, self.helping)
        for kind in kinds:
            owed = list(self.owed)
            less = self.discount or CONVERTED
            owed[kind] = max(0, owed[kind] - less)
            if means.cover(owed):
                found.append(kind)
        return found or kinds

    def take(self, engine: Engine, option: Option) -> None:
        if self.discount:
            self._cheapen(_place(option))
        elif self.converting:
            self.converting = 0
            self._make(_place(option), CONVERTED)
        elif self.offered:
            helper = self.offered.pop(0)
            if option == YES:
                self.helping.append(helper)
                self._make(_added(engine, engine.piece(helper)), 1)
        else:
            self._spend(engine, engine.piece(option.piece))

    def _spend(self, engine: Engine, stack: Piece) -> None:
        self.spent.append(stack.id)
        if converts(engine, stack):
            self.converting = stack.id
        else:
            self._make(_kind(engine, stack), characteristics.yields(engine, stack))
        self.offered = [unit.id for unit in helpers(engine, self.seat) if unit.id not in self.helping]

    def _make(self, kind: int, made: int) -> None:
        """Let ``made`` resources of a type cover what is owed of it, then what is owed of any; the rest is over."""
        for place in (kind, ANY):
            covered = min(made, self.owed[place])
            self.owed[place] -= covered
            made -= covered
        self.excess[kind] += made

    def half_made(self) -> bool:
        return True

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class Payer(Frame):
    """A frame that has something paid for."""

    def paid(self, engine: Engine, excess: Amounts) -> None:
        """Go on, now that the cost is covered; ``excess`` was made beyond it."""
        raise NotImplementedError


class Means(Struct, frozen=True):
    """What a player can still make: ``totals`` of their stacks, ``added`` by units, and stacks that convert."""

    totals: tuple[int, int, int]
    added: tuple[int, int, int] = (0, 0, 0)
    converting: tuple[int, ...] = ()

    @classmethod
    def of(cls, engine: Engine, seat: Seat, spent: Sequence[int] = (), helping: Sequence[int] = ()) -> Means:
        """Count the unspent stacks of ``seat``, but not those in ``spent`` nor units in ``helping``."""
        totals, added, converting = [0, 0, 0], [0, 0, 0], []
        stacks = 0
        for piece in engine.player(seat).resource:
            if piece.is_stack and not piece.exhausted and piece.id not in spent:
                stacks += 1
                if converts(engine, piece):
                    converting.append(characteristics.yields(engine, piece))
                else:
                    totals[_kind(engine, piece)] += characteristics.yields(engine, piece)
        if (stacks or spent) and engine.catalog.adders:
            for unit in helpers(engine, seat):
                if unit.id not in helping:
                    added[_added(engine, unit)] += 1
        return cls((totals[0], totals[1], totals[2]), (added[0], added[1], added[2]), tuple(converting))

    def cover(self, owed: Sequence[int], discount: int = 0) -> bool:
        """Whether this is enough for what is ``owed``, with ``discount`` off one type (PAY-6)."""
        if discount:
            return any(self.cover(_less(owed, kind, discount)) for kind in range(ANY))
        for kind in range(ANY) if self.converting else ():
            if self._converted(kind).cover(owed):
                return True
        if self.converting:
            return False
        have = [total + more for total, more in zip(self.totals, self.added, strict=True)]
        if owed[0] > have[0] or owed[1] > have[1] or owed[2] > have[2]:
            return False
        return len(owed) <= ANY or sum(have) - sum(owed[:ANY]) >= owed[ANY]

    def missing(self, owed: Sequence[int], discount: int = 0) -> tuple[int, ...]:
        """Give how many of each resource are missing (then of any), used as well as can be; all 0 if it is enough."""
        ways: list[tuple[int, ...]]
        if discount:
            ways = [self.missing(_less(owed, kind, discount)) for kind in range(ANY)]
        elif self.converting:
            ways = [self._converted(kind).missing(owed) for kind in range(ANY)]
        else:
            have = [total + more for total, more in zip(self.totals, self.added, strict=True)]
            short = [max(0, amount - held) for amount, held in zip(owed, have, strict=False)]
            left = sum(have) - sum(owed[:ANY]) + sum(short)
            return (*short[:ANY], max(0, sum(owed[ANY:]) - left))
        return min(ways, key=sum)

    def _converted(self, kind: int) -> Means:
        """Give the means with the next converting stack making this type."""
        totals = [total + (CONVERTED if place == kind else 0) for place, total in enumerate(self.totals)]
        return Means((totals[0], totals[1], totals[2]), self.added, self.converting[1:])


def useful_stacks(engine: Engine, payment: Payment) -> list[Piece]:
    """Give the stacks that make a resource still owed, themselves or with a unit that adds to them (PAY-2)."""
    owed = payment.owed
    adding = any(owed[_added(engine, unit)] for unit in helpers(engine, payment.seat) if unit.id not in payment.helping)
    return [
        piece
        for piece in engine.player(payment.seat).resource
        if piece.is_stack
        and not piece.exhausted
        and piece.id not in payment.spent
        and (owed[_kind(engine, piece)] or owed[ANY] or adding or converts(engine, piece))
    ]


def helpers(engine: Engine, seat: Seat) -> list[Piece]:
    """Give the alert units of ``seat`` that can be committed to add a resource to a stack being spent."""
    if not engine.catalog.adders:
        return []
    return [
        piece
        for piece in engine.player(seat).alert
        if not piece.exhausted and engine.script(piece.top).adds is not None and piece.area == Area.ALERT
    ]


def converts(engine: Engine, stack: Piece) -> bool:
    """Whether ``stack`` makes three of any one type now, because it makes as many logistics as an effect asks for."""
    forces = conversions(engine, stack.controller)
    return bool(forces) and (
        _kind(engine, stack) == RESOURCES.index("logistics")
        and any(characteristics.yields(engine, stack) >= force.fixed for force in forces)
    )


def discount(engine: Engine, seat: Seat) -> int:
    """Give by how much of one resource the next card of ``seat`` is cheaper."""
    return sum(force.fixed for force in discounts(engine, seat))


def discounts(engine: Engine, seat: Seat) -> list[Force]:
    """Give the changes that make the next card of ``seat`` cheaper."""
    return _on_this_action(engine, "cheaper", seat)


def conversions(engine: Engine, seat: Seat) -> list[Force]:
    """Give the changes that let stacks of ``seat`` make another type."""
    return _on_this_action(engine, "convert", seat)


def _on_this_action(engine: Engine, kind: str, seat: Seat) -> list[Force]:
    return [force for force in engine.in_force(kind) if force.word == NOW and force.scope.you == seat]


def discount_used(engine: Engine, seat: Seat) -> None:
    """Let what made a card of ``seat`` cheaper end: it was for one card (ruling 69)."""
    used = [modifier for modifier in _for_action(engine, seat) if modifier.word and modifier.kind == "cheaper"]
    _end(engine, used)


def next_action(engine: Engine, seat: Seat) -> None:
    """Let what was made for the next action of ``seat`` hold: this is it."""
    waiting = _for_action(engine, seat)
    for modifier in waiting:
        modifier.word = NOW
    if waiting:
        engine.stale()


def next_action_over(engine: Engine, seat: Seat) -> None:
    """Let what was for the next action of ``seat`` end with it; what this action itself made is for the next."""
    _end(engine, [modifier for modifier in _for_action(engine, seat) if modifier.word])


def _for_action(engine: Engine, seat: Seat) -> list[Modifier]:
    modifiers = engine.state.modifiers
    return [modifier for modifier in modifiers if modifier.until == Until.NEXT_ACTION and modifier.scope.you == seat]


def _end(engine: Engine, ended: list[Modifier]) -> None:
    for modifier in ended:
        engine.state.modifiers.remove(modifier)
    if ended:
        engine.stale()


def covers(amounts: Sequence[int], cost: Cost) -> bool:
    """Whether ``amounts`` cover ``cost`` in every resource."""
    return amounts[0] >= cost[0] and amounts[1] >= cost[1] and amounts[2] >= cost[2]


def cheapest(engine: Engine, payment: Payment) -> list[int]:
    """Propose stacks that cover what is owed: the fewest left over, then the fewest stacks.

    Small numbers of stacks: for each resource every sum is tried once (a knapsack over its stacks). Nothing
    is proposed where stacks alone do not cover it.
    """
    proposal: list[int] = []
    stacks = useful_stacks(engine, payment)
    for kind, owed in enumerate(payment.owed):
        if owed:
            fitting = [piece for piece in stacks if kind == ANY or _kind(engine, piece) == kind]
            chosen = _fewest(owed, [(piece.id, characteristics.yields(engine, piece)) for piece in fitting])
            if not chosen:
                return []
            proposal += chosen
    return proposal


def _less(owed: Sequence[int], kind: int, discount: int) -> list[int]:
    return [max(0, amount - discount) if place == kind else amount for place, amount in enumerate(owed)]


def _fewest(owed: int, stacks: list[tuple[int, int]]) -> list[int]:
    best: dict[int, list[int]] = {0: []}
    for stack, made in stacks:
        for total, chosen in list(best.items()):
            if total < owed and (total + made not in best or len(best[total + made]) > len(chosen) + 1):
                best[total + made] = [*chosen, stack]
    return best[min((total for total in best if total >= owed), default=0)]


def _kind(engine: Engine, stack: Piece) -> int:
    resource = engine.definition(stack).produces
    assert resource is not None
    return RESOURCES.index(resource)


def _added(engine: Engine, unit: Piece) -> int:
    adds = engine.script(unit.top).adds
    assert adds is not None
    return RESOURCES.index(adds)


def _place(option: Option) -> int:
    return next(place for place, resource in enumerate(RESOURCES) if resource == option.word)
