"""Addresses of the card database."""

from django.urls import path

from cards_data import api, pages

app_name = "cards_data"
urlpatterns = [
    path("cards/", pages.card_list, name="list"),
    path("cards/<str:card_id>/", pages.card, name="card"),
    path("sets/", pages.set_list, name="sets"),
    path("sets/<str:code>/", pages.set_detail, name="set"),
    path("api/cards/catalog.json", api.catalog_json, name="catalog"),
    path("api/cards/", api.CardList.as_view(), name="api_list"),
    path("api/cards/<str:card_id>/", api.CardDetail.as_view(), name="api_card"),
]
