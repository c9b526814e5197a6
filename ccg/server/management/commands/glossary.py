"""``manage.py glossary``: write the chapter of the guide that has the words of the game."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ccg.server import glossary


class Command(BaseCommand):
    """Writes the glossary of the guide."""

    help = "Write docs/rules/guide/11-glossary.md from docs/rules/glossary.json."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        glossary.CHAPTER.write_text(glossary.chapter(), encoding="utf-8")
