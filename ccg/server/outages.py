"""What visitors are told while the database is away or cannot save: a page that says so, not a crash.

One place for all pages and the API, :func:`server_error`, where Django ends up with what nobody has caught; and
one for sockets that are just being opened (open ones see to it themselves, in ``matches.sockets.consumers``).
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.utils.log import log_response
from django.views.defaults import server_error as page_500

from ccg.api.errors import ApiError, answer, is_for_api
from matches.protocol.messages import Refused, encode
from matches.storage.outages import Outage, outage_of

from .guard import Application, Message, Receive, Send

log = logging.getLogger(__name__)

SECONDS_TO_WAIT = 5
TRY_LATER = 1013

SENTENCES = {
    Outage.AWAY: (
        "The database cannot be reached",
        (
            "Nothing that was accepted is lost, and matches go on from there. The site works again as soon as the"
            " database does; reload the page in a moment."
        ),
    ),
    Outage.CANNOT_SAVE: (
        "Nothing can be saved just now",
        (
            "The server has no room left, most likely. What you wanted to do was not done, and nothing was changed. You"
            " can go on looking at pages; try again later, when whoever runs this site has made room."
        ),
    ),
    Outage.BUSY: (
        "The site is very busy",
        ("What you wanted to do was not done, and nothing was changed. Please try again in a moment."),
    ),
}


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a request that failed: 503 where the database is the reason, 500 for a fault of ours."""
    error = sys.exc_info()[1]
    outage = outage_of(error) if error is not None else None
    if outage is None and is_for_api(request.path):
        return answer(500, ApiError(code="server_error", detail="Something is wrong on our side. It has been noted."))
    if outage is None:
        return page_500(request)
    response = unanswered(request, outage)
    # Said here, or Django would log each such request as a crash, with a traceback of a hundred lines.
    text = "%s %s was not answered, the database is %s: %s"
    arguments = (request.method, request.path, outage.value, str(error))
    log_response(text, *arguments, response=response, logger=log, level="warning")
    return response


def unanswered(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return what is said instead of the page, as a page or as JSON. It needs no database."""
    what, todo = SENTENCES[outage]
    if request.path == "/healthz":
        response: HttpResponse = JsonResponse({"ok": False, "database": outage.value}, status=503)
    elif is_for_api(request.path):
        response = answer(503, ApiError(code=outage.value, detail=f"{what}. {todo}"))
    else:
        context = {"what": what, "todo": todo, "sent": request.method == "POST"}
        response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = str(SECONDS_TO_WAIT)
    response["Cache-Control"] = "no-store"
    return response


class SocketOutage:
    """ASGI middleware for WebSockets: who comes while the database is away is let in, told so, and sent off."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        opened = False

        async def noting(message: Message) -> None:
            nonlocal opened
            opened = True
            await send(message)

        try:
            await self._application(scope, receive, noting)
        except Exception as error:
            outage = outage_of(error)
            if outage is None or opened:
                raise
            log.warning("a socket was not opened, the database is %s: %s", outage.value, error)
            await send({"type": "websocket.accept"})
            refused = Refused(id=None, code=outage.value, message=outage.message, version=0)
            await send({"type": "websocket.send", "text": encode(refused)})
            await send({"type": "websocket.close", "code": TRY_LATER})
