"""What every page of the site may show."""

import unicodedata

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, RawPostDataException, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from ccg import suspension
from matches.clocks import waiting
from matches.table.table_settings import TableSettings, read_stored

from .accounts import own_settings
from .accounts.guessing import closed


def site(request: HttpRequest) -> dict[str, object]:
    """Return values for all templates: what mail can do, what waits for whoever is here, and what they have set."""
    return {
        "mail_works": bool(settings.EMAIL_HOST),
        "name_closed": lambda: _name_closed(request),
        "suspended": lambda: suspension.sentence(getattr(request, "user", None)),
        "look": lambda: _look(request),
        "waiting_for_me": lambda: _waiting_for(request),
        "kept_settings": lambda: _kept_settings(request),
        "written": lambda: _written(request),
    }


def _look(request: HttpRequest) -> TableSettings | None:
    """Return the settings by which every page looks; None for visitors, whose browser alone knows theirs."""
    user = getattr(request, "user", None)
    return read_stored(user.table_settings) if user is not None and user.is_authenticated else None


def _kept_settings(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    return own_settings.kept(user) if user is not None else ""


def _waiting_for(request: HttpRequest) -> int:
    """Return how many matches wait for whoever is here."""
    user = getattr(request, "user", None)
    return waiting.count_for(user) if user is not None and user.is_authenticated else 0


def _name_closed(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated and not user.is_guest and closed(user)


MOST_WRITTEN = 64 * 1024
"""Bytes of a form that is shown once more; nothing that people write here is longer."""


def _written(request: HttpRequest) -> list[str]:
    """Return what somebody wrote into a form of this site, for pages that refuse it; the browser may forget it.

    No single words, which may be passwords or tokens, but texts of a script that has no spaces. Nothing that a page of
    another site makes a browser send, and nothing of forms so large that showing them would be work.
    """
    if request.method != "POST" or not _is_short(request):
        return []
    try:
        form = request.POST.lists() if _is_own(request) else ()
    except (MultiPartParserError, RawPostDataException, SuspiciousOperation, UnreadablePostError):
        return []
    return [text for name, texts in form for text in texts if _is_prose(text) and "password" not in name]


def _is_own(request: HttpRequest) -> bool:
    """Return whether a page of this site sent the form, as far as its browser says: over plain HTTP it says less."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def _is_short(request: HttpRequest) -> bool:
    length = request.headers.get("Content-Length", "")
    return length.isascii() and length.isdigit() and int(length) <= MOST_WRITTEN


def _is_prose(text: str) -> bool:
    # Lo: letters without case, as of Chinese or Thai.
    return len(text.split()) > 1 or any(unicodedata.category(sign) == "Lo" for sign in text)
