"""What our accounts do differently from allauth's."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from .models import User

LONGEST_PATH = 500


class AccountAdapter(DefaultAccountAdapter):
    """Signing up as a guest keeps the user, and with it every match and deck."""

    def new_user(self, request: HttpRequest) -> User:
        """The user that signs up: the guest who is here, or a new one."""
        if request.user.is_authenticated and request.user.is_guest:
            return request.user
        return cast(User, super().new_user(request))

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether ``next`` may name this: a path of this site, as a page would name it, and nothing else."""
        return url is not None and url.startswith("/") and len(url) <= LONGEST_PATH and super().is_safe_url(url)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Check a username; it becomes the display name too, so that has to be free as well."""
        cleaned = cast(str, super().clean_username(username, shallow=shallow))
        if not shallow and get_user_model().objects.filter(display_name__iexact=cleaned).exists():
            raise ValidationError("A player already has this name.")
        return cleaned

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Fill in what was given at sign-up: from now on this is an account under that name."""
        user.is_guest = False
        user.display_name = form.cleaned_data["username"]
        return cast(User, super().save_user(request, user, form, commit=commit))
