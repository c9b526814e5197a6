"""Finding the share of chance that predicts matches best. No Django.

Matches are gone through in their order, as they would have been rated; each is predicted before it is counted. The
first of them only settle the skills, the next ones choose :data:`~matches.ratings.skills.BETA`, and the last, which
nothing was chosen by, show how good it predicts. The score is Brier's: the mean square of what the prediction was off,
0.25 for a coin.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from matches.ratings.skills import Skill, expected, model, rated

BETAS = (25 / 6, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 24.0, 30.0, 40.0)
"""Tried in turn; the first is what the library takes by itself."""

SETTLING, CHOOSING = 0.3, 0.4
"""Shares of the matches that settle the skills, and that choose; the rest is held out."""


class Played(Struct, frozen=True):
    """A match of two: who played, and what the first has won, 1, 0.5 or 0."""

    first: str
    second: str
    score: float


class Fit(Struct, frozen=True):
    """How one value predicts: Brier scores of the matches it is chosen by, and of those held out."""

    beta: float
    chosen_by: float
    held_out: float


class Fitted(Struct, frozen=True):
    """What came of it: all values tried, the best one, and how far its score on ``matches`` held out may be off."""

    fits: list[Fit]
    best: Fit
    matches: int
    off: float
    """Half of the 95 % interval of the score that is held out."""


def fitted(matches: Sequence[Played], betas: Sequence[float] = BETAS) -> Fitted:
    """Try ``betas`` on ``matches`` in their order. Raises ValueError if there are fewer than 50."""
    if len(matches) < 50:
        raise ValueError(f"{len(matches)} matches are too few to say anything; 50 are the least.")
    settled, chosen = int(SETTLING * len(matches)), int((SETTLING + CHOOSING) * len(matches))
    fits, best_errors = [], []
    for beta in betas:
        errors = squares(matches, beta)
        fits.append(Fit(beta, _mean(errors[settled:chosen]), _mean(errors[chosen:])))
        if fits[-1] == min(fits, key=lambda fit: fit.chosen_by):
            best_errors = errors[chosen:]
    best = min(fits, key=lambda fit: fit.chosen_by)
    mean = _mean(best_errors)
    spread = math.sqrt(_mean([(error - mean) ** 2 for error in best_errors]) / len(best_errors))
    return Fitted(fits, best, len(best_errors), 1.96 * spread)


def squares(matches: Sequence[Played], beta: float) -> list[float]:
    """Return for each match the square of what the prediction was off, made before it was counted."""
    of_beta = model(beta)
    skills: dict[str, Skill] = defaultdict(Skill)
    errors = []
    for one in matches:
        pair = [skills[one.first], skills[one.second]]
        errors.append((expected(pair[0], pair[1], of_beta) - one.score) ** 2)
        ranks = [1, 1] if one.score == 0.5 else [1, 2] if one.score else [2, 1]
        skills[one.first], skills[one.second] = rated(pair, ranks, of_beta)
    return errors


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
