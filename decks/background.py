"""What happens to decks without anybody asking: legality is looked at again when cards or formats change.

The stored answer is only a cache for lists; the deck page and the table ask legality itself. So this may
come late, or twice, and nothing is wrong meanwhile.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db.models.signals import post_delete, post_save

from cards_data.imports import after_import
from ccg.outbox.handlers import register
from ccg.outbox.services import post
from decks import services
from decks.models import FormatEdition

TASK = "decks.recheck"
BATCH = 50
"""Versions looked at in one piece of work: short enough that a worker killed in the middle repeats little."""


def connect() -> None:
    """Register the work with the outbox, and listen for what makes it necessary. Called once, at start."""
    register(TASK, handle)
    after_import.connect(_cards_changed, dispatch_uid=TASK)
    for signal in (post_save, post_delete):
        signal.connect(_format_changed, sender=FormatEdition, dispatch_uid=TASK)


def request(run: str, after: int = 0) -> bool:
    """Ask for the legality of all versions from id ``after`` on; ``run`` names the round, and is asked for once."""
    return post(TASK, {"run": run, "after": after}, key=f"{TASK}:{run}:{after}")


def handle(payload: dict[str, Any]) -> None:
    """Look at one batch, and ask for the next one. A second run does the same again and asks for nothing new."""
    last = services.recheck_all(after=payload["after"], limit=BATCH)
    if last is not None:
        request(payload["run"], last)


def _cards_changed(version: Any, **_: Any) -> None:
    request(f"cards-{version.number}")


def _format_changed(raw: bool = False, **_: Any) -> None:
    if not raw:
        request(f"format-{secrets.token_hex(8)}")
