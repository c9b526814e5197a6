"""One visitor against everybody else, proved in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
def test_one_visitor_does_no_harm_and_faults_are_noticed() -> None:
    proof = short("abuse")
    assert proof["figures"]["missed"] == []
    assert proof["planted"] == {"unlimited": True, "unbounded": True, "kept": True}
    assert proof["passed"]
