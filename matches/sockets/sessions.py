"""Whether the session behind a socket is still signed in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.crypto import constant_time_compare

SessionOf = tuple[str, int]
"""The key of a session and the person whose it should be."""

MOST_PROVED = 10_000

_proved: OrderedDict[SessionOf, tuple[str, str]] = OrderedDict()
"""What the database held (session, password) when these were found to be signed in; used by one thread at a time."""


def is_signed_in(session_key: str, user_id: int) -> bool:
    """Return whether this session exists and is still that of this active user, with the same password.

    Reads only. (``django.contrib.auth.get_user`` would also end a session whose password has changed,
    which would sign out somebody who is just changing theirs.)
    """
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    try:
        if session[SESSION_KEY] != str(user_id):
            return False
        user = get_user_model().objects.get(pk=user_id)
        return user.is_active and constant_time_compare(session[HASH_SESSION_KEY], user.get_session_auth_hash())
    except (KeyError, ObjectDoesNotExist):
        return False


def still_signed_in(sessions: Collection[SessionOf]) -> set[SessionOf]:
    """Return which of these are signed in, as :func:`is_signed_in` says, with two queries for all of them.

    While nothing of session and person has changed, what was proved once need not be worked out again.
    """
    keys, people = {key for key, _ in sessions}, {user_id for _, user_id in sessions}
    data = dict(
        Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).values_list(
            "session_key", "session_data"
        )
    )
    active = get_user_model().objects.filter(pk__in=people, is_active=True)
    passwords = dict(active.values_list("pk", "password"))
    valid = set()
    for session in sessions:
        key, user_id = session
        if key not in data or user_id not in passwords:
            continue
        held = (data[key], passwords[user_id])
        if _proved.get(session) == held or is_signed_in(key, user_id):
            valid.add(session)
            _proved[session] = held
            _proved.move_to_end(session)
    while len(_proved) > MOST_PROVED:
        _proved.popitem(last=False)
    return valid
