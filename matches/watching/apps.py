"""The Django app of looking on."""

from __future__ import annotations

from django.apps import AppConfig


class WatchingConfig(AppConfig):
    """Matches that run, to be watched."""

    name = "matches.watching"
    label = "watching"
    verbose_name = "Watching"
    default_auto_field = "django.db.models.BigAutoField"
