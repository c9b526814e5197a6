"""Visitors who begin to play, or to keep something, become guests."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import resolve, reverse

AS_GUEST = "save as guest"
"""What the button of a form says that makes a visitor a guest before it saves."""


def let_in(request: HttpRequest) -> HttpResponse | None:
    """Make a visitor a guest; give the page that says why not if that cannot be.

    The site's own page for guests does it, found by its name: who may be a guest, and how many, is
    decided there, and apps know nothing of the site above them.
    """
    if request.user.is_authenticated:
        return None
    response: HttpResponse = resolve(reverse("guest")).func(request)
    return None if request.user.is_authenticated else response
