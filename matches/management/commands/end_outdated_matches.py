"""``manage.py end_outdated_matches``: end what an older version of the rules program has begun."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from matches.lobby import outdated


class Command(BaseCommand):
    """Part of ``manage.py prepare``, which is run after each update."""

    help = "End running matches that were saved by an older version of the rules program."

    def handle(self, *args: Any, **options: Any) -> None:
        """End them without winner or loser, and say how many there were."""
        ended = outdated.end_outdated()
        if ended:
            self.stdout.write(f"Ended {ended} match{'es' * (ended > 1)} of an older version of the rules program.")
