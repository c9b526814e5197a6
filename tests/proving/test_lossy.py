"""Hints that are lost, doubled and late, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
def test_everybody_has_the_right_view_within_seconds() -> None:
    assert short("lossy")["figures"]["wrong_or_late"] == 0
