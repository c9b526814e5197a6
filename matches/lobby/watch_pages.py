"""The page of matches that can be watched now."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.lobby import live

SHOWN = 20
"""Matches on the page; the state of each is read."""


@never_cache
@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Matches that run and may be watched, those with somebody at the table first, as people see them who look on."""
    return render(request, "matches/watch.html", {"rows": live.tables(SHOWN)})
