"""How much `make test` tries of what `make thorough` tries at length."""

from __future__ import annotations

import os
from typing import Any

import pytest

AT_LENGTH = os.environ.get("AT_LENGTH") == "1"


def examples(many: int) -> int:
    """Return how many examples hypothesis is to make up: ``many`` at length, otherwise a fifth, others in each run."""
    return many if AT_LENGTH else max(10, many // 5)


def thorough(*values: object, id: str | None = None) -> Any:
    """Return parameters of a test that `make test` leaves out, as others of the same test show nearly the same."""
    return pytest.param(*values, marks=pytest.mark.thorough, id=id)


def in_ci(*values: object, id: str | None = None) -> Any:
    """Return parameters of a test that `make test` leaves to CI (decision 0017)."""
    return pytest.param(*values, marks=pytest.mark.ci, id=id)
