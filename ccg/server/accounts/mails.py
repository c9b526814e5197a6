"""Mails: written while somebody waits for a page, sent by the outbox.

A mail server may be slow or away, or take a connection and never say a word. A page that waited for it would keep
one of the few places for requests, and as many people as there are places would keep everybody from every page.
"""

from __future__ import annotations

import logging
import secrets
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage

from ccg import mailing
from ccg.outbox.handlers import Payload
from ccg.outbox.models import Job
from ccg.outbox.services import post

log = logging.getLogger(__name__)

TASK = "accounts.mail"


def own_link(link: str) -> str:
    """Return a link to the same page at an address that the site has.

    Anybody may ask for a mail to anybody, and what their request says of the host has only to be one of the site's:
    another port of it may be somebody else's.
    """
    parts = urlsplit(link)
    if f"{parts.scheme}://{parts.netloc}" in settings.SITE_ORIGINS:
        return link
    origin = urlsplit(settings.SITE_ORIGINS[0])
    return parts._replace(scheme=origin.scheme, netloc=origin.netloc).geturl()


def post_mail(mail: EmailMessage) -> None:
    """Have ``mail`` sent soon: its text, to its recipients, from the site."""
    key = f"{TASK}:{secrets.token_hex(16)}"
    post(TASK, {"key": key, "to": mail.to, "subject": mail.subject, "text": mail.body}, key=key)


def handle(payload: Payload) -> None:
    """Handle a row of the outbox: send a mail that was posted, and forget what it said.

    Raises what :func:`ccg.mailing.send` raises, but for an address that there is not.
    """
    try:
        mailing.send(EmailMessage(payload["subject"], payload["text"], to=payload["to"]))
    except mailing.NoSuchAddress:
        log.info("a mail has no recipient: there is no such address")
    # It may hold a link with which whoever reads it sets a password.
    Job.objects.filter(key=payload["key"]).update(payload={})
