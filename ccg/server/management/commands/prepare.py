"""``manage.py prepare``: everything the database needs before the server starts."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from cards_data import bulk
from cards_data.imports import renew_words
from ccg.rules.authoring.card_files import SETS
from decks.pictures import previews


class Command(BaseCommand):
    """Migrations, card sets, their words, starter decks, pictures of decks, the end of matches of older engines.

    Doing it again changes nothing.
    """

    help = "Bring the database up to date: migrations, all card sets, starter decks."

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = {"verbosity": 0, "stdout": self.stdout, "stderr": self.stderr}
        call_command("migrate", interactive=False, **quiet)
        call_command("createcachetable", **quiet)  # where the cache is in the database (ccg.server.shared_cache)
        call_command("import_set", str(SETS), games=0, remove=None, **quiet)  # what an update takes out was meant
        if renew_words():
            bulk.request_all()
        bulk.request_missing()
        call_command("starter_decks", **quiet)
        previews.ask_for_all()
        call_command("end_outdated_matches", **quiet)
