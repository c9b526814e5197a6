"""What the builder asks for: read a draft, save it, publish it. docs/decks.md shows the answers.

No part of the public API: it changes together with the builder.
"""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser, FormParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ccg.api.bodies import BoundedJSONParser
from decks.building import drafts
from decks.models import Deck, Draft
from decks.services import DeckError


class DraftView(APIView):
    """What the views of drafts share: one's own only, and nothing of it is kept by anybody."""

    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)
    parser_classes: tuple[type[BaseParser], ...] = (BoundedJSONParser,)
    schema = None
    """They are not told of in the document of the API."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Forbid caches to keep what somebody is working on."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(response, private=True, no_store=True)
        return response

    def handle_exception(self, exc: Exception) -> Response:
        """Say 404 for what is not one's own, 409 or 400 with a sentence for what cannot be done."""
        if isinstance(exc, Draft.DoesNotExist | Deck.DoesNotExist):
            exc = Http404()
        if isinstance(exc, msgspec.ValidationError):
            return Response({"detail": str(exc), "code": "not_a_draft"}, status=400)
        if isinstance(exc, DeckError):
            status = 409 if isinstance(exc, drafts.StaleError) else 400
            return Response({"detail": str(exc), "code": exc.code}, status=status)
        return cast(Response, super().handle_exception(exc))


class DraftDetail(DraftView):
    """``GET`` and ``PUT /decks/drafts/<uid>/``: a draft, or what a page has to save of it."""

    def get(self, request: Request, uid: str) -> Response:
        """Return the draft; for a deck of one's own that has none yet, the deck as a draft of revision 0."""
        return Response(msgspec.to_builtins(drafts.find(request.user, uid)))

    def put(self, request: Request, uid: str) -> Response:
        """Save; the answer is the draft with what others changed since the revision that was named."""
        return Response(msgspec.to_builtins(drafts.save(request.user, uid, drafts.read(request.data))))


class PublishDraft(DraftView):
    """``POST /decks/drafts/<uid>/publish/``: the next version. docs/decks.md tells what is sent."""

    parser_classes = (BoundedJSONParser, FormParser, MultiPartParser)

    def post(self, request: Request, uid: str) -> Response:
        """Publish what is saved under this revision; 409 where there is a newer one."""
        revision, parent = (_number(request.data.get(name)) for name in ("revision", "parent"))
        visibility = request.data.get("visibility")
        if revision is None or visibility not in (None, *Deck.Visibility.values):
            raise ValidationError("A revision, and a visibility that there is, are expected.")
        note, tags = str(request.data.get("note", "")), request.data.get("tags")
        if not isinstance(tags, str | None):
            raise ValidationError("Tags are one text, with commas between them.")
        deck = drafts.publish(request.user, uid, revision, parent=parent, note=note, visibility=visibility, tags=tags)
        number = deck.head.number if deck.head else 0
        return Response({"uid": deck.uid, "version": number, "url": deck.get_absolute_url()})


def _number(sent: object) -> int | None:
    """Return a whole number as pages send it, as such or in digits; None for anything else."""
    return int(str(sent)) if re.fullmatch("[0-9]{1,9}", str(sent), re.ASCII) else None


@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """``GET /decks/drafts/token/``: who is signed in, and the token that a page sends with what it saves.

    A page that stays open for days outlives its token: signing in or out anywhere makes another one.
    """
    answer = {"token": get_token(request), "user": str(request.user.pk) if request.user.is_authenticated else None}
    response = HttpResponse(msgspec.json.encode(answer), content_type="application/json")
    patch_cache_control(response, private=True, no_store=True)
    return response
