"""What browsers and proxies may keep of an answer that shows a deck."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpResponseBase
from django.utils.cache import patch_cache_control

from decks.models import Deck

Response = TypeVar("Response", bound=HttpResponseBase)


def kept_if_public(response: Response, deck: Deck) -> Response:
    """Forbid caches to store a deck that is not for everybody, also where nobody is signed in; return ``response``.

    The link of an unlisted deck opens it as long as its owner wants it to; a stored copy would outlive that. Its
    address is kept from other sites: not by ``no-referrer``, with which a browser sends the forms of the page with
    ``Origin: null``, and the guard against forged requests refuses those.
    """
    if not deck.is_public:
        patch_cache_control(response, private=True, no_store=True)
        response["Referrer-Policy"] = "same-origin"
    return response
