"""The Django app of the clocks."""

from __future__ import annotations

from django.apps import AppConfig


class ClocksConfig(AppConfig):
    """The time of the site, which stands still while it is down."""

    name = "matches.clocks"
    label = "clocks"
    verbose_name = "Clocks"
    default_auto_field = "django.db.models.BigAutoField"
