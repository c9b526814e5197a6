"""``manage.py backup FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.server.backups import BackupError, back_up


class Command(BaseCommand):
    """Writes everything that the site cannot make again to one file, while it runs."""

    help = "Write the database and the secret key to one new file. Servers and workers may go on meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to."""
        parser.add_argument("file", type=Path, help="a file that does not exist yet, such as fleet-2026-11-24.tar.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        try:
            back_up(options["file"].absolute())
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Everything is in {options['file']}. Whoever has it has all secrets of the site.")
