"""Saving searches and taking them away: forms that the lists of cards and decks show to whoever has an account."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from cards_data import saved
from cards_data.models import SavedSearch
from cards_data.search.errors import MAX_CHARACTERS


def shown(request: HttpRequest, about: str) -> dict[str, Any]:
    """Return what a list shows of the searches that whoever asks has saved."""
    return {
        "may_save": saved.may_save(request.user),
        "saved_searches": saved.saved_by(request.user, about),
        "about": about,
        "longest_name": saved.MAX_NAME,
    }


@login_required
@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Save a search, and go back to what it finds; 404 for searches that there are not."""
    about, query = request.POST.get("about", ""), request.POST.get("query", "")[:MAX_CHARACTERS]
    try:
        address = saved.page_of(about, query)
    except KeyError:
        raise Http404 from None
    try:
        made = saved.save(request.user, about, request.POST.get("name", ""), query)
        messages.success(request, f"The search is saved as “{made.name}”.")
    except saved.SavingError as error:
        messages.error(request, str(error))
    return redirect(address)


@login_required
@require_POST
def remove(request: HttpRequest, number: int) -> HttpResponse:
    """Take a saved search away; 404 for one of somebody else."""
    try:
        gone = saved.remove(request.user, number)
    except SavedSearch.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"“{gone.name}” is no longer saved.")
    return redirect(saved.page_of(gone.about, ""))
