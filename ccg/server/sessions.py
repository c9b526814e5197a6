"""Sessions in the database, for who somebody is and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, cast

from django.contrib.sessions.backends import db
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.contrib.sessions.models import Session
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from ccg.outbox.deleting import delete_some

MAX_BYTES = 4096
"""The most that a session may hold. Signing in takes some 300 bytes."""
SWEEP_SECONDS = 600
SWEPT = 10_000
"""Sessions that one sweep deletes at most; the next one goes on."""
_MESSAGES = "_messages"
_KEY = re.compile(r"[a-z0-9]{8,40}")


class SessionTooLarge(SuspiciousOperation):
    """Something wanted to keep more in a session than belongs there."""


class SessionStore(db.SessionStore):
    """Refuses what is too large, so that visitors cannot fill the database by way of their sessions.

    Messages that nobody has read (whoever posts and never follows the redirect collects them) go first.
    """

    is_half_over = False
    """Whether half of its time was over as it was read."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Return the session as it is stored; raises SessionTooLarge."""
        if self._size(session_dict) > MAX_BYTES:
            session_dict = {key: value for key, value in session_dict.items() if key != _MESSAGES}
        size = self._size(session_dict)
        if size > MAX_BYTES:
            raise SessionTooLarge(f"a session of {size} bytes was not stored")
        return cast(str, super().encode(session_dict))

    def _get_session_from_db(self) -> Session | None:
        """Return the row of the session, if there is one whose time is not over."""
        row: Session | None = super()._get_session_from_db()
        half = timedelta(seconds=self.get_session_cookie_age()) / 2
        self.is_half_over = row is not None and row.expire_date - timezone.now() < half
        return row

    def _size(self, session_dict: dict[str, Any]) -> int:
        """Return the bytes of all that is in it; stored it is compressed, and so perhaps less."""
        return len(self.serializer().dumps(session_dict))

    def _validate_session_key(self, key: str | None) -> bool:
        """Return whether ``key`` can be one.

        Cookies can spell a NUL, to pages as to sockets, and PostgreSQL is not asked for that without an error.
        """
        return key is not None and _KEY.fullmatch(key) is not None


class SessionRenewal(SessionMiddleware):
    """Django's middleware, which also renews sessions.

    A session of which half the time is over is stored anew with the next page, and so is its cookie: only whoever stays
    away for all of ``SESSION_COOKIE_AGE`` is signed out by it, and a guest's matches hang on it. Where that cannot be
    stored, as the disk is full or they have just signed out in another tab, the page is answered all the same.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session if it was changed or is to be renewed, and set its cookie."""
        session = request.session
        renews = session.is_half_over and not session.modified
        session.modified = session.modified or renews
        try:
            return cast(HttpResponse, super().process_response(request, response))
        except SessionInterrupted:
            if not renews:
                raise
            patch_vary_headers(response, ("Cookie",))
            return response


def sweep() -> None:
    """Delete sessions whose time is over, some thousands at a time."""
    delete_some(SessionStore.get_model_class().objects.filter(expire_date__lt=timezone.now()), SWEPT)
