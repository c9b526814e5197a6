"""What happens to decks without anybody asking: legality is looked at again when cards or formats change.

The stored answer is only a cache for lists; the deck page and the table ask legality itself. So this may
come late, or twice, and nothing is wrong meanwhile.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from cards_data import bulk
from cards_data.imports import after_import
from ccg.outbox.handlers import register
from ccg.outbox.services import post
from ccg.outbox.sweeps import register_sweep
from decks import rechecking
from decks.models import Deck, FormatEdition, GoneDeck
from decks.pictures import previews

TASK = "decks.recheck"
PUBLIC_DECKS = "decks"
"""The file of them (:mod:`cards_data.bulk`)."""
SOON = timedelta(minutes=1)
"""How long the file of public decks waits for more changes."""
BATCH = 200
"""Versions looked at in one piece of work: some twenty milliseconds, so that pages of the same process do not wait and
a worker killed in the middle repeats little."""
DAYS_LOOKED_BACK = 30
"""How long ago an edition may have begun or ended for its round to be asked for: the site may have been away."""
LOOK_AT_DAYS_SECONDS = 300


def connect() -> None:
    """Register the work with the outbox, and listen for what makes it necessary. Called once, at start."""
    register(TASK, handle)
    previews.connect()
    after_import.connect(_cards_changed, dispatch_uid=TASK)
    for signal in (post_save, post_delete):
        signal.connect(_format_changed, sender=FormatEdition, dispatch_uid=TASK)
        signal.connect(_deck_changed, sender=Deck, dispatch_uid=PUBLIC_DECKS)
    register_sweep("decks.days", ask_for_days, seconds=LOOK_AT_DAYS_SECONDS)
    post_delete.connect(GoneDeck.remember, sender=Deck, dispatch_uid="decks.gone")


def _deck_changed(instance: Deck, raw: bool = False, update_fields: Any = None, **_: Any) -> None:
    """Ask for the picture of a public deck, and the file of all, where they are about this one, or may have been."""
    if raw:
        return
    previews.deck_changed(instance, update_fields)
    public = instance.is_public
    if public or "visibility" in (update_fields or ()):
        bulk.request(PUBLIC_DECKS, SOON if instance.owner_id else timedelta(0))


def request(run: str, after: int = 0) -> bool:
    """Ask for the legality of all versions from id ``after`` on; ``run`` names the round, and is asked for once."""
    return post(TASK, {"run": run, "after": after}, key=f"{TASK}:{run}:{after}")


def ask_for_days() -> None:
    """Ask for a round on the day on which an edition of a format begins or ends, once; a sweep calls it."""
    today = timezone.localdate()
    lately = (today - timedelta(days=DAYS_LOOKED_BACK), today)
    editions = FormatEdition.objects.filter(Q(starts__range=lately) | Q(ends__range=lately))
    days = [day for pair in editions.values_list("starts", "ends") for day in pair if day and day <= today]
    if days:
        request(f"day-{max(days)}")


def handle(payload: dict[str, Any]) -> None:
    """Look at one batch, and ask for the next one. A second run does the same again and asks for nothing new."""
    last = rechecking.recheck_all(after=payload["after"], limit=BATCH)
    if last is not None:
        request(payload["run"], last)


def _cards_changed(version: Any, **_: Any) -> None:
    request(f"cards-{version.number}")
    previews.ask_for_all()


def _format_changed(raw: bool = False, **_: Any) -> None:
    if not raw:
        request(f"format-{secrets.token_hex(8)}")
