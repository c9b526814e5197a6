"""Every scenario file is a test, named after its place: ``pytest tests/test_scenarios.py -k sniper``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.cardfiles import read_catalog
from ccg.rules.scenario import ScenarioError, find_files, read_scenarios, run_scenario

SCENARIOS = Path(__file__).parent / "scenarios"


def files() -> list[Path]:
    """All scenario files that are tests."""
    return find_files([SCENARIOS])


def collected() -> Iterator[object]:
    """One test for each scenario; a file that cannot be read is one test, which says why."""
    for path in files():
        name = str(path.relative_to(SCENARIOS).with_suffix(""))
        try:
            count = sum(1 for _ in read_scenarios(path))
        except ScenarioError:
            count = 1
        for number in range(count):
            yield pytest.param(path, number, id=name if count == 1 else f"{name}#{number + 1}")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """All cards of the project's own sets."""
    return read_catalog()


@pytest.mark.parametrize(("path", "number"), list(collected()))
def test_scenario(path: Path, number: int, catalog: Catalog) -> None:
    scenario = list(read_scenarios(path))[number]
    try:
        run_scenario(scenario, catalog)
    except Exception as error:
        raise AssertionError(
            f"{path.relative_to(SCENARIOS)}: {scenario.name}\n{type(error).__name__}: {error}"
        ) from None


def test_there_are_scenarios() -> None:
    assert len(files()) >= 60
