"""Writing the audit log of the card database."""

from __future__ import annotations

from typing import Any

from cards_data.models import AuditEntry, DataVersion, ImportDraft

COMMAND_LINE = "command line"
"""Who is said to have done what somebody with a shell on the server does without naming an author."""
BACKGROUND = "background work"
"""Who is said to have done what the site does by itself."""


def note(
    user: Any,
    what: str,
    *,
    draft: ImportDraft | None = None,
    version: DataVersion | None = None,
    **more: Any,
) -> AuditEntry:
    """Add an entry: ``user`` (None for the command line, or a text for what is nobody) did ``what``.

    ``more`` is its detail. Called inside the transaction of what it tells of: both are there or neither.
    """
    if user is None or isinstance(user, str):
        known, who = None, user or COMMAND_LINE
    else:
        known, who = user if user.pk is not None else None, user.get_username() or "a visitor"
    return AuditEntry.objects.create(user=known, who=who, what=what, draft=draft, version=version, detail=more)
