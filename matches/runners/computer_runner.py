"""Threads and tasks in which computer players choose, away from those that serve people.

A turn of the computer is a little task: look at the match, ask the player for an option with the view of
its seat, and make the move through ``matches.playing.moves`` like anybody else. In the embedded server the tasks run on
threads of their own (:class:`Runner`); with a broker they are rows of the outbox, done by Celery workers.
Nothing is kept in memory that matters: whoever dies, the next sweep finds every match in which a computer
has to choose.
"""

from __future__ import annotations

import heapq
import logging
import queue
import random
import threading
import time
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections
from django.utils import timezone

from ccg.rules import Catalog, EngineError, View
from matches.lessons.script import rivals_move
from matches.models import Match, MatchSeat, Move
from matches.players import DEFAULT, PLAYERS
from matches.players.random_player import RandomPlayer
from matches.playing import moves
from matches.playing.computer_queue import turns
from matches.protocol.messages import Choose, Concede
from matches.storage.faults import Failing
from matches.storage.seat_sets import seats_of
from matches.table import table_view

log = logging.getLogger(__name__)

WORKERS = 2
SWEEP_SECONDS = 5.0
AT_ONCE = 1000
"""Matches taken in one sweep."""
HELD_SECONDS = 0.01
TURN_LEASE = timedelta(seconds=10)
"""After how long whoever has a turn of the outbox in hand is taken for dead: somebody sits at the table and waits.

A turn that is still going on by then is done twice, and counts once."""
TURN_KEPT = timedelta(days=1)
"""How long its row is kept that is done: there is one for each choice of a computer."""
DEFAULT_DELAY = (0.35, 0.8)
"""Seconds between which a computer waits before it chooses, so that people can follow."""

DOING_LITTLE = ("pass", "no", "decline")
MOST_OTHERS = 8
"""Options that a computer tries before it concedes where the cards' faults let it carry out none."""
QUICKER = 0.25
"""What is left of that for choices that nobody watches."""


def take_turn(match_id: str) -> bool:
    """Let the computer choose once in this match; False if it is not a computer's turn.

    Safe to do twice at once: both name the action by the version, so only one of them counts.
    """
    match = Match.objects.filter(public_id=match_id, state=Match.State.RUNNING, computer_to_move=True).first()
    if match is None:
        return False
    deciding = MatchSeat.objects.filter(match=match, number__in=seats_of(match.deciders))
    seat = deciding.filter(kind=MatchSeat.Kind.COMPUTER).first()
    if seat is None:
        return False
    version, game, catalog = table_view.current_game(match)
    view = game.view(seat.number)
    if view.decision is None or view.decision.seat != seat.number:
        return False
    if was_left(match, view):
        return _concede(match_id, seat.number, version)
    key = rivals_move(match.lesson, game) or chosen(seat.policy, view, catalog)
    for option in (key, *others(view, key)):
        command = Choose(id=moves.site_id("computer", version), version=version, option=option)
        try:
            outcome = moves.act(match_id, moves.Actor.computer(seat.number), command)
        except EngineError as error:
            log.error("in match %s the computer could not choose %r: %s", match_id, option, error)
            continue
        return isinstance(outcome, moves.Accepted)
    return _concede(match_id, seat.number, version)


def was_left(match: Match, view: View) -> bool:
    """Return whether every person has conceded ``match``, in which there is nobody for whom computers would play on.

    Whoever has lost by the rules may want to see who wins. Who concedes against three computers, again and again, would
    have them play hundreds of games that nobody pays for, while the computers of all others wait.
    """
    people = set(match.seats.filter(kind=MatchSeat.Kind.PERSON).values_list("number", flat=True))
    if not people or not people <= {player.seat for player in view.players if player.lost}:
        return False
    left = Move.objects.filter(match=match, kind=Move.Kind.CONCEDE, seat__in=people).values_list("seat", flat=True)
    return people == set(left)


def _concede(match_id: str, seat: int, version: int) -> bool:
    outcome = moves.act(match_id, moves.Actor.computer(seat), Concede(id=moves.site_id("computer", version)))
    return isinstance(outcome, moves.Accepted)


def others(view: View, key: str) -> list[str]:
    """Return what a computer tries where the cards do not let it choose ``key``: what does least first."""
    assert view.decision is not None
    left = [option for option in view.decision.options if option.key != key]
    left.sort(key=lambda option: option.verb not in DOING_LITTLE)
    return [option.key for option in left[:MOST_OTHERS]]


def chosen(policy: str, view: View, catalog: Catalog) -> str:
    """Ask the player of this name. One that fails or cheats is reported, and chance chooses in its place."""
    assert view.decision is not None
    try:
        key = PLAYERS.get(policy, PLAYERS[DEFAULT])().choose(view, catalog)
        if any(option.key == key for option in view.decision.options):
            return key
        log.error("computer player %r chose %r, which is not offered", policy, key)
    except Exception:
        log.exception("computer player %r could not choose (%s)", policy, view.decision.kind)
    return RandomPlayer().choose(view, catalog)


def handle_turn(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: the computer chooses in this match, if it still stands at this version."""
    match = Match.objects.filter(public_id=payload["match"], version=payload["version"]).first()
    if match is None:
        return
    # Time spent in the queue counts: a busy worker does not wait on top of that.
    waited = (timezone.now() - match.changed).total_seconds()
    longest = pause(payload.get("quick", False))
    # A clock that has gone back, or that of another server, must not make it wait for more than that.
    time.sleep(min(longest, max(0.0, longest - waited)))
    take_turn(match.public_id)


def pause(quick: bool) -> float:
    """Return for how long the computer lets people look before its next choice."""
    shortest, longest = getattr(settings, "COMPUTER_DELAY", DEFAULT_DELAY)
    seconds: float = random.uniform(shortest, longest)
    return seconds * QUICKER if quick else seconds


def waiting_matches(left_alone: Collection[str]) -> list[str]:
    """Return the ids of the other matches in which a computer has to choose, longest waiting first."""
    rows = Match.objects.filter(state=Match.State.RUNNING, computer_to_move=True).exclude(public_id__in=left_alone)
    return list(rows.order_by("changed").values_list("public_id", flat=True)[:AT_ONCE])


class Runner:
    """The threads on which the computers of this process play, until they are stopped."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, str]] = []
        self._held: set[str] = set()
        self._failing = Failing()
        self._stopping = False
        self._next_sweep = 0.0
        names = [("computer-calls", self._listen)] + [(f"computer-{n}", self._work) for n in range(workers)]
        self._threads = [threading.Thread(target=target, name=name, daemon=True) for name, target in names]

    def start(self) -> None:
        """Begin; matches left waiting by an earlier process are found first."""
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Let running turns end and begin no new ones."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        turns.put(None)
        for thread in self._threads:
            thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether its threads run."""
        return not self._stopping and all(thread.is_alive() for thread in self._threads)

    def _listen(self) -> None:
        """Take in which matches wait for a computer."""
        while True:
            turn = turns.get()
            if turn is None:
                return
            self._plan(turn.match_id, pause(turn.quick))

    def _plan(self, match_id: str, wait: float) -> None:
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + wait, match_id))
            self._changed.notify()

    def _work(self) -> None:
        try:
            while (match_id := self._next()) is not None:
                close_old_connections()
                self._play(match_id)
        finally:
            connections.close_all()

    def _next(self) -> str | None:
        """Wait for the next match that is due and is nobody else's at the moment; None when stopping."""
        while True:
            with self._changed:
                if self._stopping:
                    return None
                now = time.monotonic()
                sweep = now >= self._next_sweep
                if sweep:
                    self._next_sweep = now + SWEEP_SECONDS
                elif self._due and self._due[0][0] <= now:
                    _, match_id = heapq.heappop(self._due)
                    if match_id not in self._held:
                        self._held.add(match_id)
                        return match_id
                    # The worker that made the move before is just about to let go of the match.
                    heapq.heappush(self._due, (now + HELD_SECONDS, match_id))
                    continue
                else:
                    until = min(self._next_sweep, self._due[0][0]) if self._due else self._next_sweep
                    self._changed.wait(max(0.0, until - now))
                    continue
            self._sweep()

    def _sweep(self) -> None:
        """Find matches whose turn nobody told us about: those of a process that died."""
        close_old_connections()
        try:
            waiting = waiting_matches(self._failing.now())
        except Exception as error:
            log.warning("no sweep for waiting computers this time: %s", error)
            return
        with self._changed:
            known = self._held | {match_id for _, match_id in self._due}
        for match_id in waiting:
            if match_id not in known:
                self._plan(match_id, 0.0)

    def _play(self, match_id: str) -> None:
        try:
            # The sweep comes back to it; one broken match does not stop the others.
            with self._failing.attempt_alone(match_id, log, "the computer could not play in match %s", match_id):
                take_turn(match_id)
        finally:
            with self._changed:
                self._held.discard(match_id)


_runners: list[Runner] = []
"""The runner of this process, once there is one."""
_starting = threading.Lock()


def ensure_running() -> None:
    """Have the computers of this process play, if it is the one where they do (no broker)."""
    if settings.CELERY_BROKER_URL or not getattr(settings, "COMPUTERS_PLAY_HERE", True):
        return
    with _starting:
        if any(runner.alive for runner in _runners):
            return
        _runners[:] = [Runner()]
        _runners[0].start()


def stop() -> None:
    """Stop the computers of this process (for an orderly end, and for tests)."""
    with _starting:
        while _runners:
            _runners.pop().stop()
        while True:
            try:
                turns.get_nowait()
            except queue.Empty:
                return
