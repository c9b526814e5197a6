"""Notices by mail: one until somebody has been here again, or one a day; each with a link that stops them."""

from __future__ import annotations

import base64
import hashlib
import logging
import re
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from ccg import mailing
from ccg.counting import counted
from ccg.numbers import whole_number
from matches.models import MatchSeat
from matches.notices import telling, waiting, ways
from matches.notices.models import Wishes

TASK, DIGEST_TASK = ways.MAIL_TASK, ways.DIGEST_TASK
TEST_TASK = "matches.notices.test"

TESTS_PER_HOUR = 5
"""Test mails to one address, whoever asks: addresses are not confirmed, so it may be somebody else's."""

_DOT = re.compile(r"[.\u3002\uff0e\uff61](?=\w)")
"""A dot within a word: mail programs make a link of a name such as www.evil.example."""

log = logging.getLogger(__name__)


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell one person of one match, if it is still so and no mail is out already."""
    wishes = Wishes.objects.select_related("user").filter(user=payload["to"], mail=Wishes.Mail.ONCE).first()
    if wishes is None or not ways.can_mail(wishes.user):
        return
    found = telling.seat_of(payload, wishes.user_id)
    notice = telling.notice_of(payload, found) if found is not None else None
    about = telling.about_of(payload)
    if notice is None or (about == "move" and _is_out(wishes)):
        return
    _send(wishes.user, notice.title, [notice])
    if about != "end" and isinstance(found, MatchSeat) and found.match.must_decide(found.number):
        Wishes.objects.filter(pk=wishes.pk).update(mailed=timezone.now())


def handle_digest(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell one person of all matches that wait for them, or are over for them.

    Of the latter, those since the last digest. If several rows have piled up, once.
    """
    wishes = Wishes.objects.select_related("user").filter(user=payload["user"], mail=Wishes.Mail.DAILY).first()
    if wishes is None or not ways.can_mail(wishes.user) or not waiting.is_digest_due(wishes):
        return
    waits = []
    for match in waiting.waiting_for(wishes.user_id):
        seat = match.seats.get(user=wishes.user_id)
        waits.append(telling.notice_for(match, seat, "found" if telling.is_news(match, seat) else "move"))
    left = [telling.notice_for(seat.match, seat, "out") for seat in waiting.out_for(wishes)]
    left += [telling.notice_for(seat.match, seat, "end") for seat in waiting.over_for(wishes)]
    for seat in waiting.left_for(wishes):
        left.append(telling.notice_to_leaver(seat, "end" if seat.match.finished else "out"))
    wait, over = ([notice for notice in some if notice is not None] for some in (waits, left))
    if wait or over:
        _send(wishes.user, _subject(wait, over), [*wait, *over])
    Wishes.objects.filter(pk=wishes.pk).update(digested=timezone.now())


def handle_test(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: send the mail that the test button asks for."""
    user = get_user_model().objects.filter(pk=payload["user"]).first()
    if user is not None and ways.can_mail(user) and _may_test(user.email):
        wanted = Wishes.objects.filter(user=user).exclude(mail=Wishes.Mail.OFF).exists()
        come = "come" if wanted else "can come, once you choose so,"
        text = f"This is a test. Notices of your matches {come} to this address."
        _send(user, "Test of notices", [telling.Notice("", text, settings.SITE_ORIGINS[0] + reverse("matches:mine"))])


def token_of(user_id: int) -> str:
    """Return what stands in the link by which this person stops all mails, without signing in."""
    made = salted_hmac("matches.notices.stop", str(user_id), algorithm="sha256").digest()
    return f"{user_id}-{base64.urlsafe_b64encode(made[:16]).decode().rstrip('=')}"


def user_of(token: str) -> int | None:
    """Return whose link it is; None for a token that was not made here."""
    number = whole_number(token.partition("-")[0], 18)
    return number if number is not None and constant_time_compare(token_of(number), token) else None


# -- inside


def _subject(wait: list[telling.Notice], over: list[telling.Notice]) -> str:
    """Return the subject of a digest of matches that wait, and of those in which there is nothing left to do."""
    if wait:
        return "A match waits for you" if len(wait) == 1 else f"{len(wait)} matches wait for you"
    return over[0].title if len(over) == 1 else f"{len(over)} of your matches are over for you"


def _is_out(wishes: Wishes) -> bool:
    """Return whether a mail was sent after which this person has not been here."""
    return wishes.mailed is not None and not waiting.has_been_here(wishes.user_id, wishes.mailed)


def _may_test(address: str) -> bool:
    return counted("notice-tests", hashlib.sha256(address.lower().encode()).hexdigest(), TESTS_PER_HOUR, 3600)


def _send(user: Any, subject: str, notices: list[telling.Notice]) -> None:
    """Send a mail; raises what a mail server that fails has said, so that it is tried again.

    An address that the mail server refuses for good gets no more mails, until its owner asks for them again.
    """
    try:
        mailing.send(_mail(user, subject, notices))
    except mailing.NoSuchAddress:
        log.info("the mail server refuses the address of account %s", user.pk)
        Wishes.objects.filter(user=user).update(mail=Wishes.Mail.OFF)


def _mail(user: Any, subject: str, notices: list[telling.Notice]) -> EmailMessage:
    origin = settings.SITE_ORIGINS[0]
    stop = origin + reverse("notices:stop", args=[token_of(user.pk)])
    texts = [telling.Notice(notice.title, _DOT.sub(r"\g<0> ", notice.text), notice.url) for notice in notices]
    context = {"user": user, "notices": texts, "stop": stop, "settings": origin + reverse("notices:settings")}
    return EmailMessage(
        subject=f"[Ragtag Fleet] {subject}",
        body=render_to_string("notices/mail.txt", context),
        to=[user.email],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )
