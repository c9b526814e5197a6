"""The Django app of the outbox."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Rows of background work and what drains them."""

    name = "ccg.outbox"
    label = "outbox"
    verbose_name = "Outbox"
