"""Addresses of playtests; those of what is tested lie below the deck or draft."""

from django.urls import path

from matches.playtests import pages

app_name = "playtests"
urlpatterns = [
    path("playtests/", pages.mine, name="mine"),
    path("playtests/<str:uid>/", pages.playtest, name="playtest"),
    path("playtests/<str:uid>/stop/", pages.stop, name="stop"),
    path("playtests/<str:uid>/go-on/", pages.go_on, name="go_on"),
    path("decks/drafts/<str:uid>/test/", pages.TestDraft.as_view(), name="draft"),
    path("decks/drafts/<str:uid>/try/", pages.TryDraft.as_view(), name="try"),
    path("decks/<str:uid>/test/", pages.deck, name="deck"),
    path("decks/<str:uid>/v<int:number>/test/", pages.deck, name="version"),
]
