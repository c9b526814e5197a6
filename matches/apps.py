"""The Django app of the tables."""

from __future__ import annotations

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Tables and everything that happens at them."""

    name = "matches"
    verbose_name = "Matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work, and listen to what happens to people."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from matches import archive, computer_queue, computer_runner, moves, signals  # noqa: F401

        register(moves.ARCHIVE_TASK, archive.pack_up)
        register(computer_queue.TURN_TASK, computer_runner.handle_turn)
