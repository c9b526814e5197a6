"""Pages about shuffles: those of a match, with a check in the browser, and one that checks any published file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.shuffles import publishing


@never_cache
@require_safe
def of_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """What the shuffles of a match come from; after its end the browser works them all out once more."""
    match = publishing.match_for(match_id, request.user.pk)
    if match is None:
        without = publishing.match_without(match_id, request.user.pk)
        if without is None:
            raise Http404
        context = {"match": without, "why": publishing.why_none(without)}
        return render(request, "shuffles/none.html", context, status=404)
    file = publishing.file_of(match, request.user.pk)
    drawings = [(drawn, file.seats[drawn.seat].name) for drawn in file.drawings]
    return render(request, "shuffles/match.html", {"match": match, "file": file, "drawings": drawings})


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Check a published file that is pasted in; it never leaves the browser."""
    return render(request, "shuffles/check.html")
