"""Clocks that no kill moves: the whole proof in its short form, and what it calls a miss."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from ccg.server.proving.clocks import Found, misses
from tests.proving import short

GOOD = Found(errors=[12.0, -3.0], in_time=2, chosen=4, outages=[2.0])


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({}, 0),
        ({"errors": [12.0, 251.0, -2_000.0]}, 2),
        ({"lost": ["abc"]}, 1),
        ({"refused": ["late at abc"]}, 1),
        ({"in_time": 0}, 1),
        ({"errors": []}, 1),
    ],
)
def test_what_is_not_kept_is_named(changed: dict[str, Any], missed: int) -> None:
    assert len(misses(structs.replace(GOOD, **changed))) == missed


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_no_kill_costs_time(profile: str) -> None:
    figures = short("clocks", profile)["figures"]
    assert figures["lost_on_time"] == 0 and figures["chosen_in_time_with_a_second_left"] == 2
