"""Every scenario file is a test, named after its place: ``pytest tests/test_scenarios.py -k sniper``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.scenario import Scenario, ScenarioError, find_files, run_scenario
from tests.reading import SCENARIOS, scenarios_in

FILES = find_files([SCENARIOS])


def failures(path: Path, catalog: Catalog) -> Iterator[str]:
    """Play all scenarios of a file; yield name and reason of each that fails."""
    for scenario in scenarios_in(path):
        if why := failure(scenario, catalog):
            yield f"{scenario.name}\n{why}"


def failure(scenario: Scenario, catalog: Catalog) -> str | None:
    """Play a scenario; return why it fails, None if it does not."""
    try:
        run_scenario(scenario, catalog)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(SCENARIOS))) for path in FILES])
def test_scenarios_of(path: Path, catalog: Catalog) -> None:
    if failed := list(failures(path, catalog)):
        pytest.fail("\n\n".join(failed), pytrace=False)


def test_each_scenario_of_a_file_that_fails_is_named(tmp_path: Path, catalog: Catalog) -> None:
    given = "given: {players: [{name: Ana, alert: [Raptor 101]}, {name: Ben}]}"
    file = tmp_path / "some.yaml"
    file.write_text(
        f"scenario: One\n{given}\nthen: [Ben alert has Raptor 101]\n---\n"
        f"scenario: Two\n{given}\nthen: [Ana alert has Raptor 101]\n---\n"
        f"scenario: Three\n{given}\nthen: [Ana reserve has Raptor 101]\n"
    )

    assert [said.partition("\n")[0] for said in failures(file, catalog)] == ["One", "Three"]


def test_a_file_that_cannot_be_read_fails_and_says_which(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "wrong.yaml").write_text("scenario: No position\n")

    with pytest.raises(ScenarioError, match=r"wrong\.yaml"):
        test_scenarios_of(tmp_path / "wrong.yaml", catalog)


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 60
