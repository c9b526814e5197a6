"""The Django app of the project itself, and that of its admin site."""

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig


class ServerConfig(AppConfig):
    """Base templates, pages and commands of the site; loads Celery where there is a broker."""

    name = "ccg.server"
    label = "server"

    def ready(self) -> None:
        from cards_data import card_sections
        from cards_data.search import known
        from ccg.outbox.sweeps import register_sweep

        from . import card_rulings, checks, sessions  # noqa: F401
        from .played import library

        card_sections.register(10, "rules/_card_rulings.html", card_rulings.section)
        card_sections.register(12, "rules/_card_played.html", library.section)
        known.register("has", card_rulings.ruled)
        register_sweep("sessions", sessions.sweep, seconds=sessions.SWEEP_SECONDS)

        if settings.CELERY_BROKER_URL:
            # Here and not in ccg/__init__.py: there, importing ccg.rules would load Celery and Django.
            from . import celery  # noqa: F401


class AdminSiteConfig(AdminConfig):
    """Django's admin site, ours."""

    default_site = "ccg.server.admin_site.FleetAdminSite"
