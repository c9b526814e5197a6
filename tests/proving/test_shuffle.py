"""Fair shuffles, in short."""

from __future__ import annotations

import pytest

from ccg.server.proving.shuffle import p_of
from tests.proving import short


@pytest.mark.ci
@pytest.mark.slow
def test_shuffles_are_fair_and_those_of_a_second_program() -> None:
    proof = short("shuffle")
    assert proof["figures"]["seed_bits"] == 512
    assert len(proof["planted"]) == 9
    assert proof["figures"]["unbound"] == 0


@pytest.mark.parametrize(("square", "freedom", "p"), [(100, 100, 0.4811), (124.342, 100, 0.05), (140.169, 100, 0.005)])
def test_the_chance_of_a_chi_square_is_that_of_the_tables(square: float, freedom: int, p: float) -> None:
    assert p_of(square, freedom) == pytest.approx(p, rel=0.02)
