"""The Django app of the replays."""

from __future__ import annotations

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Finished matches, to be looked at again."""

    name = "matches.replays"
    label = "replays"
    verbose_name = "Replays"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who does our background work, and that people report mistakes of the rules at a point of a match."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.handlers import register
        from decks.social import moderation
        from matches.replays import packing
        from matches.replays.models import REPORTED

        register(packing.TASK, packing.handle)
        at_a_point = moderation.Kind("Match", find=lambda address: moderation.Place(address, address))
        moderation.register(REPORTED, at_a_point)
