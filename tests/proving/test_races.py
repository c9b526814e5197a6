"""Two at once, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_of_two_at_once_exactly_one_is_accepted(profile: str) -> None:
    figures = short("races", profile)["figures"]
    assert figures["wrong"] == 0 and figures["two tabs"] > 10 and figures["join"] > 0 and figures["concede"] > 0
