"""Personal tokens: how a program acts for somebody. Only a hash of each is stored, and its owner can revoke it.

A token is for a time, or until it is revoked; and for everything that the API does, or for reading only.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from ccg.locking import lock_person
from ccg.server.accounts.models import ApiToken

MARK = "rtf_"
MOST = 10
"""Tokens that one person may have."""
LIFETIMES = {"30": "30 days", "90": "90 days", "365": "a year", "never": "until it is revoked"}
"""How long a token can be for: days, or for ever, with the words for it."""
USUAL_LIFETIME = "90"
NOTED = timedelta(hours=1)
"""How exactly it is known when a token was used last."""
_TOKEN = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}")


class TooManyTokens(ValueError):
    """Somebody has as many tokens as there can be."""


def make(user: Any, name: str, *, lifetime: str = USUAL_LIFETIME, read_only: bool = False) -> str:
    """Give ``user`` a new token and return it; nobody can see it again. ``lifetime`` is a key of LIFETIMES.

    Raises TooManyTokens.
    """
    token = MARK + secrets.token_urlsafe(32)
    expires = None if lifetime == "never" else timezone.now() + timedelta(days=int(lifetime))
    with transaction.atomic():
        lock_person(user)
        if ApiToken.objects.filter(user=user).count() >= MOST:
            raise TooManyTokens(f"You have {MOST} tokens, which is the most there can be. Revoke one first.")
        ApiToken.objects.create(user=user, name=name, hash=hash_of(token), expires=expires, read_only=read_only)
    return token


def revoke(user: Any, pk: int) -> bool:
    """Take a token of ``user`` away; return whether there was one."""
    return bool(ApiToken.objects.filter(user=user, pk=pk).delete()[0])


def hash_of(token: str) -> str:
    """Return what is stored of a token. It has 256 random bits, so that a plain hash cannot be guessed at."""
    return hashlib.sha256(token.encode()).hexdigest()


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer rtf_...``."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        """Return whose token it is, and the token; None without one.

        Raises AuthenticationFailed, and PermissionDenied where one that is for reading would change something.
        """
        kind, _, token = request.headers.get("Authorization", "").strip().partition(" ")
        if not kind:
            return None
        found = None
        if kind.lower() == "bearer" and _TOKEN.fullmatch(token.strip()):
            found = ApiToken.objects.select_related("user").filter(hash=hash_of(token.strip())).first()
        if found is None or not found.user.is_active:
            raise AuthenticationFailed("There is no such token, or it has been revoked.")
        if found.expired:
            raise AuthenticationFailed("The time of this token is over. Make a new one on the page of your account.")
        if found.read_only and request.method not in SAFE_METHODS:
            raise PermissionDenied("This token is for reading only.")
        if found.used is None or found.used < timezone.now() - NOTED:
            ApiToken.objects.filter(pk=found.pk).update(used=timezone.now())
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        """Return how to say who one is."""
        return "Bearer"


class TokenInDocument(OpenApiAuthenticationExtension):
    """How the document tells of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A personal token, from the page of one's account."}
