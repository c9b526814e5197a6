"""The moves by which the tables of a player hear that their vacation (``matches.clocks.vacations``) begins or ends."""

from __future__ import annotations

from typing import Any

from matches.clocks import manners
from matches.clocks.models import Vacation
from matches.models import Match, MatchSeat, by_correspondence
from matches.playing import moves
from matches.storage import database


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell all matches of the player how it stands now. May be done twice.

    Which change has posted the row does not count, only whether the player is away: rows of two changes may be handled
    in another order, or at the same time, and the last one that tells a match must tell it what holds.
    """
    vacation = Vacation.objects.filter(pk=payload["vacation"]).first()
    while vacation is not None:
        newest = Vacation.objects.filter(user=vacation.user_id).latest("pk")
        _tell(newest)
        since = Vacation.objects.filter(user=newest.user_id, pk__gte=newest.pk).exclude(pk=newest.pk, over=newest.over)
        if not since.exists():
            return  # what changes from here on is told by the row that is posted with it


def _tell(vacation: Vacation) -> None:
    """Tell all matches of its player whether this vacation goes on or is over.

    Raises what kept one of them from being told (``database.Busy``, or a fault) once all others are.
    """
    away = not vacation.over
    command = manners.Vacation(id=moves.site_id("vacation", vacation.pk, away), away=away)
    seats = MatchSeat.objects.filter(
        by_correspondence("match__"), user=vacation.user_id, match__state=Match.State.RUNNING
    )
    failed: Exception | None = None
    for public_id in seats.values_list("match__public_id", flat=True):
        try:
            outcome = moves.act(public_id, moves.Actor.person(vacation.user_id), command)
        except Exception as error:
            failed = error
        else:
            if isinstance(outcome, moves.Refusal) and outcome.code == "busy":
                failed = database.Busy(outcome.message)
    if failed is not None:
        raise failed
