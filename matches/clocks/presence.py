"""Who is away while they must decide, and for how long the others have to wait for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from matches.clocks import site_time
from matches.clocks.standing import Standing
from matches.clocks.tempo import Kind
from matches.models import Match, MatchSeat
from matches.protocol import Absent
from matches.seat_sets import seats_of

PRESENT_FOR = timedelta(seconds=12)
"""How long after its last sign of life a seat counts as present (sockets give one every 5 s)."""

AWAY_FOR: Mapping[Kind, timedelta] = {"live": timedelta(minutes=2), "untimed": timedelta(days=3)}
"""How long somebody may be away while they must decide; in correspondence the clock alone says."""

NOTED_FOR: Mapping[Kind, timedelta] = {"live": timedelta(minutes=2), "untimed": timedelta(hours=12)}
"""How long before the end of that it is told."""


def absent(
    kind: Kind, deciders: int, changed: datetime, seats: Iterable[tuple[int, str, datetime | None]]
) -> list[Absent]:
    """Return who is away while they must decide, of ``seats`` given as number, kind and last sign of life.

    Nobody is away while a match has nobody else to wait for them, or in a time in which no server was up. Reads when
    the site came up, where somebody is away.
    """
    limit = AWAY_FOR.get(kind)
    people = [(number, seen) for number, seat_kind, seen in seats if seat_kind == MatchSeat.Kind.PERSON]
    if limit is None or len(people) < 2:
        return []
    now = timezone.now()
    away = [
        (number, seen)
        for number, seen in people
        if number in seats_of(deciders) and (seen is None or now - seen > PRESENT_FOR)
    ]
    if not away:
        return []
    up = site_time.up_since()
    found = []
    for number, seen in away:
        rest = limit - (now - max(changed, up, seen or changed))
        if rest <= NOTED_FOR[kind]:
            found.append(Absent(seat=number, claim_in=max(0, -(-rest // timedelta(seconds=1)))))
    return found


def claimable(match_pk: int, kind: Kind, standing: Standing) -> frozenset[int]:
    """Return the seats that may be taken out of the game now."""
    if standing.paused:
        return frozenset()
    deciders, changed = Match.objects.filter(pk=match_pk).values_list("deciders", "changed").get()
    seats = MatchSeat.objects.filter(match=match_pk).values_list("number", "kind", "seen")
    return frozenset(one.seat for one in absent(kind, deciders, changed, seats) if one.claim_in == 0)
