"""What ends notices in a browser: that whoever wanted them signs out there."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver

from matches.notices import pushing


@receiver(user_logged_out, dispatch_uid="matches.end_notices_of_session")
def end_notices_of_session(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Forget the browser that took notices in the session that ends: others may use it from now on."""
    session = getattr(request, "session", None)
    if user is not None and session is not None:
        pushing.forget_session(user, session)
