"""What a request may be before any page looks at it."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseNotAllowed
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string

from ccg.api.errors import ApiError, answer, is_for_api

CHARSETS = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii"})


class PlainRequests:
    """Middleware: text is UTF-8, forms can be read; all else goes no further.

    Django decodes forms and queries in whatever codec the request names, UTF-16 and ROT13 included, and
    fails in the middle of a page. A form that cannot be read is found out here, too: read for the first time by the
    page for a missing address, which looks for a token in it, it would be a fault of ours.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = str((request.content_params or {}).get("charset", "")).strip(" \"'").lower()
        if charset not in CHARSETS:
            return _unreadable(request)
        if charset:
            request.encoding = "utf-8"  # by its usual name, the only one that Django takes for forms
        try:
            _ = request.POST
        except (MultiPartParserError, SuspiciousOperation):
            return _unreadable(request)
        return self._get_response(request)


class SaidInOurLook:
    """Middleware: who opens an address that only takes forms is told so; Django's answer would be an empty page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request).encode()
        return response


def _unreadable(request: HttpRequest) -> HttpResponse:
    """Answer a request that cannot be read, as a page or as the API does."""
    if is_for_api(request.path):
        return answer(400, ApiError(code="bad_request", detail="This request cannot be read: text is UTF-8."))
    return HttpResponseBadRequest(render_to_string("400.html"))
