"""What things are worth to the sensible player: influence, units, texts, resource stacks, plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ccg.rules.cards.definitions import RESOURCES, CardDef, Cost, KeywordName
from ccg.rules.core.state import WINNING_INFLUENCE
from ccg.rules.telling.view import PieceView, PlayerView
from matches.players.odds import Yields, pay
from matches.players.weights import KEYWORDS, STACK_SIZES, TEXT, WEIGHTS

Stacks = tuple[Yields, Yields, Yields]
"""Unspent resource stacks by resource: persuasion, logistics, security."""

Candidate = tuple[float, Cost]
"""A card that could be played: its worth in play, and its cost."""

MOST_CANDIDATES = 5
"""How many of the best cards a plan looks at."""


def standing(influence: int) -> float:
    """Return what it is worth to stand at ``influence``: the next point counts most near 0 and near 20."""
    if influence <= 0:
        return -WEIGHTS.all
    if influence >= WINNING_INFLUENCE:
        return WEIGHTS.all
    return (
        influence
        - WEIGHTS.low * max(0, WEIGHTS.low_from - influence) ** 2
        + WEIGHTS.high * max(0, influence - WEIGHTS.high_from) ** 2
    )


def change(influence: int, by: int) -> float:
    """Return what it is worth to a player when their influence changes ``by`` so much."""
    return standing(influence + by) - standing(influence)


def _body(power: int, threat: int, keywords: Iterable[KeywordName]) -> float:
    return (
        WEIGHTS.body
        + WEIGHTS.power * power
        + WEIGHTS.threat * threat
        + sum(KEYWORDS.get(keyword, 0.0) for keyword in keywords)
    )


def printed_worth(card: CardDef) -> float:
    """Return what ``card`` would be worth in the fleet, or as an event or mission, on a board not looked at."""
    text = TEXT[card.type] if card.abilities else 0.0
    if not card.is_unit:
        return text
    return max(0.1, _body(card.power or 0, card.threat or 0, card.keywords) + text)


def unit_worth(unit: PieceView, card: CardDef) -> float:
    """Return what a unit in play is worth; face down it counts by what is printed, as it will be restored."""
    if unit.exhausted:
        return printed_worth(card)
    beneath = WEIGHTS.beneath * len(unit.beneath)
    return max(0.1, _body(unit.power, unit.threat, unit.keywords) + beneath)


# ---------------------------------------------------------------- resources


def stacks_of(player: PlayerView, fresh: bool) -> Stacks:
    """Return the resource stacks of ``player``: those unspent, or with ``fresh`` all, as at the start of a turn."""
    made: tuple[list[int], list[int], list[int]] = ([], [], [])
    for stack in player.stacks:
        if stack.makes is not None and (fresh or not stack.exhausted):
            made[RESOURCES.index(stack.makes)].append(stack.yields)
    return (tuple(sorted(made[0])), tuple(sorted(made[1])), tuple(sorted(made[2])))


def grown(stacks: Stacks, resource: int, before: int) -> Stacks:
    """Return ``stacks`` with one of them, which made ``before``, making one more (0: a new stack)."""
    yields = list(stacks[resource])
    if before:
        yields.remove(before)
    yields.append(before + 1)
    changed = list(stacks)
    changed[resource] = tuple(sorted(yields))
    return (changed[0], changed[1], changed[2])


def next_turns(stacks: Stacks) -> Iterator[Stacks]:
    """Return what ``stacks`` can be with one resource card more: a stack larger, or a new one."""
    for resource, yields in enumerate(stacks):
        for made in {0, *yields}:
            yield grown(stacks, resource, made)


def growth(stacks: Stacks, demand: Sequence[float]) -> float:
    """Return what owning these stacks is worth to a deck with this ``demand`` for each resource."""
    income = sum(map(sum, stacks))
    hunger = max(0.0, 1 - income / WEIGHTS.enough)
    top = len(STACK_SIZES) - 1
    sizes = (
        share * sum(STACK_SIZES[min(made, top)] for made in yields)
        for share, yields in zip(demand, stacks, strict=True)
    )
    return WEIGHTS.growth * (0.3 + hunger) * sum(sizes)


def afford(stacks: Stacks, cost: Cost) -> Stacks | None:
    """Return the stacks left after paying ``cost``, or None if it cannot be paid."""
    first, second, third = (pay(yields, owed) for yields, owed in zip(stacks, cost, strict=True))
    if first is None or second is None or third is None:
        return None
    return (first, second, third)


def plan(stacks: Stacks, candidates: Sequence[Candidate]) -> float:
    """Return the most that can be played with ``stacks``: the worth of the best set of cards it pays for."""
    best = sorted((candidate for candidate in candidates if candidate[0] > 0), reverse=True)[:MOST_CANDIDATES]
    return _plan(stacks, tuple(best))


@lru_cache(maxsize=20_000)
def _plan(stacks: Stacks, candidates: tuple[Candidate, ...]) -> float:
    if not candidates:
        return 0.0
    (worth, cost), rest = candidates[0], candidates[1:]
    left = afford(stacks, cost)
    if left is None:
        return _plan(stacks, rest)
    with_it = worth + _plan(left, rest)
    if with_it >= sum(one for one, _ in rest):  # nothing can be better without it
        return with_it
    return max(with_it, _plan(stacks, rest))
