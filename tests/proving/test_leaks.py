"""Twin games, in short."""

from __future__ import annotations

import pytest

from tests.proving import short


@pytest.mark.ci
@pytest.mark.slow
def test_no_message_tells_what_is_hidden() -> None:
    assert short("leaks")["figures"]["views"] > 500
