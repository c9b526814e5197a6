"""The Django app of decks."""

from django.apps import AppConfig


class DecksConfig(AppConfig):
    """Decks, their versions, formats, pages and API."""

    name = "decks"
    verbose_name = "Decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let legality be looked at again whenever cards or formats change; let imports know what they touch; have
        decks and formats told on the pages of cards, and asked by the search for cards; let decks be reported.
        """
        from cards_data import bulk, card_sections, saved, uses
        from decks import answers, background, services
        from decks.building import collection_pages
        from decks.searching import card_pages, card_search, search
        from decks.social import reported

        background.connect()
        card_search.register()
        reported.register()
        saved.register("decks", saved.Kind(search.read_for, "decks:list"))
        bulk.register("decks", "Every public deck and starter deck.", answers.PublicDeck, answers.public_decks)
        uses.register("decks", services.count_with)
        card_sections.register(20, "decks/_card_legality.html", card_pages.legality)
        card_sections.register_personal(40, "decks/_card_owned.html", collection_pages.on_card_page)
        card_sections.register(30, "decks/_card_decks.html", card_pages.played_in)
