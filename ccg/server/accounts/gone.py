"""Requests that change what another request deletes meanwhile: the account of whoever asks, a deck, a comment."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from ccg.api.errors import USUAL, ApiError, answer, is_for_api
from decks.models import Comment, Deck

GONE = "Your account is deleted, so this was not done."


class GoneMeanwhile:
    """Middleware: what fails because a row is no more is told so, and is no fault of the server.

    Another request may delete an account at any moment. What this one then writes refers to a row that is not there,
    and the database refuses it. All that changes decks locks them first (:func:`decks.services.lock`), so that nothing
    can come between; one that was deleted before that is not there, as it is not on the next page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Sign out who has no account any more, and say why; answer 404 for decks and comments; None for all else."""
        if not isinstance(error, DatabaseError | ObjectDoesNotExist):
            return None
        if not _is_gone(request):
            if isinstance(error, Deck.DoesNotExist | Comment.DoesNotExist):
                raise Http404 from error
            return None
        if is_for_api(request.path):
            return answer(401, ApiError(code=USUAL[401], detail=GONE))
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
