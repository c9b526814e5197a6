"""``manage.py pack_archives``: have the positions packed of matches archived before positions were."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from matches.replays.packing import post_missing


class Command(BaseCommand):
    """Posts the work; the outbox does it."""

    help = "Have the positions packed of all archived matches that have none and were played with this engine."

    def handle(self, *args: Any, **options: Any) -> None:
        """Post what is missing and say how much that is."""
        self.stdout.write(f"{post_missing()} matches will be packed in the background.")
