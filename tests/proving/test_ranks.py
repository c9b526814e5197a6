"""Comparing times by their ranks."""

from __future__ import annotations

import random

import pytest

from ccg.server.proving.ranks import p_value


def test_a_textbook_example() -> None:
    """Ranks 1, 2, 3 and 6 against 4, 5, 7, 8 and 9: a rank sum of 12, where 20 is expected and 16.67 the variance."""
    assert p_value([1, 2, 3, 6], [4, 5, 7, 8, 9]) == pytest.approx(0.0500, abs=0.0005)


def test_ties_share_their_ranks() -> None:
    assert p_value([1.0, 1.0, 2.0], [1.0, 1.0, 2.0]) == 1.0
    assert p_value([3.0] * 30, [3.0] * 30) == 1.0


def test_it_does_not_matter_which_is_first() -> None:
    rng = random.Random(1)
    some, others = [rng.random() for _ in range(40)], [rng.random() + 0.1 for _ in range(50)]
    assert p_value(some, others) == pytest.approx(p_value(others, some))


def test_a_shift_is_seen_and_chance_is_not() -> None:
    rng = random.Random(2)
    same = [p_value([rng.gauss(0, 1) for _ in range(50)], [rng.gauss(0, 1) for _ in range(50)]) for _ in range(400)]
    shifted = [p_value([rng.gauss(0, 1) for _ in range(50)], [rng.gauss(1.5, 1) for _ in range(50)]) for _ in range(50)]
    assert 0.02 < sum(p < 0.05 for p in same) / len(same) < 0.09
    assert all(p < 0.01 for p in shifted)


def test_there_must_be_something_to_compare() -> None:
    with pytest.raises(ValueError, match="two lists"):
        p_value([], [1.0])
