"""``manage.py count_again``: count all archived matches anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.statistics import services

SHOWN = 20


class Command(BaseCommand):
    """Without options it only compares; with --write it stores what the archives come to."""

    help = "Count the statistics anew from the archives and compare them with what is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to store."""
        parser.add_argument("--write", action="store_true", help="store the numbers counted anew")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, or store; fail where what is stored differs."""
        if options["write"]:
            self.stdout.write(f"{services.count_again()} matches counted again.")
        matches, waiting, differences = services.compared()
        for one in differences[:SHOWN]:
            self.stdout.write(f"{one.row}: stored {one.stored}, computed {one.computed}")
        if waiting:
            self.stdout.write(f"{waiting} more matches wait in the outbox to be counted.")
        if differences:
            raise CommandError(f"{len(differences)} rows differ from what {matches} archived matches come to.")
        self.stdout.write(f"{matches} archived matches come to what is stored.")
