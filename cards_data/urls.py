"""Addresses of the card database."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from cards_data import api, pages, saved_pages


class IdConverter(StringConverter):
    """What an id can look like. Other signs never reach the database (PostgreSQL refuses some of them)."""

    regex = "[A-Za-z0-9-]{1,15}"


register_converter(IdConverter, "card_id")

app_name = "cards_data"
urlpatterns = [
    path("cards/", pages.card_list, name="list"),
    path("cards/search/", pages.search_help, name="search_help"),
    path("cards/<card_id:card_id>/", pages.card, name="card"),
    path("searches/", saved_pages.save, name="save_search"),
    path("searches/<int:number>/delete/", saved_pages.remove, name="saved_search"),
    path("sets/", pages.set_list, name="sets"),
    path("sets/<card_id:code>/", pages.set_detail, name="set"),
    path("api/v1/cards/catalog.json", api.CatalogView.as_view(), name="catalog"),
    path("api/v1/cards/", api.CardList.as_view(), name="api_list"),
    path("api/v1/cards/<card_id:card_id>/", api.CardDetail.as_view(), name="api_card"),
    path("api/v1/printings/", api.PrintingList.as_view(), name="api_printings"),
    path("api/v1/printings/<card_id:card_id>/", api.PrintingDetail.as_view(), name="api_printing"),
    path("api/v1/sets/", api.SetList.as_view(), name="api_sets"),
    path("api/v1/sets/<card_id:code>/", api.SetDetail.as_view(), name="api_set"),
    path("api/v1/bulk/", api.BulkFiles.as_view(), name="api_bulk"),
    path("api/v1/bulk/<slug:name>.json", api.BulkContent.as_view(), name="api_bulk_file"),
    path("api/v1/search/cards/", api.SearchForCards.as_view(), name="api_search"),
]
