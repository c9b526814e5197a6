"""``manage.py restore FILE``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ccg.rules.saving import ENGINE_VERSION
from ccg.server.backups import BackupError, restore
from ccg.server.management.commands.serve import only_server_of


class Command(BaseCommand):
    """Puts a backup into a site without data."""

    help = "Put a backup into an empty VAR_DIR (embedded) or an empty database (full), before any server runs there."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where from."""
        parser.add_argument("file", type=Path, help="what manage.py backup has written")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it, and say what comes next."""
        alone = contextlib.nullcontext() if settings.DATABASE_URL else only_server_of(settings.VAR_DIR)
        try:
            with alone:
                about = restore(options["file"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The site is as it was at {about.made}. Run manage.py prepare now, then start the server.")
        if about.rules != str(ENGINE_VERSION):
            self.stdout.write(
                f"It was made with version {about.rules} of the rules engine and this is {ENGINE_VERSION}: manage.py"
                " prepare ends its running matches without a winner. To play them on, start the program that made it."
            )
