"""Sending mails from background work, and leaving a mail server alone for a while after it has failed.

All mails of the site go out through :func:`send`. Whoever has one to send posts it to the outbox, which tries again
what raises here.
"""

from __future__ import annotations

import time
from smtplib import SMTPRecipientsRefused

from django.core.mail import EmailMessage

PAUSE_SECONDS = 60.0
"""How long a process tries no mail after the mail server has failed: other work waits for the same threads."""

PERMANENT = 500
"""From this code on, what a mail server says of a recipient will not change."""


class MailServerAway(Exception):
    """The mail server failed a moment ago and is not asked again so soon."""


class NoSuchAddress(Exception):
    """The mail server refuses the address for good, so that sending again would not help."""


class _Pause:
    """Until when this process tries no mail."""

    until = 0.0


def send(mail: EmailMessage) -> None:
    """Send ``mail`` now.

    Raises :class:`NoSuchAddress`; :class:`MailServerAway`; or what a mail server says that fails (OSError, of which
    the errors of SMTP are a kind), after which no mail is tried for :data:`PAUSE_SECONDS`.
    """
    if time.monotonic() < _Pause.until:
        raise MailServerAway("the mail server failed a moment ago")
    try:
        mail.send()
    except SMTPRecipientsRefused as refused:
        if any(code < PERMANENT for code, _ in refused.recipients.values()):
            raise
        raise NoSuchAddress from refused
    except OSError:
        _Pause.until = time.monotonic() + PAUSE_SECONDS
        raise
