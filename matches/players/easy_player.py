"""The computer player for beginners: it leaves to chance which of the harmless options it takes.

It knows what harms itself, by the judgement of the sensible player, and does none of it: it pays as proposed, aims
what hurts at others, defends and challenges where that is no loss. What it lacks is a plan: the best option is no
likelier than any other, and doing nothing is one of them.
"""

from __future__ import annotations

import random

from ccg.rules import Catalog, View
from matches.players.heuristic_player import scores

SLACK = 0.5
"""Where every option costs something: how much more than the least, in points of influence, it may cost."""


class EasyPlayer:
    """Chooses at random among the options that do not harm itself."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.Random()

    def choose(self, view: View, catalog: Catalog) -> str:
        """Return the key of an option that does no harm to the player who sees ``view``."""
        decision = view.decision
        assert decision is not None and decision.options
        if decision.kind == "payment" and decision.proposal:
            return decision.proposal[0]
        return self._rng.choice(harmless(scores(view, catalog)))


def harmless(score: dict[str, float]) -> list[str]:
    """Return the options worth no less than doing nothing; where there is none, those that cost about the least."""
    best = max(score.values())
    enough = 0.0 if best >= 0 else best - SLACK
    return [key for key, points in score.items() if points >= enough]
