"""Requests of somebody whose account is deleted while they are being answered."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

GONE = "Your account is deleted, so this was not done."


class GonePerson:
    """Middleware: what fails because who asked is no more is told so, and is no fault of the server.

    Another request of theirs may delete the account at any moment. What this one then writes refers to a row that is
    not there, and the database refuses it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Sign them out and say why; None for all other faults."""
        if not isinstance(error, DatabaseError | ObjectDoesNotExist) or not _is_gone(request):
            return None
        if request.path.startswith("/api/"):
            return JsonResponse({"code": "not_authenticated", "detail": GONE}, status=401)
        logout(request)
        messages.error(request, GONE)
        return redirect("home")


def _is_gone(request: HttpRequest) -> bool:
    """Return whether who asks was signed in and has no account any more."""
    if not request.user.is_authenticated:
        return False
    try:
        return not get_user_model().objects.filter(pk=request.user.pk).exists()
    except DatabaseError:
        return False  # then the database is the reason
