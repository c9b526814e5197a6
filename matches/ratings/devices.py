"""From which devices people play rated matches: a sign for staff where two accounts that meet share one.

A browser that asks for a rated match is given a random number in a cookie, for that alone; a keyed hash of it is kept
beside the account, for :data:`KEPT`. Nothing else is known of the device, no address and no kind of browser; from the
hash nobody finds the number, and whoever deletes the cookie is a new device.
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.ratings.models import Device
from matches.storage import database

COOKIE = "device"
KEPT = timedelta(days=90)
"""How long it is kept that somebody has asked for a rated match there."""
_NUMBER = re.compile(r"[\w-]{22}", re.ASCII)


def note(request: HttpRequest, response: HttpResponseBase) -> None:
    """Note that whoever is here has asked for a rated match from this browser, which has a number from then on."""
    number = request.COOKIES.get(COOKIE, "")
    if not _NUMBER.fullmatch(number):
        number = secrets.token_urlsafe(16)
    response.set_cookie(
        COOKIE, number, max_age=int(KEPT.total_seconds()), httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip
    now, mark, user_pk = timezone.now(), hash_of(number), request.user.pk

    def keep() -> None:
        Device.objects.filter(seen__lt=now - KEPT).delete()
        Device.objects.update_or_create(user_id=user_pk, mark=mark, defaults={"seen": now})

    database.write(keep)


def hash_of(number: str) -> str:
    """Return what is kept of the number of a device."""
    return salted_hmac("matches.ratings.devices", number, algorithm="sha256").hexdigest()


def shared(one: Any, other: Any) -> bool:
    """Return whether both people (by their ids) have asked for rated matches from one device lately."""
    lately = Device.objects.filter(seen__gte=timezone.now() - KEPT)
    return lately.filter(user=one, mark__in=lately.filter(user=other).values("mark")).exists()
