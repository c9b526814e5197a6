"""The API of decks: read one, and have a list read and checked. docs/decks.md shows the answers."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import IO, Any

import msgspec
from django.http import Http404
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cards_data import catalog as cards_data
from decks import legality, services, textlist
from decks.legality import Illegality
from decks.models import Deck, DeckVersion

SCHEMA = "ragtag-fleet/deck/1"
MAX_BODY = 6 * textlist.MAX_BYTES
"""JSON may write one byte of text as six (``\\u0041``)."""


class TooLarge(APIException):
    """A body that is not read to its end."""

    status_code = 413
    default_detail = "The request is too large."
    default_code = "too_large"


class BoundedJSONParser(BaseParser):
    """Reads JSON objects up to :data:`MAX_BODY`, whatever the headers say of the length."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the object; raises ParseError or TooLarge."""
        body = (stream or io.BytesIO()).read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise TooLarge
        try:
            parsed = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ParseError("This is not JSON.") from error
        if not isinstance(parsed, dict):
            raise ParseError("A JSON object is expected.")
        return parsed


class DeckDetail(APIView):
    """``GET /api/decks/<uid>/``: a deck that the asker may see, as its head version is now."""

    authentication_classes = (SessionAuthentication,)
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request, uid: str) -> Response:
        """Return the deck; the same 404 for one that is private and one that never was."""
        try:
            deck = services.visible(request.user, uid)
        except Deck.DoesNotExist:
            raise Http404 from None
        if deck.head is None:
            raise Http404
        return Response(as_json(deck, deck.head))


class CheckDeck(APIView):
    """``POST /api/decks/check/`` with ``{"text": ..., "picks": {"12": card id}}``: every line, and legality."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer,)
    parser_classes = (BoundedJSONParser,)

    def post(self, request: Request) -> Response:
        """Read and check a list; nothing is stored."""
        text, picks = request.data.get("text"), request.data.get("picks", {})
        if not isinstance(text, str):
            raise ValidationError({"text": "The list as text is needed."})
        if not isinstance(picks, dict) or not all(isinstance(card, str) for card in picks.values()):
            raise ValidationError({"picks": "An object is expected: card ids by line number."})
        try:
            reading = services.read_text(text, {int(key): card for key, card in picks.items() if _is_line(key)})
        except textlist.TextTooLongError as error:
            raise ValidationError({"text": str(error)}) from error
        problems = services.check_list(reading.deck)
        answer = {
            "deck": msgspec.to_builtins(reading.deck),
            "lines": msgspec.to_builtins(reading.lines),
            "undecided": [line.number for line in reading.undecided],
            "legality": legality_json(problems, reading.deck.counts),
            "data_version": cards_data.current_number(),
        }
        return Response(answer)


def as_json(deck: Deck, version: DeckVersion) -> dict[str, Any]:
    """Return a deck in the JSON form that the API and exports share."""
    tags = version.tags
    return {
        "schema": SCHEMA,
        "uid": deck.uid,
        "name": deck.name,
        "owner": str(deck.owner) if deck.owner else None,
        "format": deck.format_id,
        "base": version.base or None,
        "cards": [{"id": card, "qty": n, "tags": tags.get(card, [])} for card, n in sorted(version.counts.items())],
        "considering": [{"id": card, "qty": n} for card, n in sorted(version.considering.items())],
        "version": version.number,
        "parent": version.parent.number if version.parent else None,
        "notes": version.note,
        "hash": version.content_hash,
        "data_version": cards_data.current_number(),
        "legality": legality_json(services.check_version(version, deck), version.counts),
        "text": services.as_text(deck, version),
        "url": deck.get_absolute_url(),
    }


def legality_json(problems: list[Illegality], counts: dict[str, int]) -> dict[str, Any]:
    """Return what legality said: every problem with its words, with and without marks, and the advice."""
    return {
        "legal": not problems,
        "problems": [
            {
                **msgspec.to_builtins(problem),
                "words": services.plain(problem.text),
                "fix_words": services.plain(problem.fix),
                "reference": legality.RULES[problem.rule],
            }
            for problem in problems
        ],
        "advice": msgspec.to_builtins(legality.advise(counts, cards_data.current())),
    }


def _is_line(key: object) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdecimal() and len(key) < 4
