"""The Django app of the queues."""

from __future__ import annotations

from django.apps import AppConfig


class PairingConfig(AppConfig):
    """Queues for those who look for an opponent."""

    name = "matches.pairing"
    label = "pairing"
    verbose_name = "Queues"
    default_auto_field = "django.db.models.BigAutoField"
