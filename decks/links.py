"""Tokens of the links that open an unlisted deck: 128 bits, of which only a hash is stored.

The token is made anew from the site's secret key and the deck's own nonce whenever its owner wants to see the link
again, so that neither a copy of the database nor a link seen somewhere gives away others. A new nonce revokes the link.
In addresses it stands where the id of a deck does, with a mark in front by which logs know it as well.
"""

from __future__ import annotations

import base64
import hashlib
import re

from django.urls import reverse
from django.utils.crypto import salted_hmac

from decks.models import Deck, new_uid

MARK = "~"
_REF = re.compile(rf"{MARK}([\w-]{{22}})", re.ASCII)


def give_link(deck: Deck) -> None:
    """Give ``deck`` a link that nobody knows yet; one that it had opens nothing any more. Saves nothing."""
    deck.link_nonce = new_uid()
    deck.link_hash = hash_of(token_of(deck))


def take_link(deck: Deck) -> None:
    """Take the link of ``deck`` away. Saves nothing."""
    deck.link_nonce, deck.link_hash = "", None


def token_of(deck: Deck) -> str:
    """Return the token of the link of ``deck``."""
    made = salted_hmac("decks.link", f"{deck.uid}:{deck.link_nonce}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_in(ref: str) -> str:
    """Return the token of a link's address; "" for what can be none."""
    match = _REF.fullmatch(ref)
    return match[1] if match else ""


def address_of(deck: Deck) -> str:
    """Return where the link of ``deck`` leads after making sure that it opens it; "" if it has none.

    It might not, if the site's secret key has changed since.
    """
    if not deck.link_nonce:
        return ""
    token = token_of(deck)
    if deck.link_hash != hash_of(token):
        deck.link_hash = hash_of(token)
        Deck.objects.filter(pk=deck.pk).update(link_hash=deck.link_hash)
    return reverse("decks:deck", args=[f"{MARK}{token}"])
