"""The public API of the card database: read only, open to all, cacheable. docs/api.md tells of all addresses."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition
from msgspec import Meta, Struct
from rest_framework.request import Request

from cards_data import bulk, catalog
from cards_data.catalog import CardData, UnknownVersion
from cards_data.export import CardFacts, CatalogFile, card_facts, catalog_file, current_file
from cards_data.models import RARITIES, BulkFile, Card, Printing, Set
from cards_data.search import cards as search
from cards_data.search import help as search_help
from cards_data.search.errors import QueryError
from cards_data.search.known import told
from cards_data.wording import reminders, requirement_words
from ccg.api import parameters
from ccg.api.answers import has, json_answer
from ccg.api.caching import keep_version
from ccg.api.errors import ApiError, Refused, answer, wrong_value
from ccg.api.pages import PAGING, Page, page_of
from ccg.api.views import ApiView, operation
from ccg.rules.authoring import card_files


class PrintingOfCard(Struct):
    """Where and as what a card is printed."""

    id: str
    set: str
    number: int
    rarity: str


class CardAnswer(CardFacts, kw_only=True):
    """A card: its facts, and everything about them that is said in words. Texts are marked text (docs/protocol.md)."""

    withdrawn: Annotated[bool, Meta(description="No longer in any set.")]
    requirement: Annotated[str, Meta(description="What a mission asks for, in words.")]
    reminders: Annotated[dict[str, str], Meta(description="What its keywords mean, by keyword.")]
    printings: Annotated[list[PrintingOfCard], Meta(description="The first one is first.")]
    url: Annotated[str, Meta(description="Its page.")]


class PrintingAnswer(Struct, kw_only=True):
    """A card in one set."""

    id: str
    card: Annotated[str, Meta(description="Id of the card: that of its first printing.")]
    name: str
    set: str
    number: int
    rarity: str
    withdrawn: bool


class SetAnswer(Struct, kw_only=True):
    """A card set."""

    code: str
    name: str
    year: int
    printings: Annotated[int, Meta(description="How many cards are printed in it.")]
    url: str


class FieldAnswer(Struct, kw_only=True):
    """A field that a search can ask for."""

    names: Annotated[list[str], Meta(description="What it is called; the first one is its own name.")]
    operators: list[str]
    meaning: str
    example: str
    words: Annotated[list[str], Meta(description="What can stand behind it; empty where anything can.")]


class FormAnswer(Struct, kw_only=True):
    """Something that can be written in a search."""

    query: str
    finds: str


class LanguageAnswer(Struct, kw_only=True):
    """A search language, as the parameter `q` takes it."""

    forms: list[FormAnswer]
    fields: list[FieldAnswer]
    missing: Annotated[str, Meta(description="How those count that lack what is asked for.")]
    bounds: str


class BulkRow(Struct, kw_only=True):
    """A file with a whole collection."""

    name: str
    told: Annotated[str, Meta(description="What is in it.")]
    count: int
    bytes: Annotated[int, Meta(description="How long it is, without gzip.")]
    built: datetime
    address: str


class BulkList(Struct):
    """All files there are by now."""

    files: list[BulkRow]


class BulkAnswer(Struct, kw_only=True):
    """A whole collection. What is in `results` is what its list has: `CardAnswer`, `PrintingAnswer`, and so on."""

    name: str
    count: int
    results: list[dict[str, Any]]


class CatalogAnswer(Struct):
    """All cards of one data version."""

    version: str
    cards: dict[str, CardFacts]


def _asked_file(request: HttpRequest) -> CatalogFile | None:
    """Return the file of the version asked for by ``v``, or the newest; None for one that never was."""
    fingerprint = request.GET.get("v", "").partition("-")[0]
    if not fingerprint:
        return current_file()
    try:
        return catalog_file(catalog.with_fingerprint(fingerprint))
    except UnknownVersion:
        return None


def _catalog_etag(request: HttpRequest) -> str | None:
    file = _asked_file(request)
    return f'"{file.version}"' if file else None


@gzip_page
@condition(etag_func=_catalog_etag)
def _catalog_json(request: HttpRequest) -> HttpResponse:
    file = _asked_file(request)
    if file is None:
        return answer(404, ApiError(code="not_found", detail="There is no such version of the card data."))
    response = HttpResponse(file.body, content_type="application/json")
    return keep_version(response, asked=request.GET.get("v"), version=file.version)


class CardView(ApiView):
    """What all card views share: nobody is asked who they are."""

    authentication_classes = ()


class CatalogView(CardView):
    """All cards in one answer."""

    @operation(
        "All cards of one data version",
        CatalogAnswer,
        parameters=[parameters.text("v", "The version, as an earlier answer said it; the newest without it.", most=80)],
        errors=[404],
        more="With the whole version as this file says it, the answer never changes and may be kept for ever. The"
        " fingerprint of a data version alone (what stands before the dash) finds its cards too, but since our words"
        " for them can still improve, it is to be asked for again.",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the file, or that it is the same as before."""
        return _catalog_json(request)


QUERY = parameters.text("q", "A search in the search language; all cards without it.", "t:ship cost<=1", 10_000)


class CardList(CardView):
    """Cards that a search finds."""

    @operation("Cards that a search finds", Page[CardAnswer], parameters=[QUERY, *PAGING], errors=[404])
    def get(self, request: Request) -> HttpResponse:
        """Return one page of cards; raises Refused for a search that cannot be read."""
        data = catalog.data()
        try:
            known = told(data)
            query = search.read(self.asked["q"] or "", data, known)
        except QueryError as error:
            raise refused(error) from None
        prepared = _prepared(data)
        ids = search.find(query, known).values_list("pk", flat=True)

        def made(page: list[str]) -> list[msgspec.Raw]:
            # A card that was imported since the data was read is in the next answer.
            return [prepared[card] for card in page if card in prepared]

        return json_answer(request, page_of(request, self.asked, ids, made))


def refused(error: QueryError) -> Refused:
    """Return the refusal of a search that cannot be read: where, what was expected, what may have been meant."""
    found = error.as_json()
    return Refused(
        400,
        found["code"],
        error.message,
        parameter="q",
        start=error.start,
        end=error.end,
        expected=error.expected,
        suggestion=error.suggestion,
    )


@lru_cache(maxsize=2)
def _prepared(data: CardData) -> dict[str, msgspec.Raw]:
    """Return every card of a data version as it stands in answers: made once, and not for each who asks for all."""
    rows = Card.objects.filter(withdrawn=False).prefetch_related("printings")
    return {row.id: msgspec.Raw(msgspec.json.encode(card_answer(row))) for row in rows}


class CardDetail(CardView):
    """One card."""

    @operation("One card, by its own id or that of any of its printings", CardAnswer, errors=[404])
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """Return the card, withdrawn ones too; 404 for an id that no card ever had."""
        printing = Printing.objects.filter(pk=card_id.upper()).select_related("card").first()
        if printing is None:
            raise Http404
        return json_answer(request, card_answer(printing.card))


class PrintingList(CardView):
    """Cards in their sets."""

    @operation(
        "Printings: cards in their sets, with number and rarity",
        Page[PrintingAnswer],
        parameters=[
            parameters.text("set", "Only those of the set with this code.", "BSG1", 10),
            parameters.text("card", "Only those of the card with this id.", "BSG1-136", 15),
            parameters.choice("rarity", "Only those of this rarity.", [code for code, _ in RARITIES]),
            *PAGING,
        ],
        errors=[404],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return one page of printings, by set and number."""
        rows = Printing.objects.filter(withdrawn=False).select_related("card").order_by("set__year", "set", "number")
        code, card, rarity = (self.asked[name] for name in ("set", "card", "rarity"))
        if code:
            codes = list(_sets().values_list("code", flat=True))
            if code.upper() not in codes:
                raise wrong_value("set", code, codes)
            rows = rows.filter(set_id=code.upper())
        if card:
            if not Card.objects.filter(pk=card.upper()).exists():
                raise wrong_value("card", card, ["the id of a card"])
            rows = rows.filter(card_id=card.upper())
        if rarity:
            rows = rows.filter(rarity=rarity)
        return json_answer(request, page_of(request, self.asked, rows, lambda page: [_printing(one) for one in page]))


class PrintingDetail(CardView):
    """One printing."""

    @operation("One printing", PrintingAnswer, errors=[404])
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """Return the printing with this id; 404 for an id that none ever had."""
        row = Printing.objects.filter(pk=card_id.upper()).select_related("card").first()
        if row is None:
            raise Http404
        return json_answer(request, _printing(row))


class SetList(CardView):
    """All card sets."""

    @operation("Card sets", Page[SetAnswer], parameters=PAGING, errors=[404])
    def get(self, request: Request) -> HttpResponse:
        """Return one page of sets, the oldest first."""
        return json_answer(request, page_of(request, self.asked, _sets(), lambda page: [_set(one) for one in page]))


class SetDetail(CardView):
    """One card set."""

    @operation("One card set", SetAnswer, errors=[404])
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the set with this code."""
        row = _sets().filter(pk=code.upper()).first()
        if row is None:
            raise Http404
        return json_answer(request, _set(row))


class SearchForCards(CardView):
    """What a search for cards can say."""

    @operation("The language in which cards are searched: every field, with the words that it knows", LanguageAnswer)
    def get(self, request: Request) -> HttpResponse:
        """Return the fields of the language with the words of the newest cards."""
        data = catalog.data()
        rows = search_help.rows(search.LANGUAGE, {**search.vocabulary(data), **told(data).words()})
        return json_answer(request, language_answer(rows, search_help.FORMS, search_help.MISSING))


class BulkFiles(CardView):
    """Which files there are."""

    @operation("Files with whole collections, made in the background", BulkList)
    def get(self, request: Request) -> HttpResponse:
        """Return those that are made."""
        rows = [
            BulkRow(
                name=row.name,
                told=bulk.KINDS[row.name].told,
                count=row.count,
                bytes=row.size,
                built=row.built,
                address=request.build_absolute_uri(reverse("cards_data:api_bulk_file", args=[row.name])),
            )
            for row in BulkFile.objects.defer("content").filter(built__isnull=False, name__in=bulk.KINDS)
        ]
        return json_answer(request, BulkList(rows))


class BulkContent(CardView):
    """One file."""

    @operation("A whole collection", BulkAnswer, errors=[404], more="Sent with gzip to whoever takes that.")
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the file; 404 for one that there is not, or not yet."""
        row = BulkFile.objects.filter(pk=name, built__isnull=False).first() if name in bulk.KINDS else None
        if row is None:
            raise Http404
        return kept_body(request, bytes(row.content), row.etag)


def kept_body(request: Request, packed: bytes, etag: str) -> HttpResponse:
    """Return a body that is kept with gzip, as it is or unpacked; 304 for whoever has it already."""
    response = HttpResponse(content_type="application/json")
    if has(request, etag):
        response = HttpResponse(status=304)
    elif "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = packed
        response["Content-Encoding"] = "gzip"
    else:
        response.content = gzip.decompress(packed)
    response["ETag"] = etag
    patch_vary_headers(response, ("Accept-Encoding",))
    patch_cache_control(response, public=True, no_cache=True)
    return response


def all_cards() -> Iterator[Any]:
    """Yield every card as the API says it, for the file of all."""
    yield from _prepared(catalog.data()).values()


def all_printings() -> Iterator[PrintingAnswer]:
    """Yield every printing as the API says it, for the file of all."""
    for row in Printing.objects.filter(withdrawn=False).select_related("card"):
        yield _printing(row)


def all_sets() -> Iterator[SetAnswer]:
    """Yield every set as the API says it, for the file of all."""
    for row in _sets():
        yield _set(row)


def language_answer(rows: list[search_help.Row], written: Iterable[tuple[str, str]], missing: str) -> LanguageAnswer:
    """Return a search language as the API tells it: what can be ``written``, and how ``missing`` values count."""
    fields = [
        FieldAnswer(
            names=list(row.names),
            operators=list(row.operators),
            meaning=row.field.meaning,
            example=row.field.example,
            words=list(row.words),
        )
        for row in rows
    ]
    forms = [FormAnswer(query=query, finds=finds) for query, finds in written]
    return LanguageAnswer(forms=forms, fields=fields, missing=missing, bounds=search_help.BOUNDS)


def card_answer(row: Card) -> CardAnswer:
    """Return a card as the API says it."""
    card = row.definition
    printings = sorted(row.printings.all(), key=lambda printing: not printing.first)
    first, *again = _as_in_files(row, printings)
    facts = card_facts(card, first, again)
    return CardAnswer(
        **{name: getattr(facts, name) for name in CardFacts.__struct_fields__},
        withdrawn=row.withdrawn,
        requirement=requirement_words(card.requires),
        reminders={reminder.keyword: reminder.text for reminder in reminders(card)},
        printings=[PrintingOfCard(one.id, one.set_id, one.number, one.rarity) for one in printings],
        url=row.get_absolute_url(),
    )


def _as_in_files(row: Card, printings: list[Printing]) -> list[card_files.Printing]:
    """Return rows of printings as card files have them."""
    return [
        card_files.Printing(id=one.id, card=row.id, set=one.set_id, number=one.number, rarity=one.rarity)
        for one in printings
    ]


def _printing(row: Printing) -> PrintingAnswer:
    return PrintingAnswer(
        id=row.id,
        card=row.card_id,
        name=row.card.name,
        set=row.set_id,
        number=row.number,
        rarity=row.rarity,
        withdrawn=row.withdrawn,
    )


def _sets() -> Any:
    return Set.objects.annotate(size=Count("printings", filter=Q(printings__withdrawn=False)))


def _set(row: Any) -> SetAnswer:
    address = reverse("cards_data:set", args=[row.code])
    return SetAnswer(code=row.code, name=row.name, year=row.year, printings=row.size, url=address)
