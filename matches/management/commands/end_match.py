"""``manage.py end_match MATCH``: end a running match without winner or loser."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches.playing import moves


class Command(BaseCommand):
    """For tables at which card texts leave nothing that can be chosen, and nobody wants to concede for it."""

    help = "End running matches as draws: those where every option is refused as a fault of the cards."

    def add_arguments(self, parser: CommandParser) -> None:
        """The ids of matches."""
        parser.add_argument("matches", nargs="+", metavar="MATCH", help="id of a match, as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        """End each of them and tell its table; fail if one is not running."""
        for match_id in options["matches"]:
            command = moves.EndInDraw(id=moves.site_id("ended", secrets.token_hex(8)))
            outcome = moves.act(match_id, moves.Actor.runs_the_site(), command)
            if isinstance(outcome, moves.Refusal):
                raise CommandError(f"{match_id}: {outcome.message}")
            self.stdout.write(f"{match_id}: ended without winner or loser at version {outcome.version}.")
