"""What happens to people elsewhere on the site and concerns their sockets."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from matches.hints import notifications


@receiver(user_logged_out, dispatch_uid="matches.close_sockets_of_session")
def close_sockets_of_session(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Somebody signs out: their sockets of this session close."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if user is not None and key:
        notifications.notify_session_ended(user.pk, key)


NO_MATTER = {"last_login", "table_settings", "settings_revision"}
"""Columns of a person that say nothing of whether they may be there; they change often, and each socket would look."""


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="matches.check_sockets_of_person")
def check_sockets_of_person(
    sender: Any, instance: Any, created: bool, update_fields: frozenset[str] | None = None, **kwargs: Any
) -> None:
    """A person was changed (locked out, new password): their sockets look whether they are still welcome."""
    if not created and not (update_fields and update_fields <= NO_MATTER):
        transaction.on_commit(lambda: notifications.notify_person_changed(instance.pk))
