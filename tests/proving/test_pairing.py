"""The proof of pairing: what it calls a miss, and its short form."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from ccg.server.proving.pairing import Looked, misses
from tests.proving import short

GOOD = Looked(paired=4, matches=2, left=1, starved=0, twice=[], waits=[2.0, 3.0], gaps=[10.0], seconds=1.0)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({}, []),
        ({"twice": ["7 sits at 2 tables"]}, ["twice"]),
        ({"paired": 3}, ["lost"]),
        ({"paired": 0, "matches": 0}, ["lost"]),
        ({"starved": 1}, ["starved"]),
        ({"waits": [1.0] * 90 + [61.0] * 10}, ["waiting"]),
    ],
)
def test_what_is_not_kept_is_named(changed: dict[str, Any], name: list[str]) -> None:
    assert misses(structs.replace(GOOD, **changed)) == name


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_nobody_is_paired_twice_and_nobody_starves(profile: str) -> None:
    figures = short("pairing", profile)["figures"]
    assert figures["matches"] > 20 and figures["mean_gap"] < figures["mean_gap_by_chance"]
