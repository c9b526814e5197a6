"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from . import views

urlpatterns = [
    path("", views.home, name="home"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("healthz", views.healthz, name="healthz"),
    path("", include("ccg.server.accounts.urls")),
    path("", include("cards_data.urls")),
    path("", include("decks.urls")),
    path("", include("matches.urls")),
    path("admin/", admin.site.urls),
]
