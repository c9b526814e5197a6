"""What many tests read, read once in each process: the project's own card sets and scenario files.

They are shared by all tests, so none may change them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ccg.rules import Catalog
from ccg.rules.authoring.card_files import SETS, CardSet, read_sets, set_folders
from ccg.rules.scenario import LIBRARY, Scenario, read_scenarios

SCENARIOS = LIBRARY
TUTORIAL = Path(__file__).parents[1] / "docs" / "make-a-card-set" / "salvage-rights"
"""The set that docs/make-a-card-set/README.md tells of."""


@cache
def own_sets() -> tuple[CardSet, ...]:
    """Return the project's own sets."""
    return tuple(read_sets(set_folders(SETS)))


@cache
def own_cards() -> Catalog:
    """Return all cards of the project's own sets; the fixture ``catalog`` is the same."""
    return Catalog(card for one in own_sets() for card in one.cards)


@cache
def scenarios_in(path: Path) -> tuple[Scenario, ...]:
    """Return the scenarios of one file; raises ScenarioError as :func:`read_scenarios` does."""
    return tuple(read_scenarios(path))
