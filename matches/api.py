"""The match for programs: what the socket shows, over HTTP."""

from __future__ import annotations

import logging

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ccg.rules import StateError
from matches import table_view
from matches.protocol import VERSION_LIMIT, encode

log = logging.getLogger(__name__)


@never_cache
@require_safe
def match_detail(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the table message (docs/protocol.md) for who asks; ``?since=N`` with the events after version N.

    404 for a match that is missing, has not begun, or is not for the viewer.
    """
    since = request.GET.get("since", "")
    user_id = request.user.pk if request.user.is_authenticated else None
    snapshot = table_view.read(match_id, user_id, _version(since))
    if snapshot is None or snapshot == "open":
        raise Http404
    try:
        message = table_view.table(snapshot)
    except StateError as error:
        if error.code != "engine":
            log.exception("match %s cannot be read", match_id)
        raise Http404 from error
    return HttpResponse(encode(message), content_type="application/json")


def _version(text: str) -> int | None:
    """Read a version from an address; what is none asks for nothing in particular."""
    if not text.isascii() or not text.isdecimal() or len(text) > 10:
        return None
    return min(int(text), VERSION_LIMIT)
