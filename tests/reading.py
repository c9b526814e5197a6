"""What many tests read, read once in each process: the project's own cards and scenario files.

Both are shared by all tests, so none may change them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ccg.rules import Catalog
from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.scenario import LIBRARY, Scenario, read_scenarios

SCENARIOS = LIBRARY
TUTORIAL = Path(__file__).parents[1] / "docs" / "make-a-card-set" / "salvage-rights"
"""The set that docs/make-a-card-set/README.md tells of."""


@cache
def own_cards() -> Catalog:
    """Return all cards of the project's own sets; the fixture ``catalog`` is the same."""
    return read_catalog()


@cache
def scenarios_in(path: Path) -> tuple[Scenario, ...]:
    """Return the scenarios of one file; raises ScenarioError as :func:`read_scenarios` does."""
    return tuple(read_scenarios(path))
