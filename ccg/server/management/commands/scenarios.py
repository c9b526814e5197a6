"""``manage.py scenarios PATH... [--coverage] [--write]``: run scenario files against the project's own cards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.rules import Catalog
from ccg.rules.authoring.card_files import CardFileError
from ccg.rules.scenario import Scenario, ScenarioError, find_files, read_each
from ccg.rules.scenario.__main__ import catalog_for, run_files
from ccg.rules.scenario.coverage import coverage, data, page, read_clauses, read_rulings


class Command(BaseCommand):
    """Run scenarios; the same as ``python -m ccg.rules.scenario``, with the coverage of clauses and rulings."""

    help = (
        "Run scenario files or folders, and tell which clauses and rulings they show; "
        "a card set's own if PATH is the folder of a set."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path)
        parser.add_argument("--coverage", action="store_true", help="tell which clauses and rulings are shown")
        parser.add_argument(
            "--write", action="store_true", help="write docs/rules/coverage.md and coverage.json as well"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            catalog = catalog_for(options["paths"])
            passed, failures = run_files(options["paths"], catalog)
        except (ScenarioError, CardFileError) as error:
            raise CommandError(str(error)) from error
        for line in failures:
            self.stdout.write(line)
        complete = self._coverage(options["paths"], catalog, options["write"]) if options["coverage"] else True
        self.stdout.write(f"{passed} passed, {len(failures)} failed")
        if failures or not complete:
            sys.exit(1)

    def _coverage(self, paths: list[Path], catalog: Catalog, write: bool) -> bool:
        rules = Path(settings.BASE_DIR) / "docs" / "rules"
        clauses = read_clauses(rules / "clauses.yaml")
        rulings = read_rulings(rules / "rulings.md")
        read = (scenario for file in find_files(paths) for scenario in read_each(file))  # errors are told already
        covered = coverage(clauses, rulings, (s for s in read if isinstance(s, Scenario)))
        for name in covered.missing:
            self.stdout.write(f"nothing shows {name}")
        for line in covered.unknown:
            self.stdout.write(line)
        shown = sum(bool(where) for where in covered.clauses.values())
        ruled = sum(bool(where) for where in covered.rulings.values())
        self.stdout.write(f"{shown} of {len(clauses)} clauses, {ruled} of {len(rulings)} rulings covered")
        if write:
            (rules / "coverage.json").write_text(data(covered), encoding="utf-8")
            (rules / "coverage.md").write_text(page(clauses, covered, catalog), encoding="utf-8")
        return not covered.missing and not covered.unknown
