"""The Django app of the people who play."""

from django.apps import AppConfig

from ccg.outbox.handlers import register


class AccountsConfig(AppConfig):
    """Users, guests, and how both get in."""

    name = "ccg.server.accounts"
    label = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Say how mails are sent."""
        from . import mails

        register(mails.TASK, mails.handle)
