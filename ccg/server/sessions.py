"""Sessions in the database, for who somebody is and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, cast

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.exceptions import SuspiciousOperation
from django.utils import timezone

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

    Messages that nobody has read (whoever posts and never follows the redirect collects them) go first. A session of
    which half the time is over is stored anew with the next page, and so is its cookie: only whoever stays away for
    all of ``SESSION_COOKIE_AGE`` is signed out by it, and a guest's matches hang on it.
    """

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
        if row is not None and row.expire_date - timezone.now() < timedelta(seconds=self.get_session_cookie_age()) / 2:
            self.modified = True
        return row

    def _size(self, session_dict: dict[str, Any]) -> int:
        """Return the bytes of all that is in it; stored it is compressed, and so perhaps less."""
        return len(self.serializer().dumps(session_dict))

    def _validate_session_key(self, key: str | None) -> bool:
        """Return whether ``key`` can be one.

        Cookies can spell a NUL, to pages as to sockets, and PostgreSQL is not asked for that without an error.
        """
        return key is not None and _KEY.fullmatch(key) is not None


def sweep() -> None:
    """Delete sessions whose time is over, some thousands at a time."""
    delete_some(SessionStore.get_model_class().objects.filter(expire_date__lt=timezone.now()), SWEPT)
