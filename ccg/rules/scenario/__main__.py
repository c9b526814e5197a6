"""``python -m ccg.rules.scenario PATH...``: run scenario files or folders, print ``N passed, N failed``.

They are played with the project's own cards, and with those of every card set among the folders.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ccg.rules.cardfiles import SETS, CardFileError, read_catalog, set_folders
from ccg.rules.cards import Catalog
from ccg.rules.errors import RulesError
from ccg.rules.scenario.files import ScenarioError, find_files, read_scenarios
from ccg.rules.scenario.running import Failure, run_scenario


def run_files(paths: Iterable[Path], catalog: Catalog) -> tuple[int, list[str]]:
    """Run every scenario in ``paths``; give how many passed, and a line for each that did not."""
    passed = 0
    failures: list[str] = []
    for path in find_files(paths):
        try:
            for scenario in read_scenarios(path):
                run_scenario(scenario, catalog)
                passed += 1
        except Failure as failure:
            failures.append(f"FAILED {path}: {failure}")
        except ScenarioError as error:
            failures.append(f"ERROR  {path}: {error}")
        except RulesError as error:
            failures.append(f"FAULT  {path}: {error.code}: {error}")
    return passed, failures


def catalog_for(paths: Sequence[Path]) -> Catalog:
    """Give the project's own cards and those of the card sets in ``paths``.

    Raises :class:`~ccg.rules.cardfiles.CardFileError` with everything that is wrong in such a set.
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
