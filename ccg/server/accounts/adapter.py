"""What our accounts do differently from allauth's."""

from __future__ import annotations

from hashlib import sha256
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from ccg.counting import counted, group_of
from ccg.server.too_often import HOUR, too_often

from .mails import own_link, post_mail
from .models import User
from .names import refuse_taken, validate_display_name

LONGEST_PATH = 500
SITE = SimpleNamespace(name="Ragtag Fleet", domain=urlsplit(settings.SITE_ORIGINS[0]).netloc)
"""What mails call the site; allauth would take the host that the request names."""


class AccountAdapter(DefaultAccountAdapter):
    """Signing up as a guest keeps the user, and with it every match and deck."""

    def new_user(self, request: HttpRequest) -> User:
        """Return the user that signs up: the guest who is here, or a new one."""
        if request.user.is_authenticated and request.user.is_guest:
            return request.user
        return cast(User, super().new_user(request))

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether ``next`` may name this: a path of this site, as a page would name it, and nothing else."""
        # Not allauth's own, which fails on what only begins like an address, such as `//[`.
        return (
            url is not None
            and url.startswith("/")
            and len(url) <= LONGEST_PATH
            and url_has_allowed_host_and_scheme(url, None)
        )

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Check a username; it becomes the display name too, so that has to be free as well."""
        cleaned = cast(str, super().clean_username(username, shallow=shallow))
        validate_display_name(cleaned)
        if not shallow:
            refuse_taken(cleaned, self.request.user.pk if self.request is not None else None)
        return cleaned

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Fill in what was given at sign-up: from now on this is an account under that name.

        Raises IntegrityError if somebody has taken the name since it was checked.
        """
        user.is_guest = False
        user.display_name = form.cleaned_data["username"]
        # Not in the transaction: hashing takes a third of a second, in which no table could write to SQLite.
        made = cast(User, super().save_user(request, user, form, commit=False))
        if commit:
            with transaction.atomic():
                # A guest could have one once; whoever had added it could take the account over by it.
                EmailAddress.objects.filter(user=made.pk).delete()
                made.save()
        return made

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail and have it sent soon; its links lead to the site, whatever host the request names.

        Raises ImmediateHttpResponse where too many are asked for: anybody may ask for mails to anybody.
        """
        if not _few(self.request, email):
            detail = "Too many mails were asked for from where you are, or to this address. None was sent now."
            raise ImmediateHttpResponse(too_often(self.request, "too_many_mails.html", HOUR, detail))
        links = {name: own_link(value) for name, value in context.items() if name.endswith("_url")}
        known = {"email": email, "current_site": SITE, **context, **links}
        if "." in known.get("username", "") and not _is_theirs(known["user"], email):
            known["username"] = ""  # mail programs would make a link of it, to wherever who chose the name likes
        post_mail(self.render_mail(template_prefix, email, known))

    def format_email_subject(self, subject: str) -> str:
        """Return ``subject`` with the name of the site before it."""
        return f"[{SITE.name}] {subject}"


def _is_theirs(user: User, email: str) -> bool:
    """Return whether whoever reads the mail to this address has said that the account is theirs."""
    return EmailAddress.objects.filter(user=user, email__iexact=email, verified=True).exists()


def _few(request: HttpRequest, email: str) -> bool:
    """Count a mail to ``email``; return whether few enough were asked for from this address, and to that one."""
    visitor, addressee = group_of(request.META.get("REMOTE_ADDR", "")), sha256(email.lower().encode()).hexdigest()
    return counted("mails", visitor, settings.MAILS_PER_HOUR, 3600) and counted(
        "mails_to", addressee, settings.MAILS_TO_ONE_PER_HOUR, 3600
    )
