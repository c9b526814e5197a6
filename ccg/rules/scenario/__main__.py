"""``python -m ccg.rules.scenario PATH...``: run scenario files or folders, print ``N passed, N failed``.

They are played with the project's own cards, and with those of every card set among the folders.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ccg.rules.authoring.card_files import SETS, CardFileError, read_catalog, set_folders
from ccg.rules.cards.definitions import Catalog
from ccg.rules.errors import RulesError
from ccg.rules.scenario.files import Scenario, ScenarioError, find_files, read_each
from ccg.rules.scenario.running import Failure, run_scenario


def run_files(paths: Iterable[Path], catalog: Catalog) -> tuple[int, list[str]]:
    """Run every scenario in ``paths``; give how many passed, and a line for each that did not."""
    failed = [_run(scenario, catalog) for path in find_files(paths) for scenario in read_each(path)]
    failures = [line for line in failed if line]
    return len(failed) - len(failures), failures


def _run(scenario: Scenario | ScenarioError, catalog: Catalog) -> str:
    """Run a scenario and return what is wrong with it, which file and which scenario first; "" if it passed."""
    if isinstance(scenario, ScenarioError):
        return f"ERROR  {scenario}"
    where = f"{scenario.path}: {scenario.name}"
    try:
        run_scenario(scenario, catalog)
    except Failure as failure:
        return f"FAILED {where}: {failure}"
    except ScenarioError as error:
        return f"ERROR  {where}: {error}"
    except RulesError as error:
        return f"FAULT  {where}: {error.code}: {error}"
    return ""


def catalog_for(paths: Sequence[Path]) -> Catalog:
    """Return the project's own cards and those of the card sets in ``paths``.

    Raises :class:`~ccg.rules.authoring.card_files.CardFileError` with everything that is wrong in such a set.
    """
    own = set_folders(SETS)
    more = [path.resolve() for path in paths if (path / "set.yaml").is_file()]
    return read_catalog([*own, *(path for path in more if path not in own)])


def main(arguments: list[str]) -> int:
    """Run what the command line names; 0 only if all passed."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    paths = [Path(argument) for argument in arguments]
    try:
        passed, failures = run_files(paths, catalog_for(paths))
    except (ScenarioError, CardFileError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
