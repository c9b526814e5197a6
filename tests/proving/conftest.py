"""Which proofs are run in their short form: with ``PROOFS_TURN=N`` one of six in turn, otherwise all."""

from __future__ import annotations

import os

import pytest

TURNS = 6


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the proofs whose turn it is not."""
    turn = os.environ.get("PROOFS_TURN")
    if turn is None:
        return
    proofs = [item for item in items if item.get_closest_marker("proof")]
    others = [item for place, item in enumerate(proofs) if place % TURNS != int(turn) % TURNS]
    config.hook.pytest_deselected(items=others)
    left_out = {id(item) for item in others}
    items[:] = [item for item in items if id(item) not in left_out]
