"""The Django app of the card database."""

from django.apps import AppConfig


class CardsDataConfig(AppConfig):
    """Cards, sets, data versions, their pages and their API."""

    name = "cards_data"
    label = "cards_data"
    verbose_name = "Card database"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let simulated games be played in the background."""
        from cards_data import trials

        trials.connect()
