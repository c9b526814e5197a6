"""``python -m ccg.rules.scenario PATH...``: run scenario files or folders, print ``N passed, N failed``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from ccg.rules.cardfiles import read_catalog
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


def main(arguments: list[str]) -> int:
    """Run what the command line names; 0 only if all passed."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        passed, failures = run_files(map(Path, arguments), read_catalog())
    except ScenarioError as error:
        print(error, file=sys.stderr)
        return 2
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
