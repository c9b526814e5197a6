"""``manage.py prepare``: everything the database needs before the server starts."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ccg.rules.cardfiles import SETS


class Command(BaseCommand):
    """Migrations, card sets, starter decks. Doing it again changes nothing and loses nothing."""

    help = "Bring the database up to date: migrations, all card sets, starter decks."

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = {"verbosity": 0, "stdout": self.stdout, "stderr": self.stderr}
        call_command("migrate", interactive=False, **quiet)
        call_command("import_set", str(SETS), games=0, **quiet)
        call_command("starter_decks", **quiet)
