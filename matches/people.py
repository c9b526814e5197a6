"""Who is behind a socket, and whether they still are."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.utils.crypto import constant_time_compare


def is_signed_in(session_key: str, user_id: int) -> bool:
    """Whether this session exists and is still that of this active user, with the same password.

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
