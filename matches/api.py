"""The match for programs: what the socket shows, over HTTP."""

from __future__ import annotations

import logging

import msgspec
from django.http import Http404, HttpResponse
from rest_framework.request import Request

from cards_data.catalog import UnknownVersion
from ccg.api import parameters
from ccg.api.answers import json_answer
from ccg.api.views import ApiView, operation
from ccg.rules import StateError
from matches.protocol.messages import VERSION_LIMIT, Table, encode
from matches.table import ending, table_view
from matches.table.ending import Ending

log = logging.getLogger(__name__)


class MatchDetail(ApiView):
    """A match."""

    @operation(
        "A match as the table's socket shows it to whoever asks",
        Table,
        parameters=[parameters.number("since", "Only events after this version.", 0, VERSION_LIMIT)],
        errors=[404],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return the table message (docs/protocol.md); 404 for a match that has not begun or is not for the viewer."""
        user_id = request.user.pk if request.user.is_authenticated else None
        snapshot = table_view.read(match_id, user_id, self.asked["since"])
        if snapshot is None or snapshot == "open":
            raise Http404
        try:
            message = table_view.table(snapshot)
        except StateError as error:
            if error.code != "engine":
                log.exception("match %s cannot be read", match_id)
            raise Http404 from error
        return json_answer(request, msgspec.Raw(encode(message)), private=True)


class MatchEnding(ApiView):
    """How a finished match went."""

    @operation(
        "How a finished match went: influence and threat by turn, what decided it, the best cards", Ending, errors=[404]
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return how it went; 404 for a match that is not over or not for the viewer."""
        match = ending.finished(match_id, request.user.pk if request.user.is_authenticated else None)
        if match is None:
            raise Http404
        try:
            told = ending.of(match)
        except UnknownVersion as error:
            raise Http404 from error
        return json_answer(request, told, private=True)
