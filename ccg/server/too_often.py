"""The answer to somebody who has asked for something too often: a page like any other, or JSON for a program.

It says how long to wait, for people in words and for programs in ``Retry-After``. (Whoever asks for more work than the
server does for one visitor is answered by :mod:`ccg.server.admission`, before Django.)
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

MINUTE = 60
QUARTER = 15 * MINUTE
HOUR = 60 * MINUTE

IN_WORDS = {MINUTE: "a minute", QUARTER: "15 minutes", HOUR: "an hour"}
CODE = "too_many_requests"


def too_often(
    request: HttpRequest, page: str, seconds: int, detail: str, context: dict[str, Any] | None = None
) -> HttpResponse:
    """Return the ``page``, or for a program the ``detail``, with how long to wait at most; nothing has changed."""
    if wants_json(request):
        answer: HttpResponse = JsonResponse({"code": CODE, "detail": detail}, status=429)
    else:
        answer = render(request, page, {"wait": IN_WORDS[seconds], **(context or {})}, status=429)
    return not_before(answer, seconds)


def not_before(answer: HttpResponse, seconds: int) -> HttpResponse:
    """Let ``answer`` say how long to wait, and let nobody keep it for others."""
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def wants_json(request: HttpRequest) -> bool:
    """Return whether a program asks that takes JSON rather than a page."""
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def handler429(request: HttpRequest) -> HttpResponse:
    """Answer what allauth does not let happen more often within a minute: new accounts, signing in, new passwords."""
    detail = "This was asked for too often from where you are. Nothing was changed. Wait a minute and send it again."
    return too_often(request, "429.html", MINUTE, detail)


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Answer whoever has guessed at passwords too often (axes)."""
    detail = "Too many failed tries to sign in. Signing in is closed for 15 minutes for this name or this address."
    return too_often(request, "lockout.html", QUARTER, detail)
