"""Addresses of decks."""

from django.urls import path

from decks import api, pages

app_name = "decks"
urlpatterns = [
    path("decks/", pages.deck_list, name="list"),
    path("decks/mine/", pages.mine, name="mine"),
    path("decks/new/", pages.new, name="new"),
    path("decks/<str:uid>/", pages.deck, name="deck"),
    path("decks/<str:uid>/text/", pages.text, name="text"),
    path("decks/<str:uid>/v<int:number>/", pages.deck, name="version"),
    path("decks/<str:uid>/v<int:number>/text/", pages.text, name="version_text"),
    path("decks/<str:uid>/edit/", pages.edit, name="edit"),
    path("decks/<str:uid>/settings/", pages.settings, name="settings"),
    path("decks/<str:uid>/delete/", pages.delete, name="delete"),
    path("api/decks/check/", api.CheckDeck.as_view(), name="api_check"),
    path("api/decks/<str:uid>/", api.DeckDetail.as_view(), name="api_deck"),
]
