"""What other sites show of a public deck that somebody links to: oEmbed (https://oembed.com)."""

from __future__ import annotations

import math
import re
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from decks.models import Deck, Preview

PROVIDER = "Ragtag Fleet"
WIDTH, HEIGHT = 1200, 630
"""Of the pictures."""
KEPT_SECONDS = 3600
"""How long others may go on showing what they were told."""
_DECK = re.compile(r"/decks/([\w-]{22})/(?:v\d{1,6}/)?", re.ASCII)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Return what there is to say of the deck whose page is at ``url``, as a link with a title.

    With its picture, unless that is larger than ``maxwidth`` or ``maxheight``. 404 for what is not public, and 400 for
    another format than JSON: oEmbed has 501 for that, but statuses from 500 on are for faults of ours, and watched as
    such.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponseBadRequest("The only format here is json.\n", content_type="text/plain; charset=utf-8")
    uid = _uid(request.GET.get("url", ""), request.get_host())
    deck = Deck.objects.public().with_head().filter(uid=uid).first() if uid else None
    if deck is None:
        raise Http404
    told: dict[str, object] = {
        "version": "1.0",
        "type": "link",
        "title": deck.name,
        "provider_name": PROVIDER,
        "provider_url": request.build_absolute_uri("/"),
        "cache_age": KEPT_SECONDS,
    }
    if deck.owner is not None:
        told["author_name"] = str(deck.owner)
        told["author_url"] = request.build_absolute_uri(reverse("decks:author", args=[deck.owner.display_name]))
    if _has_room(request) and (picture := picture_of(request, deck)):
        told |= {"thumbnail_url": picture, "thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
    response = JsonResponse(told)
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def preview(request: HttpRequest, uid: str) -> HttpResponse:
    """Return the picture of a public deck; 404 for every other deck, and while it is not drawn yet."""
    row = Preview.objects.filter(deck__in=Deck.objects.known_as(uid), deck__visibility=Deck.Visibility.PUBLIC).first()
    if row is None:
        raise Http404
    response = HttpResponse(bytes(row.png), content_type="image/png")
    response["ETag"] = mark = quote_etag(row.mark)
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    known: HttpResponse = get_conditional_response(request, mark, response=response)
    return known


def picture_of(request: HttpRequest, deck: Deck) -> str:
    """Return the whole address of the picture of ``deck``; "" if there is none, or not for everybody.

    It has the mark of the picture in it, so that others ask again for one that has changed.
    """
    if not deck.is_public:
        return ""
    mark = Preview.objects.filter(deck=deck).values_list("mark", flat=True).first()
    address = request.build_absolute_uri(reverse("decks:preview", args=[deck.uid]))
    return f"{address}?v={mark}" if mark else ""


def _has_room(request: HttpRequest) -> bool:
    """Return whether the picture fits into what is asked for; what is no number is no bound."""
    return _most(request, "maxwidth") >= WIDTH and _most(request, "maxheight") >= HEIGHT


def _most(request: HttpRequest, name: str) -> float:
    asked = request.GET.get(name, "")
    return int(asked) if re.fullmatch(r"\d{1,9}", asked, re.ASCII) else math.inf


def _uid(url: str, host: str) -> str:
    """Return the id of the deck whose page on this site is at ``url``; "" if it is no such address."""
    try:
        parts = urlsplit(url[:300])
    except ValueError:
        return ""
    match = _DECK.fullmatch(parts.path)
    return match[1] if match and parts.scheme in ("http", "https") and parts.netloc == host else ""
