"""Odd input, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["embedded", pytest.param("full", marks=pytest.mark.full_profile)])
def test_odd_requests_and_frames_find_no_fault(profile: str) -> None:
    figures = short("fuzz", profile)["figures"]
    assert figures["request"] > 100 and figures["frame"] > 100
