"""The Django app of the fair shuffles."""

from __future__ import annotations

from django.apps import AppConfig


class ShufflesConfig(AppConfig):
    """What orders of decks are made from, and how that is checked."""

    name = "matches.shuffles"
    label = "shuffles"
    verbose_name = "Shuffles"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from matches.playing import consequences
        from matches.shuffles import publishing

        register(consequences.SHUFFLES_TASK, publishing.handle)
