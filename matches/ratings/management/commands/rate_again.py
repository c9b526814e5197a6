"""``manage.py rate_again``: compute all ratings anew from the ledger."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.ratings import services

SHOWN = 20


class Command(BaseCommand):
    """Without options it only compares; with --write it stores what the ledger comes to."""

    help = "Compute all ratings anew from the ledger and compare them with what is stored, to the last digit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to store."""
        parser.add_argument(
            "--write", action="store_true", help="store the ratings computed anew, as after a change of the model"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, or store; fail where what is stored differs."""
        if options["write"]:
            self.stdout.write(f"{services.rate_again()} matches rated again.")
        matches, differences = services.computed_again()
        for one in differences[:SHOWN]:
            self.stdout.write(f"{one.row}: stored {one.stored}, computed {one.computed}")
        if differences:
            raise CommandError(f"{len(differences)} rows differ from what {matches} matches of the ledger come to.")
        self.stdout.write(f"{matches} matches of the ledger come to what is stored.")
