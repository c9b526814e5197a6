"""Suspended people: they sign in, finish what runs and take their data with them, and begin nothing.

Staff suspend in the administration (``ccg.server.accounts.admin``). It is apart from deactivating an account, which
keeps its owner out altogether.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils import timezone

NO_END = datetime(2200, 1, 1, tzinfo=UTC)
"""Until when somebody is suspended without end: as far as times go in the administration."""


class Suspended(PermissionDenied):
    """A suspended person wanted to begin a match, or to write what others read; the text says until when and why."""

    code = "suspended"


def sentence(user: Any) -> str:
    """Return what ``user`` is told of their suspension; "" for whoever is not suspended, nobody or a visitor."""
    until = getattr(user, "suspended_until", None)
    if until is None or until <= timezone.now():
        return ""
    end = "" if until >= NO_END else f" until {until.astimezone(UTC):%-d %B %Y, %H:%M} UTC"
    why = user.suspended_why.strip()
    why = f" Why: {why}{'' if why.endswith(('.', '!', '?')) else '.'}" if why else ""
    return (
        f"Staff of this site have suspended you{end}. You can finish the matches that you play, and take or delete your"
        f" data; you cannot begin matches, or write what others read.{why}"
    )


def refuse_suspended(user: Any) -> None:
    """Raise :class:`Suspended` if ``user`` is; for whatever begins a match or shows others what they write."""
    told = sentence(user)
    if told:
        raise Suspended(told)
