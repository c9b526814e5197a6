"""Guessing passwords: how often somebody may, and what the owner of the name is told.

Names of players are public, and so are the names to sign in with. A lock that anybody can close from
anywhere with a few guesses would keep owners out; so there is a narrow limit for a name from one address,
a wide one for a name from anywhere, and whoever is signed in can open their name again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone

from .models import User


class GuessingHandler(AxesDatabaseHandler):
    """Axes' handler in the database, with a limit for each of ``AXES_LOCKOUT_PARAMETERS``."""

    def get_failures(self, request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> int:
        """Return how many wrong passwords count, where ``AXES_FAILURE_LIMIT`` of them are too many.

        The one limit is that of the narrowest kind; what other kinds have counted is taken in proportion.
        """
        counts = [_failures(attempts) for attempts in self.get_user_attempts(request, credentials)]
        limits = settings.GUESSES
        return max(count * settings.AXES_FAILURE_LIMIT // limit for count, limit in zip(counts, limits, strict=True))

    def reset_user_attempts(self, request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> int:
        """Forget what was guessed for this name from this address, as it was right in the end; nothing else.

        What was guessed for others stays counted: anybody can sign in to a name of their own in between.
        """
        own, *_ = self.filter_user_attempts(request, credentials)
        return cast(int, own.delete()[0])


def guessed_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str | None:
    """Return the user name of a sign-in attempt in its stored form: KARA, kara and ｋａｒａ are one name."""
    name = credentials.get("username") if credentials else request.POST.get("login")
    return User.normalize_username(str(name)).strip()[:150] if name else None


def closed(user: User) -> bool:
    """Return whether signing in as ``user`` is closed just now, somewhere or everywhere."""
    attempts = _recent(user)
    pair, name, _ = settings.GUESSES
    if _failures(attempts) >= name:
        return True
    return attempts.values("ip_address").annotate(all=Sum("failures_since_start")).filter(all__gte=pair).exists()


def open_again(user: User) -> None:
    """Forget all wrong passwords for this user's name."""
    _recent(user).delete()


def _recent(user: User) -> Any:
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    return AccessAttempt.objects.filter(username=user.username, attempt_time__gte=since)


def _failures(attempts: Any) -> int:
    return int(attempts.aggregate(all=Sum("failures_since_start"))["all"] or 0)
