"""What follows once a game has begun or a move is made: columns of the match, background work, news to sockets.

None of it is decided here: all of it follows from the game. Whoever stores a match calls these in its transaction,
and :func:`tell` after the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone

from ccg.outbox.services import post
from ccg.rules import Game
from matches.clocks.tempo import Tempo
from matches.hints import notifications
from matches.models import Match, result_of
from matches.playing import computer_queue, match_cache
from matches.storage import seat_sets

ARCHIVE_TASK = "matches.archive"
RATE_TASK = "ratings.rate"
SHUFFLES_TASK = "matches.shuffles"


def match_columns(game: Game, computers: frozenset[int], *, lesson: bool = False) -> dict[str, Any]:
    """Return what the row of a match says about ``game``, so that questions about it need no engine."""
    now = timezone.now()
    row: dict[str, Any] = {
        "deciders": seat_sets.deciding_in(game),
        "computer_to_move": computer_to_move(game, computers, lesson=lesson),
        "changed": now,
    }
    if game.result is not None:
        row |= {"state": Match.State.FINISHED, "finished": now, "result": result_of(game)}
    return row


def computer_to_move(game: Game, computers: frozenset[int], *, lesson: bool = False) -> bool:
    """Return whether a computer has to choose now, whoever else has to at the same time.

    In a lesson it waits until nobody else is asked before it, as a lesson tells what happens in one order.
    """
    return not computers.isdisjoint(game.deciding[:1] if lesson else game.deciding)


def answers_itself(game: Game, tempo: Tempo, computers: frozenset[int]) -> bool:
    """Return whether the site answers the question that is asked: by correspondence, where it is forced.

    Live the table of the player does that, who sees what is asked. What is asked of several at once is never forced.
    """
    decision = game.decision
    return tempo.kind == "correspondence" and decision is not None and decision.seat not in computers and game.forced


def follow_up(
    match_id: str,
    version: int,
    game: Game,
    computers: frozenset[int],
    *,
    rated: bool = False,
    lesson: bool = False,
) -> Callable[[], object] | None:
    """Return what is to be written together with ``version``, so that the work that follows from it gets done.

    A ``rated`` match is one among people, even if a computer plays on in a seat by now.
    """
    if game.result is not None:
        return partial(_post_ending, match_id, among_people=rated or not computers)
    decision = game.decision
    if decision is not None and computer_to_move(game, computers, lesson=lesson):
        return partial(computer_queue.request_turn, match_id, version, decision)
    return None


def _post_ending(match_id: str, *, among_people: bool) -> None:
    """Write down what is to be done for a match that is over."""
    for task in (ARCHIVE_TASK, SHUFFLES_TASK, *([RATE_TASK] if among_people else [])):
        post(task, {"match": match_id}, key=f"{task}:{match_id}")


def tell(match_id: str, version: int, game: Game, standing: bytes, packed: bytes | None = None) -> None:
    """After the commit: cache the match at its new version, and notify the sockets of this process."""
    match_cache.remember(match_id, version, game, standing, ((version, packed),) if packed is not None else ())
    notifications.notify_version(match_id, version)
