"""What pages of other rooms show of the queues."""

from __future__ import annotations

from typing import Any

from django import template

from matches.pairing import services
from matches.pairing.models import QueueEntry
from matches.pairing.queues import CORRESPONDENCE

register = template.Library()


@register.simple_tag
def queued_by_correspondence(user: Any) -> QueueEntry | None:
    """Return how ``user`` waits for a match by correspondence, for which no page is kept open; None if they do not."""
    queued = services.state_of(user, kind=CORRESPONDENCE) if user.is_authenticated else None
    return queued.entry if queued is not None and queued.state == "waiting" else None
