"""``manage.py handovers``: how often the seat to decide changes in a match, and how much of that the site answers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ccg.rules.authoring.card_files import read_catalog
from matches.orders.handovers import count, report
from matches.players.duel import starter_decks


class Command(BaseCommand):
    """Counts hand-overs in matches of computers with starter decks."""

    help = "Count how often the seat to decide changes in a match (docs/standing-orders.md)."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take how many matches, of how many players, and the seed."""
        parser.add_argument("--matches", type=int, default=100)
        parser.add_argument("--players", type=int, default=2)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        """Play and print."""
        decks, catalog = starter_decks(), read_catalog()
        self.stdout.write(report(count(options["matches"], options["seed"], decks, catalog, options["players"])))
