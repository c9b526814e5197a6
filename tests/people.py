"""Browsers of people, without the detour of the sign-in form."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client


def sign_in(browser: Client, user: Any) -> None:
    """Sign ``user`` in, as the sign-in form does (the backends before its own only refuse)."""
    browser.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])


def signed_in(user: Any, *, strict: bool = False) -> Client:
    """Return a browser in which ``user`` is signed in; a strict one is asked for the token of each form."""
    browser = Client(enforce_csrf_checks=strict)
    sign_in(browser, user)
    return browser


def with_address(user: Any) -> Any:
    """Give ``user`` a mail address of their name, and let them have confirmed it; return them."""
    user.email = f"{user.username}@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
