"""``manage.py starter_decks``: put the decks that come with the site into the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from decks import services, starter_decks


class Command(BaseCommand):
    """Load the starter decks; loading them again changes nothing."""

    help = "Load the starter decks from their text lists. Import the card sets first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take another folder of lists, for sites with decks of their own."""
        parser.add_argument("folder", nargs="?", type=Path, default=starter_decks.STARTERS)

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, and say what there is now."""
        try:
            decks = starter_decks.load_starters(options["folder"])
        except services.DeckError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(decks)} starter decks: {', '.join(str(deck) for deck in decks)}")
