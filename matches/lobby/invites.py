"""Tokens of invite links: 128 bits that open one seat at one table.

Only a hash is stored to find the match by. The token is made anew from the site's secret key and the
match's own nonce whenever its host wants to see the link again, so that neither a copy of the database
nor a link seen somewhere gives away others. A new nonce revokes the link.
"""

from __future__ import annotations

import base64
import hashlib

from django.utils.crypto import salted_hmac

from matches.models import Match

TOKEN_LENGTH = 22


def token_of(match: Match) -> str:
    """Return the token of the match's link."""
    made = salted_hmac("matches.invite", f"{match.public_id}:{match.invite_nonce}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def open_link(match: Match) -> str:
    """Return the token of the match's link after making sure that it opens the match.

    It might not, if the site's secret key has changed since.
    """
    token = token_of(match)
    if match.invite_hash != hash_of(token):
        match.invite_hash = hash_of(token)
        Match.objects.filter(pk=match.pk).update(invite_hash=match.invite_hash)
    return token
