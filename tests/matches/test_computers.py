"""Computers at work: they see what their seat sees, move as people do, and nothing they do stops a match."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from ccg.outbox import handlers
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.rules import Catalog, Decision, EngineError, Option, View
from ccg.server.management.commands import serve
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.players import PLAYERS
from matches.players.random_player import RandomPlayer
from matches.playing import computer_queue, match_cache, moves
from matches.protocol.messages import Choose, Concede
from matches.runners import computer_runner
from tests.matches.conftest import Table


@pytest.fixture
def match(alice: Any, deck: TableDeck) -> Match:
    """A match of Alice (seat 0) against the computer (seat 1)."""
    return lobby.play_computer(alice, deck, [deck], policy="chance")


@pytest.fixture
def its_turn(table: Table) -> Table:
    """The same, where the computer has to choose."""
    while table.deciding != 1:
        table.act(0, table.choice(f"a{table.row.version}"))
    return table


def until(happened: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_it_chooses_when_it_is_its_turn_and_only_then(its_turn: Table) -> None:
    version = its_turn.row.version
    assert computer_runner.take_turn(its_turn.id)
    assert Move.objects.get(seq=version + 1).seat == 1
    while its_turn.row.computer_to_move:
        computer_runner.take_turn(its_turn.id)
    version = its_turn.row.version
    assert not computer_runner.take_turn(its_turn.id)
    assert not computer_runner.take_turn("2" * 16)
    assert its_turn.row.version == version


def test_it_is_given_the_view_of_its_seat_and_the_cards_and_nothing_else(
    its_turn: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    class Watched(RandomPlayer):
        def choose(self, view: View, catalog: Catalog) -> str:
            given.extend([view, catalog])
            return super().choose(view, catalog)

    monkeypatch.setitem(PLAYERS, "chance", Watched)
    computer_runner.take_turn(its_turn.id)
    view, catalog = given
    assert view.viewer == 1 and view.players[0].hand_cards == []
    assert isinstance(catalog, Catalog)


@pytest.mark.parametrize("answer", ["concede 0", "no such option", RuntimeError("thinking failed")])
def test_one_that_fails_or_cheats_is_reported_and_chance_takes_its_place(
    its_turn: Table, answer: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(RandomPlayer):
        def choose(self, view: View, catalog: Catalog) -> str:
            if isinstance(answer, Exception):
                raise answer
            return str(answer)

    monkeypatch.setitem(PLAYERS, "chance", Broken)
    version = its_turn.row.version
    assert computer_runner.take_turn(its_turn.id)
    assert its_turn.row.version == version + 1
    assert "computer player 'chance'" in caplog.text


def test_a_computer_that_is_no_longer_there_is_replaced_by_the_usual_one(its_turn: Table) -> None:
    its_turn.row.seats.filter(number=1).update(policy="retired in 2031")
    assert computer_runner.take_turn(its_turn.id)


def test_a_turn_done_twice_counts_once(its_turn: Table) -> None:
    job = {"match": its_turn.id, "version": its_turn.row.version}
    computer_runner.handle_turn(job)
    after = its_turn.row.version
    computer_runner.handle_turn(job)
    assert its_turn.row.version == after == job["version"] + 1


@pytest.mark.parametrize("kind", ["action", "effects", "defend", "cylon", "payment"])
@pytest.mark.parametrize("broker", [None, "redis://nowhere"])
@pytest.mark.django_db(transaction=True)
def test_how_long_it_waits_does_not_tell_whether_it_has_anything_to_play(
    kind: str, broker: str | None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = broker
    monkeypatch.setattr("ccg.outbox.services.wake", lambda: None)
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    monkeypatch.setattr(computer_queue, "turns", told)
    passing, playing = Option("pass"), Option("play", card=5)
    for version, options in enumerate([[passing], [passing, playing]]):
        computer_queue.request_turn("m", version, Decision(1, kind, options, can_take_back=False))
    quick = [job.payload["quick"] for job in Job.objects.all()] if broker else [told.get().quick, told.get().quick]
    assert quick[0] == quick[1]


def test_with_a_broker_each_turn_is_a_row_written_with_the_move_before_it(
    table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = "redis://nowhere"
    monkeypatch.setattr("ccg.outbox.services.wake", lambda: None)
    version = table.row.version
    while table.deciding != 1 or version == table.row.version:
        if table.deciding == 1:
            computer_runner.take_turn(table.id)
        else:
            table.act(0, table.choice(f"a{table.row.version}"))
    job = Job.objects.get(task=computer_queue.TURN_TASK, payload__version=table.row.version)
    assert job.payload["match"] == table.id
    version = table.row.version
    drain()
    assert table.row.version > version and not table.row.computer_to_move


def test_the_turn_of_a_worker_that_died_is_taken_by_another_within_seconds(
    its_turn: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = "redis://nowhere"
    settings.COMPUTER_DELAY = (0, 0)
    monkeypatch.setattr("ccg.outbox.services.wake", lambda: None)
    version = its_turn.row.version
    computer_queue.request_turn(its_turn.id, version, Decision(1, "action", [Option("pass")], can_take_back=False))

    def die(payload: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        task = handlers._tasks[computer_queue.TURN_TASK]
        patch.setitem(handlers._tasks, computer_queue.TURN_TASK, replace(task, handler=die))
        with pytest.raises(SystemExit):
            drain()
    later = timezone.now() + timedelta(seconds=15)
    monkeypatch.setattr("ccg.outbox.services.timezone.now", lambda: later)
    assert drain() >= 1
    assert its_turn.row.version > version


def test_a_worker_whose_clock_is_behind_waits_no_longer_for_that(
    its_turn: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.COMPUTER_DELAY = (0.5, 0.5)
    slept: list[float] = []
    monkeypatch.setattr(computer_runner.time, "sleep", slept.append)
    version = its_turn.row.version
    Match.objects.filter(public_id=its_turn.id).update(changed=timezone.now() + timedelta(hours=1))
    computer_runner.handle_turn({"match": its_turn.id, "version": version, "quick": False})
    assert slept == [0.5]
    assert its_turn.row.version > version


def test_the_threads_of_the_embedded_server_play_the_computers_part_to_the_end(table: Table, settings: Any) -> None:
    settings.COMPUTERS_PLAY_HERE = True
    computer_runner.ensure_running()
    computer_runner.ensure_running()

    def person_moves() -> bool:
        row = table.row
        if row.state == "running" and not row.computer_to_move:
            table.act(0, table.choice(f"a{row.version}", table.options()[-1]))
        return row.state == "finished"

    until(person_moves, 60)
    assert Move.objects.filter(seat=1).exists()
    computer_runner.stop()


def test_a_match_left_waiting_by_a_process_that_died_is_found(its_turn: Table, settings: Any) -> None:
    computer_runner.stop()  # nobody remembers whose turn it is
    match_cache.clear()
    version = its_turn.row.version
    settings.COMPUTERS_PLAY_HERE = True
    computer_runner.ensure_running()
    until(lambda: its_turn.row.version > version)


def test_matches_that_are_broken_keep_no_other_from_its_turn(
    its_turn: Table, alice: Any, deck: TableDeck, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_runner, "AT_ONCE", 1)
    monkeypatch.setattr(computer_runner, "SWEEP_SECONDS", 0.05)
    broken = lobby.play_computer(alice, deck, [deck], policy="chance")
    earlier = its_turn.row.changed - timedelta(minutes=1)
    computer_runner.stop()  # nobody remembers whose turn it is
    Match.objects.filter(pk=broken.pk).update(saved=b"broken", computer_to_move=True, deciders=0b10, changed=earlier)
    match_cache.clear()
    version = its_turn.row.version
    settings.COMPUTERS_PLAY_HERE = True
    computer_runner.ensure_running()
    until(lambda: its_turn.row.version > version)


def test_a_server_that_starts_lets_them_play_though_nobody_looks(
    its_turn: Table, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No socket is opened: whoever comes back to a match of days finds that the computer has moved."""
    settings.COMPUTERS_PLAY_HERE, settings.VAR_DIR = True, tmp_path
    version = its_turn.row.version

    class Server:
        failure = ""

        def __init__(self, application: Any) -> None:
            pass

        def run(self) -> None:
            until(lambda: its_turn.row.version > version)

    monkeypatch.setattr(serve, "SiteServer", Server)
    monkeypatch.setattr(serve, "share_pools", lambda: None)
    monkeypatch.setattr(serve, "make_no_database", lambda: None)
    call_command("serve")


def test_several_computers_play_at_one_table(alice: Any, deck: TableDeck) -> None:
    match = lobby.play_computer(alice, deck, [deck, deck], policy="chance")
    assert [seat.name for seat in match.seats.all()] == ["alice", "Computer 1", "Computer 2"]
    table = Table(match)
    for _ in range(60):
        row = table.row
        if row.state != "running":
            break
        if row.computer_to_move:
            assert computer_runner.take_turn(table.id)
        else:
            table.act(0, table.choice(f"a{row.version}"))
    assert {1, 2} <= set(Move.objects.values_list("seat", flat=True))


def test_a_match_that_every_person_has_left_is_not_played_on(alice: Any, deck: TableDeck) -> None:
    """Computers that went on by themselves would cost hundreds of choices, which whoever conceded does not pay for."""
    table = Table(lobby.play_computer(alice, deck, [deck, deck, deck], policy="chance"))
    assert table.row.state == Match.State.RUNNING
    table.act(0, Concede(id="left"))
    begun = table.row.version
    while table.row.computer_to_move:
        assert computer_runner.take_turn(table.id)
    assert (table.row.state, table.row.version) == (Match.State.FINISHED, begun + 2)


@pytest.mark.parametrize("possible", [True, False])
def test_where_cards_let_it_do_nothing_of_what_it_wants_it_does_something_else_or_concedes(
    its_turn: Table, monkeypatch: pytest.MonkeyPatch, possible: bool
) -> None:
    """A card's fault refuses the same choice each time: a computer that insisted would hold up the match for good."""
    real, refused = moves.act, []

    def act(match_id: str, actor: moves.Actor, command: Any) -> Any:
        if isinstance(command, Choose) and not (possible and refused):
            refused.append(command.option)
            raise EngineError("loop", "What Echo does would never end; it was stopped and nothing has changed.")
        return real(match_id, actor, command)

    monkeypatch.setattr(moves, "act", act)

    assert computer_runner.take_turn(its_turn.id)
    assert len(set(refused)) == len(refused)
    last = Move.objects.order_by("-seq")[0]
    assert last.seat == 1
    assert (its_turn.row.state == Match.State.FINISHED) is (not possible)
