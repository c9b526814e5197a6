"""The Django app of the outbox."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Rows of background work and what drains them."""

    name = "ccg.outbox"
    label = "outbox"
    verbose_name = "Outbox"

    def ready(self) -> None:
        from . import services
        from .sweeps import register_sweep

        register_sweep("outbox", services.sweep, seconds=services.SWEEP_SECONDS)
