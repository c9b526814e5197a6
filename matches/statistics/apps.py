"""The Django app of the statistics."""

from __future__ import annotations

from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    """What wins how often: counted in the background, shown on pages of its own and on those of cards."""

    name = "matches.statistics"
    label = "statistics"
    verbose_name = "Statistics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who counts matches, and what the page of a card shows of them."""
        # Models can only be imported now that all apps are loaded.
        from cards_data import card_sections
        from ccg.outbox.handlers import register
        from matches.playing.archive import COUNT_TASK
        from matches.statistics import services, showing

        register(COUNT_TASK, services.handle)
        card_sections.register(35, "statistics/_card.html", showing.on_card_page)
