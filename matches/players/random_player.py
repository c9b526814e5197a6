"""The player who leaves it to chance: what a sensible one is measured against."""

from __future__ import annotations

import random

from ccg.rules import Catalog, View


class RandomPlayer:
    """Takes any option with the same probability, and never takes a move back."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.Random()

    def choose(self, view: View, catalog: Catalog) -> str:
        """Return the key of an option drawn at random."""
        assert view.decision is not None
        return self._rng.choice(view.decision.options).key
