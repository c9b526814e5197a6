"""Guessing passwords and signing out, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
def test_guessing_is_stopped_and_signing_out_is_heard() -> None:
    assert short("accounts")["figures"]["late"] == 0
