"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from . import docs_pages, rules_data, rules_pages, search_pages, views
from .api.urls import nothing_else
from .monitoring import views as monitoring
from .played import pages as played

handler429 = "ccg.server.too_often.handler429"  # what allauth answers with
handler500 = "ccg.server.outages.server_error"

urlpatterns = [
    path("", views.home, name="home"),
    path("search/", search_pages.search, name="search"),
    path("how-to-play/", views.how_to_play, name="how_to_play"),
    path("rules/", rules_pages.rules, name="rules"),
    path("rules/clauses/", rules_pages.all_clauses, name="rules_clauses"),
    path("rules/rulings/", rules_pages.all_rulings, name="rules_rulings"),
    path("rules/played/", played.index, name="played_index"),
    path("rules/played/<path:address>/positions.json", played.data, name="played_data"),
    path("rules/played/<path:address>/", played.page, name="played"),
    path("rules/data.json", rules_data.data, name="rules_data"),
    path("rules/<slug:slug>/", rules_pages.chapter, name="rules_chapter"),
    path("docs/make-a-card-set/", docs_pages.page, name="make_a_card_set"),
    path("docs/make-a-card-set/salvage-rights.zip", docs_pages.salvage_rights, name="salvage_rights"),
    path("docs/ability-language/", docs_pages.page, name="ability_language"),
    path("docs/card-files/", docs_pages.page, name="card_files"),
    path("docs/scenarios/", docs_pages.page, name="scenarios"),
    path("schema/card-set.json", docs_pages.schema, name="card_set_schema"),
    path("healthz", monitoring.healthz, name="healthz"),
    path("readyz", monitoring.readyz, name="readyz"),
    path("metrics", monitoring.metrics, name="metrics"),
    path("", include("matches.notices.urls")),
    path("", include("ccg.server.accounts.urls")),
    path("", include("ccg.server.api.urls")),
    path("", include("cards_data.urls")),
    path("", include("decks.urls")),
    path("", include("matches.urls")),
    path("", include("matches.playtests.urls")),
    path("", include("matches.ratings.urls")),
    path("", include("matches.statistics.urls")),
    path("", include("matches.replays.urls")),
    path("", include("matches.pairing.urls")),
    path("", include("matches.shuffles.urls")),
    path("admin/", admin.site.urls),
    *nothing_else,
]
