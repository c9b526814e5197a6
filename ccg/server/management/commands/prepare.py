"""``manage.py prepare``: everything the database needs before the server starts."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ccg.rules.authoring.card_files import SETS


class Command(BaseCommand):
    """Migrations, card sets, starter decks, the end of matches of older engines. Doing it again changes nothing."""

    help = "Bring the database up to date: migrations, all card sets, starter decks."

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = {"verbosity": 0, "stdout": self.stdout, "stderr": self.stderr}
        call_command("migrate", interactive=False, **quiet)
        call_command("createcachetable", **quiet)  # where the cache is in the database (ccg.server.shared_cache)
        call_command("import_set", str(SETS), games=0, remove=None, **quiet)  # what an update takes out was meant
        call_command("starter_decks", **quiet)
        call_command("end_outdated_matches", **quiet)
