"""Searches in numbers, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_all_evaluations_find_the_same_and_nothing_is_too_odd(profile: str) -> None:
    figures = short("search", profile)["figures"]
    assert figures["queries"] >= 300 and figures["refused"] > 100
