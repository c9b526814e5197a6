"""Whether two lists of times come from the same distribution, as far as their ranks tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import sqrt
from statistics import NormalDist


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how probable ranks as unlike as these are if both lists come from one distribution.

    The two-sided rank sum test of Mann and Whitney (Annals of Mathematical Statistics 18, 1947), by the normal
    approximation with a correction for ties: for lists of twenty and more. Raises ValueError for empty lists.
    """
    few, many = len(first), len(second)
    if not few or not many:
        raise ValueError("two lists of times are needed")
    everything = few + many
    rank_sum, ties, before = 0.0, 0, 0
    labelled = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    for _, group in groupby(labelled, key=lambda pair: pair[0]):
        labels = [label for _, label in group]
        rank_sum += labels.count(0) * (before + (len(labels) + 1) / 2)
        ties += len(labels) ** 3 - len(labels)
        before += len(labels)
    variance = few * many / 12 * (everything + 1 - ties / (everything * (everything - 1)))
    if variance <= 0:
        return 1.0
    distance = abs(rank_sum - few * (everything + 1) / 2) / sqrt(variance)
    return 2 * (1 - NormalDist().cdf(distance))
