"""``manage.py import_set PATH...``: bring card sets into the database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cards_data.imports import Changes, Imported, import_sets
from ccg.rules.cardfiles import CardFileError

SHOWN = 20


class Command(BaseCommand):
    """Check and import card sets, all or nothing; importing the same files again changes nothing."""

    help = "Import card sets: each PATH is a set folder (with set.yaml) or a folder of such folders."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take one or more paths."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        """Import, and tell what is new, changed, gone and unchanged."""
        try:
            done = import_sets(paths)
        except CardFileError as error:
            count = len(error.problems)
            listed = "\n".join(f"  {problem}" for problem in error.problems)
            raise CommandError(
                f"{count} {'problem' if count == 1 else 'problems'} found; nothing was imported.\n{listed}"
            ) from error
        if options["verbosity"] > 0:
            for line in report(done):
                self.stdout.write(line)


def report(done: Imported) -> list[str]:
    """Give the outcome of an import as lines for a person."""
    lines = [f"{one.code}  {one.name}: {len(one.printings)} printings" for one in done.sets]
    changes = done.changes
    if done.version is None:
        return [*lines, f"Nothing changed: all {changes.unchanged} cards are stored already."]
    return [*lines, *_changes(changes), f"This is {done.version}."]


def _changes(changes: Changes) -> list[str]:
    lines = [f"new cards: {len(changes.new)}, changed: {len(changes.changed)}, unchanged: {changes.unchanged}"]
    for one in changes.changed[:SHOWN]:
        said = "; ".join(f"{field.field} {field.before} -> {field.after}" for field in one.fields)
        lines.append(f"  {one.card} {one.name}: {said}")
    if len(changes.changed) > SHOWN:
        lines.append(f"  … and {len(changes.changed) - SHOWN} more")
    if changes.gone:
        lines.append(f"withdrawn (kept for old decks): {', '.join(changes.gone)}")
    if changes.new_printings or changes.changed_printings or changes.gone_printings:
        lines.append(
            f"new printings: {len(changes.new_printings)}, changed: {len(changes.changed_printings)}, "
            f"withdrawn: {len(changes.gone_printings)}"
        )
    if changes.changed_sets:
        lines.append(f"changed sets: {', '.join(changes.changed_sets)}")
    return lines
