"""Answering for players: what is forced in correspondence, and what their orders say.

An answer is a move like others, made through ``matches.playing.moves`` and conditional on the version; it is named by
the order and the version, so it is made once, however many processes try. Servers answer on a thread as they hear of a
move, and their sweep of clocks looks for what was left (``Match.answer_due``).
"""

from __future__ import annotations

import logging
import threading

from django.db import close_old_connections, connections

from ccg.rules import EngineError, Game, StateError
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.models import Match, MatchSeat
from matches.orders import services
from matches.orders.matching import Answer
from matches.playing import answer_queue, consequences, moves
from matches.playing.moves import SiteChooses
from matches.storage.faults import Failing
from matches.table import table_view

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches taken in one sweep; the next one comes in seconds."""

failing = Failing()
"""Matches in which an answer has failed by a fault."""


def answer(match_id: str) -> bool:
    """Answer the question of this match for its player, if the site is to; return whether it was done."""
    match = Match.objects.filter(public_id=match_id, state=Match.State.RUNNING, answer_due=True).first()
    if match is None:
        return False
    try:
        version, game, _ = table_view.current_game(match)
    except StateError:
        services.nothing_to_answer(match.pk, match.version, 0, [])
        return False
    decision = game.decision
    assert decision is not None  # the match runs
    seat = decision.seat
    verdicts = services.judged(match.pk, seat, game)
    services.close(match.pk, seat, verdicts)
    command = None
    if not standings.read(bytes(match.standing), match.players, version).paused:
        command = _forced(match, game, version) or _ordered(verdicts, game, version)
    if command is not None:
        try:
            outcome = moves.act(match_id, moves.Actor.answers_for(seat), command)
        except EngineError as error:
            log.error("in match %s the answer %r failed: %s", match_id, command.option, error)
        else:
            return isinstance(outcome, moves.Accepted)
    services.nothing_to_answer(match.pk, version, seat, [row.pk for row, _ in verdicts])
    return False


def sweep() -> int:
    """Answer wherever nobody has so far; return how many matches went on by that."""
    waiting = Match.objects.filter(state=Match.State.RUNNING, answer_due=True).exclude(public_id__in=failing.now())
    waiting = waiting.order_by("changed")
    return sum(_answer_safely(match_id) for match_id in waiting.values_list("public_id", flat=True)[:AT_ONCE])


def _forced(match: Match, game: Game, version: int) -> SiteChooses | None:
    computers = frozenset(match.seats.filter(kind=MatchSeat.Kind.COMPUTER).values_list("number", flat=True))
    if not consequences.answers_itself(game, tempos.read(match.tempo), computers):
        return None
    assert game.decision is not None
    return SiteChooses(id=moves.site_id("forced", version), version=version, option=game.key(game.decision.options[0]))


def _ordered(verdicts: list[services.Judged], game: Game, version: int) -> SiteChooses | None:
    """Return the answer of the oldest order that has one, as far as it is one of the options."""
    assert game.decision is not None
    options = [game.key(option) for option in game.decision.options]
    for row, verdict in verdicts:
        if isinstance(verdict, Answer) and verdict.verb in options:
            return SiteChooses(id=f"{row.mark}{version}", version=version, option=verdict.verb)
    return None


def _answer_safely(match_id: str) -> bool:
    """Answer; one broken match does not stop the others."""
    with failing.attempt_alone(match_id, log, "match %s could not be answered for", match_id):
        return answer(match_id)
    return False


class Answering:
    """The thread of a server that answers as it hears of moves."""

    def __init__(self) -> None:
        self._thread = threading.Thread(target=self._work, name="orders", daemon=True)

    def start(self) -> None:
        """Begin; what was left before is found by the sweep."""
        answer_queue.Listening.now = True
        self._thread.start()

    def stop(self, timeout: float = 1) -> None:
        """Let a running answer end and begin no new one."""
        answer_queue.Listening.now = False
        answer_queue.matches.put(None)
        self._thread.join(timeout)

    def _work(self) -> None:
        try:
            while (match_id := answer_queue.matches.get()) is not None:
                close_old_connections()
                _answer_safely(match_id)
        finally:
            connections.close_all()
