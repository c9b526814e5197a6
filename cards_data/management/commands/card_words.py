"""``manage.py card_words``: write the words of all cards to docs/cards.md."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cards_data.words_page import PAGE, words_page
from ccg.rules.authoring.card_files import SETS, read_sets, set_folders


class Command(BaseCommand):
    """Writes docs/cards.md."""

    help = "Generate docs/cards.md: the words of all cards."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--check`` writes nothing and fails where the file is stale."""
        parser.add_argument("--check", action="store_true", help="Write nothing; fail if the file is stale.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, or check it."""
        text = words_page(read_sets(set_folders(SETS)))
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return
        if options["check"]:
            raise CommandError(f"Run make words: docs/{PAGE.name} would change.")
        PAGE.write_text(text, encoding="utf-8")
        self.stdout.write(f"wrote docs/{PAGE.name}")
