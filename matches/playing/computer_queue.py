"""The queue of turns that computer players have to take.

With a broker that is a row in the outbox, written together with the move before it, for a Celery worker
to find. In the embedded server it is an entry in a queue of this process, made after the commit, for the
threads of ``matches.runners.computer_runner``; what a process takes with it when it dies is found again by their sweep.
"""

from __future__ import annotations

import queue

from django.conf import settings
from django.db import transaction
from msgspec import Struct

from ccg.outbox.services import post
from ccg.rules import Decision

TURN_TASK = "matches.computer_turn"

QUICK = ("payment", "expedite", "mission_units", "effects", "reorder")
"""Kinds of decision that are quick: parts of a move of which others see nothing, and rounds in which most pass.

The kind alone says so, as it depends on no hand. A computer that is quick where it can only pass tells that its hand
has nothing to play.
"""


class Turn(Struct, frozen=True):
    """A computer has to choose in this match; ``quick`` if that is seldom anything anybody would want to watch."""

    match_id: str
    quick: bool


turns: queue.SimpleQueue[Turn | None] = queue.SimpleQueue()
"""Turns of computers in matches that this process has moved on; None ends who listens."""


def request_turn(match_id: str, version: int, decision: Decision) -> None:
    """Queue a turn of the computer. Call it inside the transaction that brought the match to ``version``."""
    quick = decision.kind in QUICK
    if settings.CELERY_BROKER_URL:
        payload = {"match": match_id, "version": version, "quick": quick}
        post(TURN_TASK, payload, key=f"{TURN_TASK}:{match_id}:{version}")
    else:
        transaction.on_commit(lambda: turns.put(Turn(match_id, quick)))
