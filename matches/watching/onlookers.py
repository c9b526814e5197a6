"""How many look on at a match: counted by each process for its own sockets, with every heartbeat.

Nothing has to be said when a socket closes or a process dies: what it said last grows old.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from matches.models import Match
from matches.watching.models import Onlookers

HOLDS_FOR = timedelta(seconds=12)
"""How long a count holds; processes say theirs every 5 s."""

PROCESS = secrets.token_hex(16)
"""What this process calls itself. A process that is started anew has another name."""


def record(watching: Mapping[str, int]) -> None:
    """Inside a transaction: note how many sockets without a seat this process has at these matches, and at no other."""
    now = timezone.now()
    own = Onlookers.objects.filter(process=PROCESS)
    known = dict(Match.objects.filter(public_id__in=list(watching)).values_list("pk", "public_id"))
    own.exclude(match__in=list(known)).delete()
    rows = [
        Onlookers(match_id=pk, process=PROCESS, sockets=watching[public_id], seen=now)
        for pk, public_id in known.items()
    ]
    Onlookers.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["match", "process"], update_fields=["sockets", "seen"]
    )
    Onlookers.objects.filter(seen__lt=now - 20 * HOLDS_FOR).delete()  # of processes that are gone


def counts(matches: Iterable[int]) -> dict[int, int]:
    """Return how many look on at these matches, by primary key; those at which nobody does are left out."""
    fresh = Onlookers.objects.filter(match__in=list(matches), seen__gt=timezone.now() - HOLDS_FOR)
    return dict(fresh.values_list("match").annotate(Sum("sockets")))
