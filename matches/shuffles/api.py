"""The shuffles of a match for programs: the published file, and commitments for whoever is about to sit down."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from msgspec import Struct
from rest_framework.request import Request

from ccg.api.answers import json_answer
from ccg.api.views import ApiView, operation
from matches.shuffles import publishing, services
from matches.shuffles.publishing import Shuffles


class NewCommitment(Struct, frozen=True):
    """The server's commitment for one person who is about to sit down, to be sent back together with their words."""

    commitment: str


class MatchShuffles(ApiView):
    """The shuffles of a match."""

    @operation(
        "What the shuffles of a match come from: commitments at once, secrets, words and all orders when it is over",
        Shuffles,
        errors=[404],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return the file that docs/fair-shuffles.md describes; 404 for a match not for the viewer, or a lesson."""
        match = publishing.match_for(match_id, request.user.pk)
        if match is None:
            raise Http404
        return json_answer(request, publishing.file_of(match, request.user.pk), private=True)


class Commitments(ApiView):
    """Commitments."""

    @operation("Ask for the server's commitment before you sit down", NewCommitment, status=201)
    def post(self, request: Request) -> HttpResponse:
        """Return the hash of a secret that was made just now, for one seat."""
        return json_answer(request, NewCommitment(services.commit()), status=201, private=True)
