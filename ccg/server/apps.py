"""The Django app of the project itself."""

from django.apps import AppConfig


class ServerConfig(AppConfig):
    """Base templates, pages and commands of the site; loads Celery."""

    name = "ccg.server"
    label = "server"

    def ready(self) -> None:
        # Here and not in ccg/__init__.py: there, importing ccg.rules would load Celery and Django.
        from . import celery, checks  # noqa: F401
