"""Guessing passwords, signing out and being locked out, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.proof
def test_guessing_is_stopped_and_sockets_close_in_time() -> None:
    assert short("accounts")["figures"]["late"] == 0
