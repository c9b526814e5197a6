"""All addresses of the site."""

import importlib.util

from django.urls import include, path

from . import views


def app_urls(app: str) -> list:
    # Until all apps exist: those that do.
    return [path("", include(f"{app}.urls"))] if importlib.util.find_spec(f"{app}.urls") else []


urlpatterns = [
    path("", views.home, name="home"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("healthz", views.healthz, name="healthz"),
    path("", include("ccg.server.accounts.urls")),
    *app_urls("cards_data"),
    *app_urls("decks"),
    *app_urls("matches"),
]
