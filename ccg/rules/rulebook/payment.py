"""Paying costs: spending resource stacks one at a time (Generating Resources, Paying Costs; ruling 9).

Nothing is spent until the cost is covered, so a half-made payment can be taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from msgspec import field

from ccg.rules.cards.definitions import RESOURCES, Cost
from ccg.rules.core import characteristics
from ccg.rules.core.data import Fixed
from ccg.rules.core.engine import ActiveModifier, Engine, Frame, Returned, Source
from ccg.rules.core.options import NO, YES, Option, Owing
from ccg.rules.core.state import Modifier, ModifierKind, Piece, SeatNumber, Until
from ccg.rules.rulebook.instructions import Commit, Exhaust

Amounts = list[int]
"""Persuasion, logistics and security, in that order; in what is owed, then resources of any type."""

ANY: Final = 3
OWED: Final[tuple[str, ...]] = (*RESOURCES, "any")
"""What can be owed, in the order of the amounts."""

NOW: Final = "now"
"""The word of a change made for a player's next action, from when they take that action until it is over."""


class Paid(Returned, frozen=True):
    """A cost is covered; ``excess`` of each resource was made beyond what it names.

    ``bound`` of these, of whatever types, have covered what could be paid in any resource (ruling 98).
    """

    excess: Amounts
    bound: int = 0


class Payment(Frame):
    """``seat`` pays a cost: ``owed`` is what is still to be covered, ``spent`` the stacks so far.

    ``expedite`` are the costs of the cards that what is left over could pay for. Each of ``discounts`` is still
    to be taken off one type; ``discounted`` counts those that were. ``offered`` are units that could add
    to the stack just spent, ``helping`` those that do; ``converting`` is a stack that makes another type, and
    ``idle`` says that the stack just spent has made nothing owed yet. What is ``kept`` pays another cost of the
    card, and is neither spent nor committed for this one (ruling 74). When the cost is covered, this returns
    :class:`Paid` with the ``excess``, and how much of it is ``bound``.
    """

    seat: SeatNumber
    owed: Amounts
    expedite: list[Cost] = field(default_factory=list)
    discounts: list[int] = field(default_factory=list)
    discounted: int = 0
    spent: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)
    helping: list[int] = field(default_factory=list)
    converting: int = 0
    idle: bool = False
    excess: Amounts = field(default_factory=lambda: [0, 0, 0])
    bound: int = 0
    kept: list[int] = field(default_factory=list)

    def run(self, engine: Engine) -> None:
        if self._cheaper():
            engine.ask(self.seat, "discount")
        elif self.converting:
            engine.ask(self.seat, "convert")
        elif self._offers(engine):
            engine.ask(self.seat, "may")
        elif any(self.owed):
            engine.ask(self.seat, "payment")
        else:
            self._covered(engine)

    def _cheaper(self) -> bool:
        """Take discounts off the only type owed; return whether the player must say which (ruling 86).

        A discount for which nothing is left to be taken off is kept for another card.
        """
        while self.discounts:
            kinds = [kind for kind in range(ANY) if self.owed[kind]]
            if len(kinds) > 1:
                return True
            if not kinds:
                self.discounts.clear()
            else:
                self._cheapen(kinds[0])
        return False

    def _cheapen(self, kind: int) -> None:
        self.owed[kind] = max(0, self.owed[kind] - self.discounts.pop(0))
        self.discounted += 1

    def _offers(self, engine: Engine) -> bool:
        """Return whether a unit could add to the stack just spent what is owed, or what pays for an expedite card."""
        self.offered = [unit for unit in self.offered if self._of_use(engine, _added(engine, engine.piece(unit)))]
        return bool(self.offered)

    def _of_use(self, engine: Engine, kind: int) -> bool:
        return self._is_owed(kind) or self._for_expedite(engine, kind)

    def _is_owed(self, kind: int) -> bool:
        return self.owed[kind] > 0 or self.owed[ANY] > 0

    def _for_expedite(self, engine: Engine, kind: int) -> bool:
        """Return whether expedite cards could use more of ``kind`` than the surplus so far has (ruling 11)."""
        adding = [0, 0, 0]
        for unit in self.offered:
            adding[_added(engine, engine.piece(unit))] += 1
        reach = [have + more for have, more in zip(self.excess, adding, strict=True)]
        totals = {(0, 0, 0)}
        for cost in self.expedite:
            more = {(a + cost[0], b + cost[1], c + cost[2]) for a, b, c in totals}
            totals |= {total for total in more if affords(reach, self.bound, total)}
        adding[kind] -= 1
        for added in product(*(range(most + 1) for most in adding)):
            have = [amount + more for amount, more in zip(self.excess, added, strict=True)]
            one_more = [amount + (place == kind) for place, amount in enumerate(have)]
            if any(affords(one_more, self.bound, t) and not affords(have, self.bound, t) for t in totals):
                return True
        return False

    def _covered(self, engine: Engine) -> None:
        if self.discounted:
            discounts_used(engine, self.seat, self.discounted)
        engine.end(self, Paid(self.excess, self.bound))
        for stack in self.spent:
            piece = engine.piece(stack)
            made = converts(engine, piece) or characteristics.yields(engine, piece)
            engine.emit("spend", self.seat, piece.top, stack, number=made)
        engine.push(Exhaust(self.spent), Commit(self.helping))

    def asked_by(self, engine: Engine) -> Source | None:
        """Return the unit that offers to add to the stack just spent; else it is the card that is paid for."""
        return Source(engine.piece(self.offered[0]).top, self.offered[0]) if self.offered else None

    def options(self, engine: Engine) -> list[Option]:
        if self.discounts or self.converting:
            kinds = self._reducible(engine) if self.discounts else self._convertible(engine)
            return [Option("choose", word=RESOURCES[kind]) for kind in kinds]
        if self.offered:
            return [YES, NO] if self._refusable(engine) else [YES]
        return [Option("pay", piece=stack.id) for stack in useful_stacks(engine, self)]

    def _reducible(self, engine: Engine) -> list[int]:
        """Return the resource types that the next discount can reduce so that the rest can still be paid."""
        available = AvailableResources.of(engine, self.seat, kept=self.kept)
        first, *others = self.discounts
        return [
            kind for kind in range(ANY) if self.owed[kind] and available.cover(_less(self.owed, kind, first), others)
        ]

    def _convertible(self, engine: Engine) -> list[int]:
        """Return the types that the stack can convert to so that it pays something owed and the rest can be paid."""
        available = AvailableResources.of(engine, self.seat, self.spent, self.helping, self.kept)
        made = converts(engine, engine.piece(self.converting))
        aided = any(self._is_owed(_added(engine, engine.piece(unit))) for unit in self.offered)
        return [
            kind
            for kind in range(ANY)
            if (aided or self._is_owed(kind)) and available.cover(_paid(self.owed, kind, made)[0])
        ]

    def _refusable(self, engine: Engine) -> bool:
        """Return whether, without the unit offered, the stack pays something owed and the rest can be paid."""
        unwanted, *others = self.offered
        if self.idle and not any(self._is_owed(_added(engine, engine.piece(unit))) for unit in others):
            return False
        unhelpful = [*self.helping, *self._refused(engine), unwanted]
        available = AvailableResources.of(engine, self.seat, self.spent, unhelpful, self.kept)
        return available.cover(self.owed)

    def _refused(self, engine: Engine) -> list[int]:
        """Return the units that the player declined to use, if no unspent stack is left that they could add to."""
        if any(p.is_stack and not p.exhausted and p.id not in self.used for p in engine.player(self.seat).resource):
            return []
        return [unit.id for unit in helpers(engine, self.seat) if unit.id not in (*self.used, *self.offered)]

    @property
    def used(self) -> list[int]:
        """The stacks and units that are spent or committed already, for this cost or another."""
        return [*self.spent, *self.helping, *self.kept]

    def take(self, engine: Engine, option: Option) -> None:
        if self.discounts:
            self._cheapen(_place(option))
        elif self.converting:
            self._make(_place(option), converts(engine, engine.piece(self.converting)))
            self.converting = 0
        elif self.offered:
            helper = self.offered.pop(0)
            if option == YES:
                self.helping.append(helper)
                self._make(_added(engine, engine.piece(helper)), 1)
        else:
            self._spend(engine, engine.piece(option.piece))

    def _spend(self, engine: Engine, stack: Piece) -> None:
        self.spent.append(stack.id)
        self.idle = True
        if converts(engine, stack):
            self.converting = stack.id
        else:
            self._make(_kind(engine, stack), characteristics.yields(engine, stack))
        self.offered = [unit.id for unit in helpers(engine, self.seat) if unit.id not in self.used]

    def _make(self, kind: int, made: int) -> None:
        """Use ``made`` resources of a type for what is owed, and add the rest to the surplus.

        What covers a cost in any resource stays exchangeable for others of the surplus (ruling 98).
        """
        left, over = _paid(self.owed, kind, made)
        of_any = self.owed[ANY] - left[ANY]
        self.owed = left
        self.bound += of_any
        self.excess[kind] += over + of_any
        if over < made:
            self.idle = False

    def half_made(self) -> bool:
        return True

    def owing(self) -> Owing:
        return Owing(tuple(self.owed), self.discounts[0] if self.discounts else 0)

    def proposal(self, engine: Engine) -> list[int]:
        return cheapest(engine, self)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class AvailableResources(Fixed, frozen=True):
    """What a player can still make: ``totals`` of their stacks, ``added`` by units, and what stacks convert to."""

    totals: tuple[int, int, int]
    added: tuple[int, int, int] = (0, 0, 0)
    converting: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        engine: Engine,
        seat: SeatNumber,
        spent: Sequence[int] = (),
        helping: Sequence[int] = (),
        kept: Sequence[int] = (),
    ) -> AvailableResources:
        """Count the unspent stacks of ``seat``, but not those ``spent``, units ``helping``, nor what is ``kept``."""
        totals, added = [0, 0, 0], [0, 0, 0]
        converting: list[int] = []
        converted = bool(conversions(engine, seat))
        stacks = 0
        for piece in engine.player(seat).resource:
            if piece.is_stack and not piece.exhausted and piece.id not in (*spent, *kept):
                stacks += 1
                if converted and (made := converts(engine, piece)):
                    converting.append(made)
                else:
                    totals[_kind(engine, piece)] += characteristics.yields(engine, piece)
        if (stacks or spent) and engine.catalog.adders:
            for unit in helpers(engine, seat):
                if unit.id not in (*helping, *kept):
                    added[_added(engine, unit)] += 1
        return cls((totals[0], totals[1], totals[2]), (added[0], added[1], added[2]), tuple(converting))

    def cover(self, owed: Sequence[int], discounts: Sequence[int] = ()) -> bool:
        """Return whether this is enough for what is ``owed``, with each of ``discounts`` off one type (PAY-6)."""
        if discounts:
            return any(self.cover(less) for less in _reduced(owed, discounts))
        totals, added = self.totals, self.added
        have = (totals[0] + added[0], totals[1] + added[1], totals[2] + added[2])
        if self.converting:
            short = [max(0, amount - held) for amount, held in zip(owed, have, strict=False)]
            if not _made_up(short[:ANY], sorted(self.converting, reverse=True)):
                return False
        elif owed[0] > have[0] or owed[1] > have[1] or owed[2] > have[2]:
            return False
        return len(owed) <= ANY or sum(have) + sum(self.converting) - sum(owed[:ANY]) >= owed[ANY]

    def missing(self, owed: Sequence[int], discounts: Sequence[int] = ()) -> tuple[int, ...]:
        """Return how many of each resource are missing (then of any), used as well as can be; all 0 if enough."""
        ways: list[tuple[int, ...]]
        if discounts:
            ways = [self.missing(less) for less in _reduced(owed, discounts)]
        elif self.converting:
            ways = [self._converted(kind).missing(owed) for kind in range(ANY)]
        else:
            have = [total + more for total, more in zip(self.totals, self.added, strict=True)]
            short = [max(0, amount - held) for amount, held in zip(owed, have, strict=False)]
            left = sum(have) - sum(owed[:ANY]) + sum(short)
            return (*short[:ANY], max(0, sum(owed[ANY:]) - left))
        return min(ways, key=sum)

    def _converted(self, kind: int) -> AvailableResources:
        """Return the means with the next converting stack making this type."""
        first, *others = self.converting
        totals = [total + (first if place == kind else 0) for place, total in enumerate(self.totals)]
        return AvailableResources((totals[0], totals[1], totals[2]), self.added, tuple(others))


def useful_stacks(engine: Engine, payment: Payment) -> list[Piece]:
    """Return the stacks that make a resource still owed, themselves or with a unit that adds to them (PAY-2)."""
    owed = payment.owed
    adding = any(owed[_added(engine, unit)] for unit in helpers(engine, payment.seat) if unit.id not in payment.used)
    return [
        piece
        for piece in engine.player(payment.seat).resource
        if piece.is_stack
        and not piece.exhausted
        and piece.id not in payment.used
        and (owed[_kind(engine, piece)] or owed[ANY] or adding or converts(engine, piece))
    ]


def helpers(engine: Engine, seat: SeatNumber) -> list[Piece]:
    """Return the alert units of ``seat`` that can be committed to add a resource to a stack being spent."""
    if not engine.catalog.adders:
        return []
    return [
        piece
        for piece in engine.player(seat).alert
        if engine.script(piece.top).adds is not None and characteristics.speaks(engine, piece)
    ]


def converts(engine: Engine, stack: Piece) -> int:
    """Return how many of any one type ``stack`` makes now instead of its own; 0 if it makes its own."""
    active_modifiers = conversions(engine, stack.controller)
    return max(
        (active.amount(engine, stack) for active in active_modifiers if active.touches(engine, stack)), default=0
    )


def reductions(engine: Engine, seat: SeatNumber) -> list[int]:
    """Return by how much of one resource each discount makes the next card of ``seat`` cheaper."""
    return [active.fixed for active in discounts(engine, seat)]


def discounts(engine: Engine, seat: SeatNumber) -> list[ActiveModifier]:
    """Return the changes that make the next card of ``seat`` cheaper."""
    return _on_this_action(engine, "cheaper", seat)


def conversions(engine: Engine, seat: SeatNumber) -> list[ActiveModifier]:
    """Return the changes that let stacks of ``seat`` make another type."""
    return _on_this_action(engine, "convert", seat)


def _on_this_action(engine: Engine, kind: ModifierKind, seat: SeatNumber) -> list[ActiveModifier]:
    return [active for active in engine.active_modifiers(kind) if active.word == NOW and active.context.you == seat]


def discounts_used(engine: Engine, seat: SeatNumber, number: int) -> None:
    """Remove the first ``number`` discounts of ``seat``, now used: each is for one card (rulings 69, 86)."""
    used = [modifier for modifier in _for_action(engine, seat) if modifier.word and modifier.kind == "cheaper"]
    engine.drop(used[:number])


def next_action(engine: Engine, seat: SeatNumber) -> None:
    """Activate the modifiers made for the next action of ``seat``, which begins now."""
    waiting = _for_action(engine, seat)
    for modifier in waiting:
        engine.reword(modifier, NOW)


def next_action_over(engine: Engine, seat: SeatNumber) -> None:
    """Remove the modifiers made for the action of ``seat`` that is over; those that it created are for the next one."""
    engine.drop([modifier for modifier in _for_action(engine, seat) if modifier.word])


def _for_action(engine: Engine, seat: SeatNumber) -> list[Modifier]:
    modifiers = engine.state.modifiers
    return [modifier for modifier in modifiers if modifier.until == Until.NEXT_ACTION and modifier.context.you == seat]


def covers(amounts: Sequence[int], cost: Cost) -> bool:
    """Return whether ``amounts`` cover ``cost`` in every resource."""
    return amounts[0] >= cost[0] and amounts[1] >= cost[1] and amounts[2] >= cost[2]


def affords(amounts: Sequence[int], bound: int, cost: Cost) -> bool:
    """Return whether ``amounts`` cover ``cost`` in every resource, and leave as many of any as are ``bound``."""
    return covers(amounts, cost) and sum(amounts) - sum(cost) >= bound


def cheapest(engine: Engine, payment: Payment) -> list[int]:
    """Propose stacks that cover what is owed: the fewest left over, then the fewest stacks.

    Small numbers of stacks: for each resource every sum is tried once (a knapsack over its stacks). Nothing
    is proposed where stacks that make their own type do not cover it.
    """
    proposal: list[int] = []
    stacks = [stack for stack in useful_stacks(engine, payment) if not converts(engine, stack)]
    for kind, owed in enumerate(payment.owed):
        if owed:
            fitting = [piece for piece in stacks if kind == ANY or _kind(engine, piece) == kind]
            chosen = _fewest(owed, [(piece.id, characteristics.yields(engine, piece)) for piece in fitting])
            if not chosen:
                return []
            proposal += chosen
    return proposal


def _less(owed: Sequence[int], kind: int, discount: int) -> tuple[int, ...]:
    """Return what is ``owed`` with a discount taken off one type."""
    return tuple(max(0, amount - discount) if place == kind else amount for place, amount in enumerate(owed))


def _reduced(owed: Sequence[int], discounts: Sequence[int]) -> set[tuple[int, ...]]:
    """Return all that can be left of what is ``owed``, each discount being taken off a type that is still owed."""
    ways = {tuple(owed)}
    for discount in discounts:
        ways = {_less(way, kind, discount) for way in ways for kind in range(ANY) if way[kind] or not any(way[:ANY])}
    return ways


def _paid(owed: Sequence[int], kind: int, made: int) -> tuple[Amounts, int]:
    """Return what is still owed after paying ``made`` resources of a type, that type first, and the surplus."""
    left = list(owed)
    for place in (kind, ANY):
        covered = min(made, left[place])
        left[place] -= covered
        made -= covered
    return left, made


def _made_up(short: list[int], converting: list[int]) -> bool:
    """Return whether what is ``short`` of each type can be made by stacks that convert, each to one type."""
    if not any(short):
        return True
    if sum(short) > sum(converting):
        return False
    first, *others = converting
    return any(
        _made_up([max(0, amount - first) if place == kind else amount for place, amount in enumerate(short)], others)
        for kind in range(ANY)
        if short[kind] and short[kind] not in short[:kind]
    )


def _fewest(owed: int, stacks: list[tuple[int, int]]) -> list[int]:
    best: dict[int, list[int]] = {0: []}
    for stack, made in stacks:
        for total, chosen in list(best.items()):
            if total < owed and (total + made not in best or len(best[total + made]) > len(chosen) + 1):
                best[total + made] = [*chosen, stack]
    return best[min((total for total in best if total >= owed), default=0)]


def _kind(engine: Engine, stack: Piece) -> int:
    return engine.catalog.makes[stack.cards[0] >> 3]


def _added(engine: Engine, unit: Piece) -> int:
    adds = engine.script(unit.top).adds
    assert adds is not None
    return RESOURCES.index(adds)


def _place(option: Option) -> int:
    return next(place for place, resource in enumerate(RESOURCES) if resource == option.word)
