"""The API of decks, formats and legality. docs/api.md tells of all addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from cards_data import catalog as cards_data
from cards_data.api import LanguageAnswer, language_answer, refused
from cards_data.search import help as search_help
from cards_data.search.errors import QueryError
from ccg.api import parameters
from ccg.api.answers import etag_of, json_answer
from ccg.api.bodies import BoundedJSONParser, taken
from ccg.api.errors import Refused, wrong_value
from ccg.api.pages import PAGING, Page, page_of
from ccg.api.views import ApiView, operation
from ccg.numbers import whole_number
from ccg.rules.decoding import Decoder
from decks import answers, formats, judging, services
from decks.answers import (
    CardLegality,
    Changed,
    CheckAnswer,
    DeckAnswer,
    DeckRow,
    FormatAnswer,
    SentList,
    ToCheck,
    VersionRow,
    Written,
)
from decks.exchange import registry
from decks.exchange.form import FormError
from decks.exchange.json_form import DeckFile
from decks.keeping import kept_if_public
from decks.lists import deck_list, textlist
from decks.models import Deck, DeckVersion, Format
from decks.searching import search

_WRITTEN, _CHANGED, _TO_CHECK = Decoder(Written), Decoder(Changed), Decoder(ToCheck)


class DeckView(ApiView):
    """What views of decks share."""

    parser_classes = (BoundedJSONParser,)

    def handle_exception(self, exc: Exception) -> Response:
        """Say 404 as well for a deck that was deleted between being found and being changed."""
        return super().handle_exception(Http404() if isinstance(exc, Deck.DoesNotExist) else exc)


class DeckList(DeckView):
    """Decks that everybody sees, and one's own."""

    @operation(
        "Public decks and starter decks, or one's own",
        Page[DeckRow],
        parameters=[
            parameters.yes("mine", "Only one's own, all of them; needs a token."),
            parameters.text("q", "A search in the language for decks.", "base:galactica legal:now order:name", 10_000),
            *PAGING,
        ],
        errors=[401, 404],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return one page of decks."""
        mine = self.asked["mine"]
        if mine and not request.user.is_authenticated:
            raise NotAuthenticated
        decks = Deck.objects.filter(owner=request.user) if mine else Deck.objects.listed() | Deck.objects.starters()
        try:
            query = search.read(self.asked["q"] or "")
        except QueryError as error:
            raise refused(error) from None
        rows = search.find(query, decks.filter(head__isnull=False).with_head().order_by("-changed", "-pk"))
        page = page_of(request, self.asked, rows, lambda decks: [answers.row(deck) for deck in decks])
        return json_answer(request, page, private=bool(mine))

    @operation(
        "Make a deck of one's own", DeckAnswer, body=Written, status=201, signed_in=True,
        errors=[401, 403, 409, 413, 415],
        more="Needs a personal token. Nothing is stored while a line of the list is not clear: the error names the"
        " lines, and `picks` says what they mean.",
    )  # fmt: skip
    def post(self, request: Request) -> HttpResponse:
        """Store a new deck and return it."""
        sent = _sent(request)
        visibility = _visibility(sent.visibility or "private")
        deck = _stored(
            lambda: services.create(request.user, _list_of(sent), visibility=visibility, note=sent.note),
            as_text=sent.text is not None,
        )
        response = json_answer(request, _whole(request, deck), 201, private=True)
        response["Location"] = request.build_absolute_uri(f"{request.path}{deck.uid}/")
        return response


class DeckDetail(DeckView):
    """One deck."""

    @operation("A deck as it is now", DeckAnswer, errors=[404])
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Return the deck; the same 404 for one that is private and one that never was."""
        deck = _visible(request, uid)
        answer = json_answer(request, _whole(request, deck), private=not deck.is_public)
        return kept_if_public(answer, deck)

    @operation(
        "Give a deck of one's own a new list", DeckAnswer, body=Written, signed_in=True,
        errors=[401, 403, 404, 409, 412, 413, 415],
        more="The list becomes a new version; the same list makes none. With `If-Match`, only if the deck is still what"
        " that mark was given for.",
    )  # fmt: skip
    def put(self, request: Request, uid: str) -> HttpResponse:
        """Store a new version and return the deck."""
        deck = _own(request, uid)
        sent = _sent(request)
        visibility = _visibility(sent.visibility) if sent.visibility else None  # it may change meanwhile
        listed = _stored(lambda: _list_of(sent), as_text=sent.text is not None)  # while nobody waits for the lock

        def store() -> None:
            services.publish(deck, listed, sent.note)
            services.settle(deck, visibility=visibility)

        with _locked(request, deck):
            _stored(store, as_text=sent.text is not None)
        return json_answer(request, _whole(request, deck), private=True)

    @operation(
        "Rename a deck of one's own, or say who may see it", DeckAnswer, body=Changed,
        errors=[401, 403, 404, 409, 412, 413, 415], signed_in=True,
    )  # fmt: skip
    def patch(self, request: Request, uid: str) -> HttpResponse:
        """Change the deck and return it."""
        deck = _own(request, uid)
        sent = taken(request.data, _CHANGED.from_plain, Changed)
        if sent.name is not None and not deck_list.clean_name(sent.name):
            raise wrong_value("name", sent.name, ["a name that can be seen"], "A deck needs a name.")
        visibility = _visibility(sent.visibility) if sent.visibility else None  # it may change meanwhile
        with _locked(request, deck):
            _stored(lambda: services.settle(deck, name=sent.name, visibility=visibility))
        return json_answer(request, _whole(request, deck), private=True)

    @operation("Delete a deck of one's own", None, status=204, errors=[401, 403, 404, 412], signed_in=True)
    def delete(self, request: Request, uid: str) -> HttpResponse:
        """Delete the deck with all its versions."""
        deck = _own(request, uid)
        with _locked(request, deck):
            services.delete(deck)
        return HttpResponse(status=204)


class VersionList(DeckView):
    """The versions of a deck."""

    @operation("The versions of a deck, the newest first", Page[VersionRow], parameters=PAGING, errors=[404])
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Return one page of versions."""
        deck = _visible(request, uid)
        rows = deck.versions.select_related("parent").order_by("-number")
        page = page_of(request, self.asked, rows, lambda page: [answers.version_row(one) for one in page])
        return kept_if_public(json_answer(request, page, private=not deck.is_public), deck)


class VersionDetail(DeckView):
    """One version of a deck."""

    @operation("A deck as one of its versions has it", DeckAnswer, errors=[404])
    def get(self, request: Request, uid: str, number: int) -> HttpResponse:
        """Return the deck with the list of this version."""
        deck = _visible(request, uid)
        version = deck.versions.filter(number=number).first()
        if version is None:
            raise Http404
        version.deck = deck
        private = not deck.is_public
        return kept_if_public(json_answer(request, answers.whole(deck, version, request.user), private=private), deck)


class CheckDeck(DeckView):
    """Legality of a list that is not stored."""

    authentication_classes = ()

    @operation(
        "Read a list and judge it", CheckAnswer, body=ToCheck, errors=[413, 415],
        more="Nothing is stored. Every line says what it was read as; problems are those of the lines that are clear; "
        "while a line of the deck is not, it is not called legal.",
    )  # fmt: skip
    def post(self, request: Request) -> HttpResponse:
        """Return every line of the list, and legality."""
        sent = taken(request.data, _TO_CHECK.from_plain, ToCheck)
        try:
            reading = _needed(services.read_text(_text_of(sent), _picks(sent.picks)))
        except textlist.TextTooLongError as error:
            raise Refused(400, "unreadable", str(error), parameter="text") from error
        reading.deck.format = sent.format or reading.deck.format
        is_clear = all(line.part == "considering" for line in reading.undecided)
        answer = CheckAnswer(
            deck=reading.deck,
            lines=reading.lines,
            undecided=[line.number for line in reading.undecided],
            legality=answers.judged(judging.check_list(reading.deck), reading.deck.counts, is_clear=is_clear),
            data_version=cards_data.current_number(),
        )
        return json_answer(request, answer)


class SearchForDecks(ApiView):
    """What a search for decks can say."""

    authentication_classes = ()

    @operation("The language in which decks are searched: every field, with the words that it knows", LanguageAnswer)
    def get(self, request: Request) -> HttpResponse:
        """Return the fields of the language with the formats that there are."""
        rows = search_help.rows(search.LANGUAGE, search.vocabulary())
        return json_answer(request, language_answer(rows, search_help.FORMS_OF_DECKS, search_help.MISSING_OF_DECKS))


class FormatList(ApiView):
    """All formats."""

    authentication_classes = ()

    @operation(
        "Formats, with what they ask of decks from when to when", Page[FormatAnswer], parameters=PAGING, errors=[404]
    )
    def get(self, request: Request) -> HttpResponse:
        """Return one page of formats."""
        formats.standard()
        rows, day = Format.objects.prefetch_related("editions").order_by("code"), timezone.localdate()
        page = page_of(request, self.asked, rows, lambda page: [answers.format_answer(one, day) for one in page])
        return json_answer(request, page)


class FormatDetail(ApiView):
    """One format."""

    authentication_classes = ()

    @operation("One format", FormatAnswer, errors=[404])
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the format with this code."""
        formats.standard()
        chosen = Format.objects.prefetch_related("editions").filter(code=code).first()
        if chosen is None:
            raise Http404
        return json_answer(request, answers.format_answer(chosen, timezone.localdate()))


class LegalityOfCard(ApiView):
    """A card in every format."""

    authentication_classes = ()

    @operation("A card in every format today", CardLegality, errors=[404])
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """Return whether the card with this id is allowed, and how many copies of it."""
        cards, day = cards_data.data(), timezone.localdate()
        card_id = card_id.upper()
        if card_id not in cards.catalog:
            raise Http404
        said_by = [answers.in_format(cards.catalog[card_id], one, cards, day) for one in formats.with_editions()]
        return json_answer(request, CardLegality(card=card_id, formats=said_by))


def _visible(request: Request, uid: str) -> Deck:
    try:
        deck = services.visible(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None
    if deck.head is None:
        raise Http404
    return deck


def _own(request: Request, uid: str) -> Deck:
    """Return a deck of whoever asks, if it is what ``If-Match`` says; raises Http404, NotAuthenticated, Refused."""
    if not request.user.is_authenticated:
        raise NotAuthenticated
    try:
        deck = services.own(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None
    _refuse_changed(request, deck)
    return deck


@contextmanager
def _locked(request: Request, deck: Deck) -> Iterator[None]:
    """Lock a deck that was found by :func:`_own`, to change it; raises Refused if it is another one by now.

    Of two writers with the same mark the second waits here for the first, and is refused.
    """
    with transaction.atomic():
        services.lock(deck)
        _refuse_changed(request, deck)
        yield


def _refuse_changed(request: Request, deck: Deck) -> None:
    """Raise Refused unless ``deck`` is what ``If-Match`` says."""
    asked = request.headers.get("If-Match")
    held = parse_etags(asked or "")
    # What cannot be read as marks matches nothing: whoever sends it relies on being refused.
    if asked is not None and "*" not in held and etag_of(msgspec.json.encode(_whole(request, deck))) not in held:
        raise Refused(412, "precondition_failed", "The deck has changed since. Read it again.")


def _whole(request: Request, deck: Deck) -> DeckAnswer:
    assert isinstance(deck.head, DeckVersion)
    return answers.whole(deck, deck.head, request.user)


def _sent(request: Request) -> Written:
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return taken(request.data, _WRITTEN.from_plain, Written)


def _list_of(sent: Written) -> deck_list.DeckList:
    """Return the list that was sent, with the name and the format that were sent beside it; raises Refused."""
    listed = _needed(services.read_clear_text(_text_of(sent), _picks(sent.picks))).deck
    listed.name = deck_list.clean_name(sent.name or "") or listed.name
    listed.format = sent.format or listed.format
    return listed


def _text_of(sent: SentList) -> str:
    """Return the list that was sent in the text form; raises Refused."""
    as_cards = sent.base or sent.base_tags or sent.cards or sent.considering
    if (sent.text is None) == (not as_cards):
        raise Refused(400, "no_list", "Send the list either as text or as base and cards.", expected=["text", "cards"])
    if sent.format and sent.format not in formats.codes():
        raise wrong_value("format", sent.format, formats.codes())
    try:
        if sent.text is not None:
            return registry.to_text(sent.text, services.current_names())[0]
        file = DeckFile(base=sent.base, base_tags=sent.base_tags, cards=sent.cards, considering=sent.considering)
        return registry.to_text(msgspec.json.encode(file).decode(), services.current_names())[0]
    except FormError as error:
        raise Refused(400, "unreadable", str(error), parameter="text") from error


def _stored(store: Any, as_text: bool = True) -> Any:
    """Do ``store``; raises Refused with what services say against it.

    Who did not send the list ``as_text`` knows nothing of lines: what is wrong is then named by what stands there.
    """
    try:
        return store()
    except services.UndecidedError as error:
        if not as_text:
            named = ", ".join(f"“{line.text.strip()[:60]}”" for line in error.lines[:20])
            raise Refused(
                400, error.code, f"No card, or not so many, can be meant by {named}.", parameter="cards"
            ) from error
        numbers = [line.number for line in error.lines]
        raise Refused(400, error.code, str(error), parameter="text", lines=numbers) from error
    except textlist.TextTooLongError as error:
        raise Refused(400, "unreadable", str(error), parameter="text") from error
    except services.ListError as error:
        raise Refused(400, error.code, str(error), parameter="text" if as_text else "cards") from error
    except services.DeckError as error:
        raise Refused(409, error.code, str(error)) from error


def _visibility(value: str) -> str:
    if value not in Deck.Visibility.values:
        raise wrong_value("visibility", value, Deck.Visibility.values)
    return value


def _picks(said: Mapping[str, str]) -> dict[int, str]:
    """Return picks by line number; raises Refused for what is no number of a line."""
    for key in said:
        if whole_number(key, 3) is None:
            raise wrong_value("picks", key, ["numbers of lines"], f"“{key[:20]}” is no number of a line.")
    return {int(key): card for key, card in said.items()}


def _needed(reading: textlist.Reading) -> textlist.Reading:
    """Return ``reading``; raises Refused for picks that no line asks for: the list would not be what was meant."""
    if reading.needless:
        numbers = ", ".join(map(str, reading.needless[:20]))
        detail = f"No card is to be picked on these lines, which are clear or not there: {numbers}."
        raise Refused(400, "wrong_value", detail, parameter="picks", lines=reading.needless)
    return reading
