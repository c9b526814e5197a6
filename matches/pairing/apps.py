"""The Django app of the queues."""

from __future__ import annotations

from django.apps import AppConfig


class PairingConfig(AppConfig):
    """Queues for those who look for an opponent."""

    name = "matches.pairing"
    label = "pairing"
    verbose_name = "Queues"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who looks through the queues in which nobody keeps a page open."""
        # Models can only be imported now that all apps are loaded.
        from ccg.outbox.sweeps import register_sweep
        from matches.pairing import services

        register_sweep("matches.pairing", services.sweep, seconds=services.SWEEP_SECONDS)
