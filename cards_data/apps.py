"""The Django app of the card database."""

from django.apps import AppConfig


class CardsDataConfig(AppConfig):
    """Cards, sets, data versions, their pages and their API."""

    name = "cards_data"
    label = "cards_data"
    verbose_name = "Card database"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let simulated games be played, and whole collections be made into files, in the background."""
        from cards_data import api, bulk, pages, saved, trials

        trials.connect()
        saved.register("cards", saved.Kind(pages.read_for, "cards_data:list"))
        bulk.connect()
        bulk.register("cards", "Every card.", api.CardAnswer, api.all_cards)
        bulk.register("printings", "Every printing of every card.", api.PrintingAnswer, api.all_printings)
        bulk.register("sets", "Every card set.", api.SetAnswer, api.all_sets)
