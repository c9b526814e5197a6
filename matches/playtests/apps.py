"""The Django app of the playtests."""

from __future__ import annotations

from django.apps import AppConfig


class PlaytestsConfig(AppConfig):
    """Games that computers play to find out how good a deck is."""

    name = "matches.playtests"
    label = "playtests"
    verbose_name = "Playtests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from matches.playtests import services

        register(services.TASK, services.handle)
