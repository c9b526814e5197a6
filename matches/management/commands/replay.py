"""``manage.py replay MATCH``: play a stored match again and compare it hash for hash."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cards_data.catalog import UnknownVersion
from ccg.rules import StateError
from ccg.rules.saving import ENGINE_VERSION
from matches.models import Match
from matches.playing import archive


class Command(BaseCommand):
    """Lets the engine make all stored moves of matches again, from the seed on."""

    help = "Play stored matches again from their moves and compare the digest after each of them."

    def add_arguments(self, parser: CommandParser) -> None:
        """The ids of matches, or ``--all``."""
        parser.add_argument("matches", nargs="*", metavar="MATCH", help="id of a match, as in its address")
        parser.add_argument(
            "--all", action="store_true", help="every match that has begun with this version of the engine"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay each and say how it went; fail if one of them did not come out as it is stored.

        Of ``--all``, what another version of the engine played is left out: only that could play it again.
        """
        begun = Match.objects.exclude(catalog="")
        ids = options["matches"]
        if options["all"]:
            ids = list(begun.filter(engine_version=str(ENGINE_VERSION)).values_list("public_id", flat=True))
            if older := begun.count() - len(ids):
                self.stdout.write(f"{older} of other versions of the engine left out: their moves cannot be made again")
        elif not ids:
            raise CommandError("Name a match, or say --all.")
        different = sum(not self._replay(match_id) for match_id in ids)
        if different:
            raise CommandError(f"{different} of {len(ids)} did not come out as stored.")

    def _replay(self, match_id: str) -> bool:
        match = Match.objects.exclude(catalog="").filter(public_id=match_id).first()
        if match is None:
            self.stderr.write(f"{match_id}: there is no such match, or it has not begun")
            return False
        try:
            played = archive.replay(match)
        except (StateError, UnknownVersion) as error:
            self.stderr.write(f"{match_id}: {error}")
            return False
        if played.difference is not None:
            self.stderr.write(f"{match_id}: DIFFERENT at version {played.difference.version}: {played.difference.what}")
            return False
        self.stdout.write(
            f"{match_id}: {played.moves} moves, every digest equal, final {played.digest}, {_result_in_words(played)}"
        )
        return True


def _result_in_words(played: archive.Replayed) -> str:
    if played.result is None:
        return "still running"
    winners = ", ".join(f"seat {seat}" for seat in played.result["winners"])
    return f"{'won by ' + winners if winners else 'a draw'} ({played.result['reason']})"
