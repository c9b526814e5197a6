"""The moves by which the tables of a player hear that their vacation (``matches.clocks.vacations``) begins or ends."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from matches.clocks import manners
from matches.clocks.models import Vacation
from matches.models import Match, MatchSeat
from matches.playing import moves
from matches.storage import database


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: tell all matches of the player, as far as it still holds. May be done twice."""
    vacation = Vacation.objects.filter(pk=payload["vacation"]).first()
    if vacation is None or vacation.over == payload["away"]:
        return
    command = manners.Vacation(id=moves.site_id("vacation", vacation.pk, payload["away"]), away=payload["away"])
    seats = MatchSeat.objects.filter(
        Q(match__tempo__startswith="correspondence"), user=vacation.user_id, match__state=Match.State.RUNNING
    )
    for public_id in seats.values_list("match__public_id", flat=True):
        outcome = moves.act(public_id, moves.Actor.person(vacation.user_id), command)
        if isinstance(outcome, moves.Refusal) and outcome.code == "busy":
            raise database.Busy
