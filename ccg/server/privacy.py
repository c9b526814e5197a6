"""What is kept of an answer that was made for somebody, in browsers and proxies, and of what was asked, in the log."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

SECRET_ADDRESS = re.compile(
    r"(/decks/~|from=~|to=~|/play/invite/|/notices/stop/|/accounts/password/reset/key/|/accounts/confirm-email/)[\w:-]+",
    re.ASCII,
)
"""Addresses that open something to whoever knows them: links of decks, invitations to tables, links of mails."""


class WithoutLinks(logging.Filter):
    """Takes the secret out of addresses that a line of the log tells."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True, as every line is kept; the text of one with such an address is changed."""
        said = record.getMessage()
        if SECRET_ADDRESS.search(said):
            record.msg, record.args = SECRET_ADDRESS.sub(r"\1…", said), ()
        return True


class NotKept:
    """Middleware: an answer for which somebody was asked who they are, and is somebody, is theirs alone.

    Browsers show what they have kept when somebody goes back, after signing out as well, and without asking: only what
    is not stored cannot be shown to the next person at that computer. An answer with a validator is made to be asked
    for again, which storing it is needed for; that is still not for caches that several people share. Views that say
    themselves what may be kept know better.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        # Set once somebody has asked who it is. Asking here would read the session for answers that are for everybody.
        user = getattr(request, "_cached_user", None)
        if user is not None and user.is_authenticated and not response.has_header("Cache-Control"):
            if response.has_header("ETag") or response.has_header("Last-Modified"):
                patch_cache_control(response, private=True, no_cache=True)
            else:
                patch_cache_control(response, private=True, no_store=True)
        return response
