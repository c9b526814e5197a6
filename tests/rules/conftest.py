"""What the tests of the engine share."""

from __future__ import annotations

import pytest

from ccg.rules import Catalog
from ccg.rules.cardfiles import read_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """All cards of the project's own sets."""
    return read_catalog()
