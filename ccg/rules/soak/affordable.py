"""A second opinion on paying: what can be paid, found by trying every way that the rulings allow.

Written from the rulebook (Generating Resources, Paying Costs) and rulings 9 to 11, 56, 62, 69, 86 and 92, not from
the engine's payment: every stack, every set of units that add to it, every type that a stack is turned into and
every type for each discount is tried. It knows nothing of what is left over, which decides about expedite cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeVar

from ccg.rules.cards.definitions import RESOURCES
from ccg.rules.cards.schema import Step
from ccg.rules.core import characteristics
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import Modifier, Piece, SeatNumber, Until, definition_of
from ccg.rules.effects.word import Word
from ccg.rules.effects.words.course import Convert
from ccg.rules.game import Game
from ccg.rules.rulebook.declaring import price_of
from ccg.rules.rulebook.payment import Payment
from ccg.rules.rulebook.playing import why_not_now

Owed = tuple[int, int, int, int]
"""Persuasion, logistics, security, and resources of any type."""

T = TypeVar("T")

PAID: Owed = (0, 0, 0, 0)
ANY = 3
MOST_STACKS, MOST_HELPERS, MOST_LOOKED_AT = 8, 4, 64
"""Beyond these nothing is said: every way is tried."""


class Stack(NamedTuple):
    """A resource stack that can be spent: how much of which type it makes.

    One that an effect on the next action turns into another type makes ``turned`` of any one instead.
    """

    kind: int
    made: int
    turned: int


class Purse(NamedTuple):
    """What a player can pay with: stacks, and the types that units add, each once for a stack being spent."""

    stacks: tuple[Stack, ...]
    helpers: tuple[int, ...]

    @property
    def is_small(self) -> bool:
        """Whether every way of paying with it can be tried."""
        return len(self.stacks) <= MOST_STACKS and len(self.helpers) <= MOST_HELPERS


class Spent(NamedTuple):
    """One stack being spent: which one, what is owed after it, and what is left to pay that with."""

    stack: Stack
    owed: Owed
    left: Purse


# ---------------------------------------------------------------- every way to pay


@lru_cache(maxsize=100_000)
def payable(owed: Owed, purse: Purse) -> bool:
    """Return whether there is a way to pay what is ``owed``."""
    return owed == PAID or any(payable(spent.owed, spent.left) for spent in ways(owed, purse))


def ways(owed: Owed, purse: Purse) -> Iterator[Spent]:
    """Yield every way to spend one stack that makes at least one resource of a type still owed (ruling 9)."""
    for stack in dict.fromkeys(purse.stacks):
        others = _without(purse.stacks, stack)
        for kind in range(ANY) if stack.turned else (stack.kind,):
            for number in range(len(purse.helpers) + 1):
                for added in dict.fromkeys(combinations(purse.helpers, number)):
                    made = [added.count(place) for place in range(ANY)]
                    made[kind] += stack.turned or stack.made
                    left = _after(owed, made)
                    if left != owed:
                        helpers = purse.helpers
                        for helper in added:
                            helpers = _without(helpers, helper)
                        yield Spent(stack, left, Purse(others, helpers))


def allowed(spent: Spent) -> bool:
    """Return whether the rest can be paid, also without a unit that was refused and could have helped (ruling 56)."""
    left = spent.left
    useful = [helper for helper in dict.fromkeys(left.helpers) if spent.owed[helper] or spent.owed[ANY]]
    others = [Purse(left.stacks, _without(left.helpers, helper)) for helper in useful]
    return all(payable(spent.owed, purse) for purse in (left, *others))


def _after(owed: Owed, made: Sequence[int]) -> Owed:
    """Return what is owed after so much was made: what its own type does not need goes to what may be of any."""
    over = sum(max(0, more - due) for more, due in zip(made, owed[:ANY], strict=True))
    left = [max(0, due - more) for more, due in zip(made, owed[:ANY], strict=True)]
    return left[0], left[1], left[2], max(0, owed[ANY] - over)


def _without(things: tuple[T, ...], taken: T) -> tuple[T, ...]:
    """Return ``things`` with one that equals ``taken`` left out."""
    place = things.index(taken)
    return things[:place] + things[place + 1 :]


def reductions(owed: Owed, discounts: Sequence[int], purse: Purse) -> list[int]:
    """Return the types off which the first of ``discounts`` can be taken so that the rest can be paid (ruling 86)."""
    return [
        kind for kind in range(ANY) if owed[kind] and affordable(_less(owed, kind, discounts[0]), discounts[1:], purse)
    ]


def affordable(owed: Owed, discounts: Sequence[int], purse: Purse) -> bool:
    """Return whether a cost can be paid once each of ``discounts`` is taken off a type that is owed."""
    if not discounts or owed[:ANY] == PAID[:ANY]:
        return payable(owed, purse)
    return bool(reductions(owed, discounts, purse))


def _less(owed: Owed, kind: int, discount: int) -> Owed:
    left = [max(0, due - discount) if place == kind else due for place, due in enumerate(owed)]
    return left[0], left[1], left[2], left[3]


# ---------------------------------------------------------------- what a player has


def purse_of(engine: Engine, seat: SeatNumber, used: Sequence[int] = ()) -> Purse:
    """Return what ``seat`` can pay with, without stacks and units that are already used."""
    asked = _turning(engine, seat)
    player = engine.player(seat)
    stacks = [
        _stack(engine, piece, asked)
        for piece in player.resource
        if piece.is_stack and not piece.exhausted and piece.id not in used
    ]
    adding = [
        engine.script(piece.top).adds for piece in player.alert if _has_text(engine, piece) and piece.id not in used
    ]
    return Purse(tuple(sorted(stacks)), tuple(sorted(RESOURCES.index(kind) for kind in adding if kind is not None)))


def _has_text(engine: Engine, unit: Piece) -> bool:
    """Return whether a unit lies face up, or takes part in the challenge and so keeps everything (ruling 12)."""
    challenge = engine.state.challenge
    return not unit.exhausted or (challenge is not None and unit.id in (challenge.challenger, challenge.defender))


def _stack(engine: Engine, piece: Piece, asked: Sequence[Convert]) -> Stack:
    """Return what a stack makes: one, and one for each card under it; if it is enough it is turned (ruling 62)."""
    kind = RESOURCES.index(engine.definition(piece).produces or "")
    made = 1 + len(piece.supplies)
    turned = [step.makes or 0 for step in asked if step.convert == RESOURCES[kind] and made >= (step.at_least or 1)]
    return Stack(kind, made, max(turned, default=0))


def _turning(engine: Engine, seat: SeatNumber) -> list[Convert]:
    """Return what cards say that turns stacks into another type on the action that ``seat`` is taking."""
    cards = (engine.card(modifier.context.card) for modifier in _for_this_action(engine, seat, "convert"))
    return [step for card in cards for ability in card.abilities for step in _converting(ability.do)]


def _converting(steps: Iterable[Step]) -> Iterator[Convert]:
    for step in steps:
        if isinstance(step, Convert):
            yield step
        elif isinstance(step, Word):
            for inner in step.inner():
                yield from _converting(inner)


def _for_this_action(engine: Engine, seat: SeatNumber, kind: str) -> list[Modifier]:
    """Return what an effect has made of the action that ``seat`` is taking; it then bears a word (ruling 69)."""
    return [
        modifier
        for modifier in engine.state.modifiers
        if modifier.kind == kind
        and modifier.until == Until.NEXT_ACTION
        and modifier.word
        and modifier.context.you == seat
    ]


# ---------------------------------------------------------------- compared with the engine


def mistaken(game: Game) -> str:
    """Return in what the options of the decision differ from what can be paid, or an empty text."""
    decision = game.decision
    if decision is None:
        return ""
    if decision.kind in ("action", "effects") and decision.seat in game.engine.state.deeds.held:
        return ""  # whatever could be paid for (ruling 92); `loops` sees that it is only passed
    if decision.kind in ("action", "effects", "react"):
        return _of_hand(game) or _of_prices(game)
    payment = game.engine.state.agenda[-1]
    if isinstance(payment, Payment) and decision.kind in ("payment", "discount"):
        if decision.kind == "discount":
            return _of_discount(game, payment)
        return _of_stacks(game, payment) or _of_proposal(game, payment)
    return ""


def _of_hand(game: Game) -> str:
    """Compare the cards that can be played with those that can be paid for, what else they need left aside."""
    engine, decision = game.engine, game.decision
    assert decision is not None
    seat = decision.seat
    purse = purse_of(engine, seat)
    if not purse.is_small:
        return ""
    discounts = [modifier.amount for modifier in _for_this_action(engine, seat, "cheaper")]
    offered = {option.card for option in decision.options if option.verb == "play"}
    for definition in sorted({definition_of(card) for card in engine.player(seat).hand}):
        card = engine.catalog.cards[definition]
        can = affordable((*card.cost, 0), discounts, purse)
        if definition in offered and not can:
            return f"{card.name} is offered and cannot be paid for with {purse} and discounts {discounts}"
        could = can and decision.kind != "react" and why_not_now(engine, seat, definition, discounts) is None
        if definition not in offered and could:
            return f"{card.name} is not offered and can be paid for with {purse} and discounts {discounts}"
    return ""


def _of_prices(game: Game) -> str:
    """Compare the players who can be challenged, where that costs something, with what can be paid."""
    engine, decision = game.engine, game.decision
    assert decision is not None
    challenges = {(option.piece, option.player) for option in decision.options if option.verb == "challenge"}
    able = [unit for unit in engine.player(decision.seat).alert if characteristics.may_challenge(engine, unit)]
    if decision.kind != "action" or not purse_of(engine, decision.seat).is_small:
        return ""
    for other in engine.opponents(decision.seat):
        price = price_of(engine, other)
        for unit in able if price else ():
            purse = purse_of(engine, decision.seat, [unit.id])
            can = payable((0, 0, 0, price), purse)
            if can != ((unit.id, other) in challenges):
                may = "cannot" if can else "can"
                return f"{unit.id} {may} challenge player {other} for {price}, with {purse} to pay"
    return ""


def _of_discount(game: Game, payment: Payment) -> str:
    """Compare the types that can become cheaper."""
    purse = purse_of(game.engine, payment.seat, payment.kept)
    assert game.decision is not None
    offered = [RESOURCES.index(kind) for kind in RESOURCES if any(o.word == kind for o in game.decision.options)]
    right = reductions(_owed(payment), payment.discounts, purse) if purse.is_small else offered
    return "" if offered == right else f"{offered} can become cheaper of {payment}, by the rulings {right}"


def _of_stacks(game: Game, payment: Payment) -> str:
    """Compare the stacks that can be spent, each with all that can be owed after it.

    That is found by playing on in copies, every answer tried, until the next stack is asked for.
    """
    engine, decision = game.engine, game.decision
    purse = purse_of(engine, payment.seat, payment.used)
    if not purse.is_small:
        return ""
    assert decision is not None
    owed = _owed(payment)
    right = {(way.stack, way.owed) for way in ways(owed, purse) if allowed(way)}
    asked = _turning(engine, payment.seat)
    found = set()
    pieces = {_stack(engine, engine.piece(option.piece), asked): option for option in decision.options}
    for stack, option in pieces.items():
        after = _played_on(game, game.key(option))
        if after is None:
            return ""
        found |= {(stack, owed) for owed in after}
    spendable = sum(stack in pieces for stack in purse.stacks)
    if spendable != len(decision.options):
        return f"of equal stacks some can be spent and others cannot: {decision.options}"
    return "" if found == right else f"{payment} leads to {sorted(found)}, by the rulings to {sorted(right)}"


def _of_proposal(game: Game, payment: Payment) -> str:
    """Play what is proposed in a copy, where stacks make their own type and nothing is added: it just pays."""
    purse = purse_of(game.engine, payment.seat, payment.used)
    if purse.helpers or any(stack.turned for stack in purse.stacks):
        return ""
    proposal = [f"pay {stack}" for stack in payment.proposal(game.engine)]
    aside = game.copy()
    for move in proposal:
        if aside.decision is None or move not in map(aside.key, aside.decision.options):
            return f"{proposal} is proposed for {payment}, and {move} cannot be chosen"
        aside.choose(move)
    unpaid = any(frame.owing() is not None for frame in aside.engine.state.agenda)
    return f"{proposal} is proposed for {payment} and does not pay it" if unpaid else ""


def _played_on(game: Game, move: str) -> set[Owed] | None:
    """Return all that can be owed once ``move`` and what is asked about it are done; None if that is too much."""
    found: set[Owed] = set()
    asides = [(game, move)]
    for _ in range(MOST_LOOKED_AT):
        if not asides:
            return found
        before, move = asides.pop()
        aside = before.copy()
        aside.choose(move)
        top = aside.engine.state.agenda[-1] if aside.decision is not None else None
        if not isinstance(top, Payment):
            found.add(PAID)
        elif aside.decision is not None and aside.decision.kind == "payment":
            found.add(_owed(top))
        elif aside.decision is not None:
            asides += [(aside, aside.key(option)) for option in aside.decision.options]
    return None


def _owed(payment: Payment) -> Owed:
    left = payment.owed
    return left[0], left[1], left[2], left[ANY]
