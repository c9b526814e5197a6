"""The Django app of the tables."""

from __future__ import annotations

from django.apps import AppConfig
from django.urls import register_converter


class MatchesConfig(AppConfig):
    """Tables and everything that happens at them."""

    name = "matches"
    verbose_name = "Matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work and how ids are read in addresses; listen to what happens to people."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from matches import converters, signals  # noqa: F401
        from matches.clocks import vacations
        from matches.playing import archive, computer_queue, consequences
        from matches.runners import computer_runner, vacation_moves

        register_converter(converters.MatchId, "match_id")
        register_converter(converters.InviteToken, "invite_token")
        register(consequences.ARCHIVE_TASK, archive.handle)
        register(
            computer_queue.TURN_TASK,
            computer_runner.handle_turn,
            lease=computer_runner.TURN_LEASE,
            kept=computer_runner.TURN_KEPT,
        )
        register(vacations.TASK, vacation_moves.handle)
