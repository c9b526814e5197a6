"""The Django app of standing orders."""

from __future__ import annotations

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """What the site answers for players."""

    name = "matches.orders"
    label = "orders"
    verbose_name = "Standing orders"
    default_auto_field = "django.db.models.BigAutoField"
