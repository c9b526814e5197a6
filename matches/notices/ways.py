"""The ways by which somebody is told: by mail and by push, as far as they want and can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from matches.models import LeftSeat, MatchSeat
from matches.notices.models import Subscription, Wishes

MAIL_TASK = "matches.notices.mail"
PUSH_TASK = "matches.notices.push"
DIGEST_TASK = "matches.notices.digest"


def ways_to(seat: MatchSeat | LeftSeat) -> Iterator[tuple[str, int]]:
    """Yield the ways by which somebody is told of one match, each with the row that says where."""
    wishes = getattr(seat.user, "notice_wishes", None) or Wishes(user_id=seat.user_id)
    if wishes.mail == Wishes.Mail.ONCE and can_mail(seat.user):
        yield MAIL_TASK, seat.user_id or 0
    for pk in Subscription.objects.filter(user=seat.user_id).values_list("pk", flat=True):
        yield PUSH_TASK, pk


def wanted_ways(seat: MatchSeat | LeftSeat, over: bool) -> Iterator[tuple[str, int]]:
    """Yield the ways by which somebody wants to be told, each with the row that says where."""
    wishes = getattr(seat.user, "notice_wishes", None) or Wishes(user_id=seat.user_id)
    if not over or wishes.endings:
        yield from ways_to(seat)


def can_mail(user: Any) -> bool:
    """Return whether this site sends mail and ``user`` has a confirmed address and may sign in.

    An address that is mistyped is somebody else's, who has not asked to hear of matches.
    """
    return bool(settings.EMAIL_HOST and user.is_active and user.has_confirmed_address)


def reaches(user: Any) -> bool:
    """Return whether a notice reaches ``user`` by any way."""
    wishes = Wishes.objects.filter(user=user, mail=Wishes.Mail.ONCE)
    return (can_mail(user) and wishes.exists()) or Subscription.objects.filter(user=user).exists()
