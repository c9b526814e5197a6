"""Who is paired with whom: the nearest in strength, within bounds that widen with waiting. No Django."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from matches.ratings.skills import POINTS_A_MU

FIRST_GAP = 150.0
"""Points of rating between two who are paired at once."""
GAP_A_SECOND = 10.0
ANY_GAP_AFTER = 45.0
"""Seconds after which anybody will do."""


class Waiting(Struct, frozen=True):
    """Somebody who waits: the row of their entry, who they are, how strong, and for how many seconds."""

    entry: int
    user: int
    mu: float
    waited: float


Pair = tuple[int, int]


def pair_of(one: int, other: int) -> Pair:
    """Return two ids as a pair, the lower first."""
    return min(one, other), max(one, other)


def widest_gap(waited: float) -> float:
    """Return how many points an opponent may be away from somebody who has waited for so many seconds."""
    return float("inf") if waited >= ANY_GAP_AFTER else FIRST_GAP + GAP_A_SECOND * max(0.0, waited)


def seconds_until_near(one: Waiting, other: Waiting) -> float:
    """Return for how many seconds two who both wait are still too far apart in strength; 0 if they are not."""
    gap, waited = POINTS_A_MU * abs(one.mu - other.mu), max(one.waited, other.waited)
    if gap <= widest_gap(waited):
        return 0.0
    return min(ANY_GAP_AFTER, (gap - FIRST_GAP) / GAP_A_SECOND) - waited


def chosen(waiting: Sequence[Waiting], refused: Collection[Pair]) -> list[tuple[Waiting, Waiting]]:
    """Return pairs: who has waited longest gets the nearest opponent there is, and so on.

    ``refused`` are pairs of users that are not to meet.
    """
    by_strength = sorted(waiting, key=lambda one: (one.mu, one.entry))
    place = {one.entry: at for at, one in enumerate(by_strength)}
    free = [True] * len(by_strength)
    pairs = []
    for one in sorted(waiting, key=lambda one: (-one.waited, one.entry)):
        at = place[one.entry]
        if not free[at]:
            continue
        free[at] = False
        for other in _nearest(by_strength, free, at):
            if POINTS_A_MU * abs(by_strength[other].mu - one.mu) > widest_gap(one.waited):
                break
            if pair_of(one.user, by_strength[other].user) not in refused:
                free[other] = False
                pairs.append((one, by_strength[other]))
                break
    return pairs


def _nearest(by_strength: Sequence[Waiting], free: Sequence[bool], at: int) -> Iterator[int]:
    """Yield the places of those who are free, the nearest to the one at ``at`` first."""
    below, above, mu = at - 1, at + 1, by_strength[at].mu
    while True:
        while below >= 0 and not free[below]:
            below -= 1
        while above < len(by_strength) and not free[above]:
            above += 1
        if below < 0 and above >= len(by_strength):
            return
        if above >= len(by_strength) or (below >= 0 and mu - by_strength[below].mu <= by_strength[above].mu - mu):
            yield below
            below -= 1
        else:
            yield above
            above += 1
