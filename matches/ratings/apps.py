"""The Django app of the ratings."""

from __future__ import annotations

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Ratings, the ledger that they come from, and the ladder."""

    name = "matches.ratings"
    label = "ratings"
    verbose_name = "Ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from matches.playing.consequences import RATE_TASK
        from matches.ratings import services

        register(RATE_TASK, services.handle, lease=services.LEASE)
