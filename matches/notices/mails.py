"""Notices by mail: one until somebody has been here again, or one a day; each with a link that stops them."""

from __future__ import annotations

import base64
import hmac
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.models import MatchSeat
from matches.notices import waiting
from matches.notices.models import Wishes

TASK, DIGEST_TASK = waiting.MAIL_TASK, waiting.DIGEST_TASK
TEST_TASK = "matches.notices.test"
TOKEN_LENGTH = 22


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell one person of one match, if it is still so and no mail is out already."""
    seat = MatchSeat.objects.select_related("match", "user").filter(
        match__public_id=payload["match"], number=payload["seat"], user=payload["to"]
    )
    found = seat.first()
    wishes = Wishes.objects.filter(user=payload["to"], mail=Wishes.Mail.ONCE).first()
    if found is None or wishes is None or not waiting.can_mail(found.user):
        return
    over = payload["over"]
    if not over and found.match.version != payload["version"]:
        return
    notice = waiting.notice_for(found.match, found, over=over)
    if notice is None or (not over and _is_out(wishes)):
        return
    _send(found.user, notice.title, [notice])
    if not over:
        Wishes.objects.filter(pk=wishes.pk).update(mailed=timezone.now())


def handle_digest(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell one person of all matches that wait for them."""
    wishes = Wishes.objects.select_related("user").filter(user=payload["user"], mail=Wishes.Mail.DAILY).first()
    if wishes is None or not waiting.can_mail(wishes.user):
        return
    notices = []
    for match in waiting.waiting_for(wishes.user_id):
        notice = waiting.notice_for(match, match.seats.get(user=wishes.user_id), over=False)
        notices += [notice] if notice is not None else []
    if notices:
        count = len(notices)
        _send(wishes.user, "A match waits for you" if count == 1 else f"{count} matches wait for you", notices)
    Wishes.objects.filter(pk=wishes.pk).update(digested=timezone.now())


def handle_test(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: send the mail that the test button asks for."""
    user = get_user_model().objects.filter(pk=payload["user"]).first()
    if user is not None and waiting.can_mail(user):
        text = "This is a test. Notices of your matches come to this address."
        _send(user, "Test of notices", [waiting.Notice("", text, settings.SITE_ORIGINS[0] + reverse("matches:mine"))])


def token_of(user_id: int) -> str:
    """Return what stands in the link by which this person stops all mails, without signing in."""
    made = salted_hmac("matches.notices.stop", str(user_id), algorithm="sha256").digest()
    return f"{user_id}-{base64.urlsafe_b64encode(made[:16]).decode().rstrip('=')}"


def user_of(token: str) -> int | None:
    """Return whose link it is; None for a token that was not made here."""
    number = token.partition("-")[0]
    fits = number.isascii() and number.isdecimal() and len(number) < 19
    return int(number) if fits and hmac.compare_digest(token_of(int(number)), token) else None


# -- inside


def _is_out(wishes: Wishes) -> bool:
    """Return whether a mail was sent after which this person has not been here."""
    return wishes.mailed is not None and not waiting.has_been_here(wishes.user_id, wishes.mailed)


def _send(user: Any, subject: str, notices: list[waiting.Notice]) -> None:
    origin = settings.SITE_ORIGINS[0]
    stop = origin + reverse("notices:stop", args=[token_of(user.pk)])
    context = {"user": user, "notices": notices, "stop": stop, "settings": origin + reverse("notices:settings")}
    EmailMessage(
        subject=f"[Ragtag Fleet] {subject}",
        body=render_to_string("notices/mail.txt", context),
        to=[user.email],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    ).send()
