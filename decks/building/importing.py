"""What the import page takes: a list in any form, a file, a deck code, the address of a deck of this site."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from msgspec import Struct

from decks import services
from decks.exchange import registry
from decks.exchange.form import FormError
from decks.exchange.merging import merged
from decks.models import Deck

_ADDRESS = re.compile(r"\s*((?:https?://|/decks/)\S{1,2000})\s*")


class TakenIn(Struct, frozen=True):
    """The text form of what came in, and what it was, "" where it was that form already."""

    text: str
    was: str


def take_in(request: HttpRequest, pasted: str) -> TakenIn:
    """Return the text form of what was pasted; raises FormError where it cannot be read.

    The address of a deck of this site is that deck. Other addresses are not asked: this site sends nothing anywhere.
    """
    address = _ADDRESS.fullmatch(pasted[:2100]) if len(pasted) <= 2100 else None
    if address:
        return _from_address(request, address[1])
    return TakenIn(*registry.to_text(pasted, services.current_names()))


def take_in_more(request: HttpRequest, there: str, how: str) -> TakenIn:
    """Return the list ``there`` with what the form brought as a file, a code or an address.

    ``how`` is "merge" to add to the list, else what came in replaces it. Raises FormError and
    textlist.TextTooLongError.
    """
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        came = take_in(request, registry.text_of_file(file.read(registry.MAX_FILE + 1)))
    elif request.POST.get("from", "").strip():
        came = take_in(request, request.POST["from"])
    else:
        raise FormError("Choose a file, or write a deck code or the address of a deck.")
    if how != "merge":
        return came
    return TakenIn(merged(there, came.text, services.current_names()), came.was)


def _from_address(request: HttpRequest, address: str) -> TakenIn:
    try:
        parts = urlsplit(address)
    except ValueError:  # such as a bracket that is not closed
        raise FormError("This address cannot be read. Copy it again, or paste the list itself.") from None
    if parts.netloc and parts.netloc != request.get_host():
        raise FormError("Lists are not fetched from other sites. Open that page, copy the list, and paste it here.")
    code = parse_qs(parts.query).get("code")
    if code:
        return TakenIn(*registry.to_text(code[0], services.current_names()))
    deck, version = _deck_at(request.user, parts.path)
    return TakenIn(services.as_text(deck, version), "a deck of this site")


def _deck_at(user: Any, path: str) -> tuple[Deck, Any]:
    """Return the deck and version that an address of this site is about."""
    try:
        found = resolve(path)
        if found.app_name != "decks" or "uid" not in found.kwargs:
            raise FormError("There is no deck at this address.")
        deck = services.visible(user, found.kwargs["uid"])
    except (Resolver404, Deck.DoesNotExist):
        raise FormError("There is no deck at this address.") from None
    number = found.kwargs.get("number")
    version = deck.head if number is None else deck.versions.filter(number=number).first()
    if version is None:
        raise FormError("There is no such version of this deck.")
    return deck, version
