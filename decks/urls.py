"""Addresses of decks."""

from django.urls import path

from decks import api
from decks.building import collection_pages, draft_pages
from decks.pages import deck, export_pages, lists, version_pages, writing
from decks.pictures import embedding
from decks.social import pages as social_pages

app_name = "decks"
urlpatterns = [
    path("decks/", lists.deck_list, name="list"),
    path("decks/search/", lists.search_help, name="search_help"),
    path("decks/mine/", lists.mine, name="mine"),
    path("decks/new/", writing.new, name="new"),
    path("decks/compare/", version_pages.compare, name="compare"),
    path("decks/blocks/", social_pages.blocks, name="blocks"),
    path("decks/by/<path:name>/", lists.author, name="author"),
    path("decks/<str:uid>/", deck.deck, name="deck"),
    path("decks/<str:uid>/v<int:number>/", deck.deck, name="version"),
    path("decks/<str:uid>/v<int:number>/copy/", version_pages.fork, name="version_copy"),
    path("decks/<str:uid>/v<int:number>/revert/", version_pages.revert, name="revert"),
    path("decks/<str:uid>/v<int:number>/draw/", social_pages.draw, name="version_draw"),
    path("decks/<str:uid>/draw/", social_pages.draw, name="draw"),
    path("decks/<str:uid>/about/", social_pages.about, name="about"),
    path("decks/<str:uid>/like/", social_pages.like, name="like"),
    path("decks/<str:uid>/comment/", social_pages.comment, name="comment"),
    path("decks/<str:uid>/comment/<int:comment>/remove/", social_pages.remove_comment, name="remove_comment"),
    path("decks/<str:uid>/comment/<int:comment>/report/", social_pages.report, name="report_comment"),
    path("decks/<str:uid>/report/", social_pages.report, name="report"),
    path("decks/<str:uid>/copy/", version_pages.fork, name="copy"),
    path("decks/<str:uid>/export/<slug:form>/", export_pages.export, name="export"),
    path("decks/<str:uid>/print/", export_pages.print_list, name="print"),
    path("decks/<str:uid>/proxies/", export_pages.proxies, name="proxies"),
    path("decks/<str:uid>/qr.svg", export_pages.qr, name="qr"),
    path("decks/<str:uid>/v<int:number>/export/<slug:form>/", export_pages.export, name="version_export"),
    path("decks/<str:uid>/v<int:number>/print/", export_pages.print_list, name="version_print"),
    path("decks/<str:uid>/v<int:number>/proxies/", export_pages.proxies, name="version_proxies"),
    path("decks/<str:uid>/v<int:number>/qr.svg", export_pages.qr, name="version_qr"),
    path("collection/", collection_pages.collection, name="collection"),
    path("collection/change/", collection_pages.change, name="collection_change"),
    path("collection/collection.csv", collection_pages.export, name="collection_file"),
    path("decks/<str:uid>/preview.png", embedding.preview, name="preview"),
    path("oembed/", embedding.oembed, name="oembed"),
    path("schema/deck.json", export_pages.schema, name="schema"),
    path("decks/drafts/token/", draft_pages.token, name="draft_token"),
    path("decks/drafts/<str:uid>/", draft_pages.DraftDetail.as_view(), name="draft"),
    path("decks/drafts/<str:uid>/publish/", draft_pages.PublishDraft.as_view(), name="publish"),
    path("decks/<str:uid>/edit/", writing.edit, name="edit"),
    path("decks/<str:uid>/settings/", deck.settings, name="settings"),
    path("decks/<str:uid>/link/", deck.link, name="link"),
    path("decks/<str:uid>/delete/", deck.delete, name="delete"),
    path("api/v1/decks/", api.DeckList.as_view(), name="api_decks"),
    path("api/v1/decks/<str:uid>/", api.DeckDetail.as_view(), name="api_deck"),
    path("api/v1/decks/<str:uid>/versions/", api.VersionList.as_view(), name="api_versions"),
    path("api/v1/decks/<str:uid>/versions/<int:number>/", api.VersionDetail.as_view(), name="api_version"),
    path("api/v1/formats/", api.FormatList.as_view(), name="api_formats"),
    path("api/v1/formats/<slug:code>/", api.FormatDetail.as_view(), name="api_format"),
    path("api/v1/search/decks/", api.SearchForDecks.as_view(), name="api_search"),
    path("api/v1/legality/", api.CheckDeck.as_view(), name="api_check"),
    path("api/v1/cards/<card_id:card_id>/legality/", api.LegalityOfCard.as_view(), name="api_card_legality"),
]
