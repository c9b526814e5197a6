"""All addresses of the site."""

import importlib.util

from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from . import views


def app_urls(app: str) -> list[object]:
    # Until all apps exist: those that do.
    return (
        [path("", include(f"{app}.urls"))] if apps.is_installed(app) and importlib.util.find_spec(f"{app}.urls") else []
    )


urlpatterns = [
    path("", views.home, name="home"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("healthz", views.healthz, name="healthz"),
    path("", include("ccg.server.accounts.urls")),
    path("admin/", admin.site.urls),
    *app_urls("cards_data"),
    *app_urls("decks"),
    *app_urls("matches"),
]
