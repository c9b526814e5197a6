"""Who is away while they must decide, and for how long the others have to wait for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.utils import timezone
from msgspec import Struct

from matches.clocks import site_time
from matches.clocks.standing import Standing
from matches.clocks.tempo import Kind
from matches.models import Match, MatchSeat, Move
from matches.protocol.messages import Absent
from matches.storage.seat_sets import seats_of

PRESENT_FOR = timedelta(seconds=12)
"""How long after its last sign of life a seat counts as present (sockets give one every 5 s)."""

AWAY_FOR: Mapping[Kind, timedelta] = {"live": timedelta(minutes=2), "untimed": timedelta(days=3)}
"""How long somebody may be away while they must decide; in correspondence the clock alone says."""

NOTED_FOR: Mapping[Kind, timedelta] = {"live": timedelta(minutes=2), "untimed": timedelta(hours=12)}
"""How long before the end of that it is told, and for how long at least the site has to be up again by then: on one
that is started anew each night nobody would ever be away for three days else."""


class Waits(Struct, frozen=True):
    """A match that may wait for somebody who is away."""

    pk: int
    kind: Kind
    deciders: int
    standing: Standing
    seats: Iterable[tuple[int, str, datetime | None]]
    """Number, kind and last sign of life of each."""


def absent(match: Waits) -> list[Absent]:
    """Return who is away while they must decide.

    Nobody is away while a match has nobody else to wait for them, in a pause, or just after no server was up.
    Reads when the site came up and since when they have been asked, where somebody is away.
    """
    limit = AWAY_FOR.get(match.kind)
    people = [(number, seen) for number, seat_kind, seen in match.seats if seat_kind == MatchSeat.Kind.PERSON]
    if limit is None or len(people) < 2 or match.standing.paused:
        return []
    now = timezone.now()
    away = {
        number: seen
        for number, seen in people
        if number in seats_of(match.deciders) and (seen is None or now - seen > PRESENT_FOR)
    }
    if not away:
        return []
    up, asked = site_time.up_since(), _asked_since(match, away)
    found = []
    for number, seen in away.items():
        waited = now - max(asked[number], seen or asked[number])
        rest = max(limit - waited, NOTED_FOR[match.kind] - (now - up))
        if rest <= NOTED_FOR[match.kind]:
            found.append(Absent(seat=number, claim_in=max(0, -(-rest // timedelta(seconds=1)))))
    return found


def claimable(match_pk: int, kind: Kind, standing: Standing) -> frozenset[int]:
    """Return the seats that may be taken out of the game now."""
    if AWAY_FOR.get(kind) is None:
        return frozenset()
    deciders = Match.objects.values_list("deciders", flat=True).get(pk=match_pk)
    seats = MatchSeat.objects.filter(match=match_pk).values_list("number", "kind", "seen")
    return frozenset(one.seat for one in absent(Waits(match_pk, kind, deciders, standing, seats)) if one.claim_in == 0)


def _asked_since(match: Waits, away: Mapping[int, datetime | None]) -> dict[int, datetime]:
    """Return since when each of those who are ``away`` could have decided; seats with when they were seen.

    What is offered at the table, by them or by others, does not put that off; the end of a pause does.
    """
    standing = match.standing
    versions = {
        # Who has never been seen may be somebody who has just been given the seat.
        seat: max(standing.asked[seat], standing.resumed, standing.seated if seen is None else 0)
        for seat, seen in away.items()
    }
    made = dict(Move.objects.filter(match=match.pk, seq__in=versions.values()).values_list("seq", "created"))
    if 0 in versions.values():
        made[0] = Match.objects.values_list("started", flat=True).get(pk=match.pk)
    return {seat: made[version] for seat, version in versions.items()}
