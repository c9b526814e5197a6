"""The Django app of decks."""

from django.apps import AppConfig


class DecksConfig(AppConfig):
    """Decks, their versions, formats, pages and API."""

    name = "decks"
    verbose_name = "Decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let legality be looked at again whenever cards or formats change; let imports know what they touch."""
        from cards_data import uses
        from decks import background, services

        background.connect()
        uses.register("decks", services.count_with)
