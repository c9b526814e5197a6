"""Addresses of the card database."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from cards_data import api, pages


class IdConverter(StringConverter):
    """What an id can look like. Other signs never reach the database (PostgreSQL refuses some of them)."""

    regex = "[A-Za-z0-9-]{1,15}"


register_converter(IdConverter, "card_id")

app_name = "cards_data"
urlpatterns = [
    path("cards/", pages.card_list, name="list"),
    path("cards/<card_id:card_id>/", pages.card, name="card"),
    path("sets/", pages.set_list, name="sets"),
    path("sets/<card_id:code>/", pages.set_detail, name="set"),
    path("api/cards/catalog.json", api.catalog_json, name="catalog"),
    path("api/cards/", api.CardList.as_view(), name="api_list"),
    path("api/cards/<card_id:card_id>/", api.CardDetail.as_view(), name="api_card"),
]
