"""Who lets matches of two run out that they are about to lose: a sign for staff, never punished by machine.

Of several matches by correspondence that somebody loses by time within a week only one counts, for the sake of those
who are ill or on a journey (:func:`matches.ratings.services.lost_by_time_before`). And a match without clocks that
stands still for long enough is a draw: whoever looks in now and then is never away, and cannot be taken out. Both can
be used by a player who is behind. Whoever stays away for another reason does so in matches that stand well, too.
"""

from __future__ import annotations

from django.utils import timezone

from cards_data.catalog import UnknownVersion
from matches.clocks import earlier
from matches.models import Match, MatchSeat, Move, draw_option
from matches.playing import match_cache
from matches.ratings.models import RunOut, Sign
from matches.ratings.signs import WINDOW
from matches.storage import database
from matches.table import ending

STALLS = 4
"""Matches that somebody let run out while they were behind, from which on it is looked at whether it is a sign."""
STALLS_TIMES = 3
"""How many times those in which they were not behind."""

ABANDONED = draw_option("abandoned")
"""The option of the move that ends a match to which nobody has come back."""


def note(match: Match) -> None:
    """Note who has let a finished ``match`` run out, if somebody has, and look whether it has become a sign.

    Done again it changes nothing. A match says nothing at which several were waited for, or whose cards are gone.
    """
    if match.players != 2 or not match.catalog:  # without cards there was no game
        return
    try:
        seat = _waited_for(match)
        if seat is None:
            return
        behind = _is_behind(match, seat)
    except UnknownVersion:
        return
    person = MatchSeat.objects.filter(match=match, number=seat).values_list("user_id", flat=True).first()
    if person is not None:
        database.write(lambda: _note(match, person, behind))


def _waited_for(match: Match) -> int | None:
    """Return the seat that has let the match run out: by its clock, by being away, or by choosing nothing."""
    last = match.moves.order_by("-seq").defer("events", "standing").first()
    if last is None:
        return None
    if last.kind == Move.Kind.TIME:
        return last.seat
    if last.kind == Move.Kind.CLAIM:
        return int(last.option)
    if last.kind != Move.Kind.CONCEDE or last.option != ABANDONED:
        return None
    catalog = match_cache.catalog_of(match.catalog)
    deciding = earlier.table_at(match.pk, match.players, last.seq - 1, catalog).game.deciding
    return deciding[0] if len(deciding) == 1 else None


def _is_behind(match: Match, seat: int) -> bool:
    """Return whether ``seat`` has lost more influence than the other: bases begin with more and with less."""
    course = ending.of(match).course
    lost = [begun - left for begun, left in zip(course[0].influence, course[-1].influence, strict=True)]
    return lost[seat] > lost[1 - seat]


def _note(match: Match, person: int, behind: bool) -> None:
    """Inside a transaction: write down the match, and the sign that it may be."""
    RunOut.objects.get_or_create(match=match, defaults={"user_id": person, "behind": behind})
    since = timezone.now() - WINDOW
    behind_in = list(RunOut.objects.filter(user=person, noted__gt=since).values_list("behind", flat=True))
    stalled = behind_in.count(True)
    if behind and stalled >= STALLS and stalled >= STALLS_TIMES * behind_in.count(False):
        Sign.objects.update_or_create(
            kind=Sign.Kind.STALLS, user_id=person, other=None,
            defaults={"matches": stalled, "state": Sign.State.OPEN},
        )  # fmt: skip
