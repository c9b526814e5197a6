"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from . import rules_pages, views

urlpatterns = [
    path("", views.home, name="home"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("rules/", rules_pages.rules, name="rules"),
    path("rules/clauses/", rules_pages.all_clauses, name="rules_clauses"),
    path("rules/rulings/", rules_pages.all_rulings, name="rules_rulings"),
    path("rules/<slug:slug>/", rules_pages.chapter, name="rules_chapter"),
    path("healthz", views.healthz, name="healthz"),
    path("", include("ccg.server.accounts.urls")),
    path("", include("cards_data.urls")),
    path("", include("decks.urls")),
    path("", include("matches.urls")),
    path("admin/", admin.site.urls),
]
