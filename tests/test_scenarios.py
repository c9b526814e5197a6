"""Every scenario file is a test, named after its place: ``pytest tests/test_scenarios.py -k sniper``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.scenario import Scenario, ScenarioError, find_files, run_scenario
from tests.reading import SCENARIOS, scenarios_in


def collected(folder: Path = SCENARIOS) -> Iterator[tuple[str, Scenario | ScenarioError]]:
    """Yield name and scenario for each test; a file that cannot be read is one test, which says why."""
    for path in find_files([folder]):
        name = str(path.relative_to(folder).with_suffix(""))
        try:
            scenarios = scenarios_in(path)
        except ScenarioError as error:
            yield name, error
            continue
        for number, scenario in enumerate(scenarios, start=1):
            yield name if len(scenarios) == 1 else f"{name}#{number}", scenario


@pytest.mark.parametrize("scenario", [pytest.param(scenario, id=name) for name, scenario in collected()])
def test_scenario(scenario: Scenario | ScenarioError, catalog: Catalog) -> None:
    if isinstance(scenario, ScenarioError):
        raise scenario
    try:
        run_scenario(scenario, catalog)
    except Exception as error:
        where = scenario.path.relative_to(SCENARIOS)
        raise AssertionError(f"{where}: {scenario.name}\n{type(error).__name__}: {error}") from None


def test_a_file_that_cannot_be_read_is_a_test_that_says_so(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "good.yaml").write_text(
        "scenario: One\ngiven: {players: [{name: Ana}, {name: Ben}]}\n---\n"
        "scenario: Two\ngiven: {players: [{name: Ana}, {name: Ben}]}\n"
    )
    (tmp_path / "wrong.yaml").write_text("scenario: No position\n")

    tests = dict(collected(tmp_path))

    assert list(tests) == ["good#1", "good#2", "wrong"]
    with pytest.raises(ScenarioError, match=r"wrong\.yaml"):
        test_scenario(tests["wrong"], catalog)


def test_there_are_scenarios() -> None:
    assert len(find_files([SCENARIOS])) >= 60
