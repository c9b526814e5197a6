"""Matches that were begun with an older engine, which is no longer there, are ended."""

from __future__ import annotations

from django.utils import timezone

from ccg.rules.saving import ENGINE_VERSION
from matches.models import Match
from matches.storage import database

OUTDATED = "outdated"
"""The reason of a result: the match was ended because the engine that began it is no longer there."""


def end_outdated() -> int:
    """End every running match that an older engine has saved, as this one cannot go on with it; return how many.

    Nobody wins or loses. Moves and result are kept, and players find them among their finished matches.
    """
    now = timezone.now()
    old = Match.objects.filter(state=Match.State.RUNNING).exclude(engine_version=str(ENGINE_VERSION))
    return database.write(
        lambda: old.update(
            state=Match.State.FINISHED,
            finished=now,
            changed=now,
            deciders=0,
            deadline=None,
            computer_to_move=False,
            rated=False,
            unrated_why=OUTDATED,
            result={"winners": [], "losers": [], "reason": OUTDATED},
        )
    )
