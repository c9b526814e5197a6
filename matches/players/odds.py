"""What can be counted on before it is seen: mystic values, and who then wins a challenge."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from ccg.rules.cards.definitions import Catalog

SURE = 12
"""A lead in power that no two mystic values turn round."""


class Odds:
    """The spread of mystic values among all cards of a catalogue, as nobody knows the next one of a deck."""

    def __init__(self, catalog: Catalog) -> None:
        values = Counter(card.mystic for card in catalog if card.mystic is not None) or Counter({0: 1})
        total = sum(values.values())
        self.spread = {value: count / total for value, count in values.items()}
        threats = Counter(card.threat for card in catalog if card.threat) or Counter({1: 1})
        self.threats = {threat: count / sum(threats.values()) for threat, count in threats.items()}
        self._wins = [self._of(lead) for lead in range(-SURE, SURE + 1)]

    def wins(self, lead: int) -> float:
        """Return the chance that a challenger with ``lead`` more power than the defender wins (ties are its own)."""
        return self._wins[min(max(lead, -SURE), SURE) + SURE]

    def against_threat(self, power: int) -> float:
        """Return the chance that a unit of ``power`` beats a Cylon threat not yet revealed."""
        return sum(share * self.wins(power - threat) for threat, share in self.threats.items())

    def _of(self, lead: int) -> float:
        return sum(
            mine * theirs
            for a, mine in self.spread.items()
            for b, theirs in self.spread.items()
            if lead + a >= b
        )  # fmt: skip


@lru_cache(maxsize=8)
def odds_of(catalog: Catalog) -> Odds:
    """Return the odds of ``catalog``, worked out once."""
    return Odds(catalog)


Yields = tuple[int, ...]
"""What each unspent stack of one resource makes, in ascending order."""


@lru_cache(maxsize=20_000)
def pay(stacks: Yields, owed: int) -> Yields | None:
    """Return the stacks left after paying ``owed`` with the least waste, then the fewest stacks; None if it cannot."""
    if owed <= 0:
        return stacks
    best: dict[int, tuple[int, ...]] = {0: ()}
    for place, made in enumerate(stacks):
        for total, spent in list(best.items()):
            more = total + made
            if total < owed and (more not in best or len(best[more]) > len(spent) + 1):
                best[more] = (*spent, place)
    enough = [total for total in best if total >= owed]
    if not enough:
        return None
    spent = best[min(enough)]
    return tuple(made for place, made in enumerate(stacks) if place not in spent)
