"""Servers and workers killed while matches are played, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_nothing_acknowledged_is_lost_and_nothing_done_twice(profile: str) -> None:
    proof = short("faults", profile)
    assert proof["figures"]["kills"] > 0 and proof["figures"]["by_correspondence"] > 0
    assert set(proof["planted"]) == {"a move lost", "a state swapped", "a move doubled", "ack before commit"}
