"""The Django app of the people who play."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, guests, and how both get in."""

    name = "ccg.server.accounts"
    label = "accounts"
    verbose_name = "People"
