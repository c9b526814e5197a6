"""Moves: what is accepted, what is refused, and what happens when two come at once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from ccg.outbox.models import Job
from ccg.rules import EngineError, Game
from matches.hints import notifications
from matches.models import Match, Move
from matches.playing import consequences, match_cache, moves, statements
from matches.playing.moves import Accepted, Actor, Refusal
from matches.protocol.messages import Back, Choose, Concede
from matches.storage import database
from tests.matches.conftest import Table

THREADS = 8


def untouched(table: Table) -> tuple[Any, ...]:
    """Return all of a match that a refused move must not have changed."""
    row = table.row
    return row.version, bytes(row.saved), row.digest, row.deciders, row.state, Move.objects.count()


def refused(outcome: moves.Outcome) -> Refusal:
    assert isinstance(outcome, Refusal), outcome
    return outcome


# -- what it lets through


def test_an_offered_option_makes_the_next_version(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    assert table.act(seat, command) == Accepted(1)
    row, move = table.row, Move.objects.get()
    assert (row.version, move.seq, move.seat, move.kind, move.option) == (1, 1, seat, "choose", command.option)
    assert row.digest == move.digest == Game.load(bytes(row.saved), match_cache.catalog_of(row.catalog)).digest()


def test_the_match_goes_on_the_same_when_the_process_forgets_everything(table: Table) -> None:
    table.play(moves=5)
    match_cache.clear()
    match_cache.catalog_of.cache_clear()
    table.play(moves=5)
    assert table.row.version == 10


def test_a_half_made_move_is_taken_back(table: Table) -> None:
    for _ in range(500):
        seat = table.deciding
        version, game = table.row.version, match_cache.game_at(table.id, table.row.version)
        assert game is not None and game.decision is not None
        if game.decision.can_take_back:
            assert table.act(seat, Back(id="back", version=version)) == Accepted(version + 1)
            assert Move.objects.last().kind == "back"
            return
        table.play(moves=1, seed=version)
        if table.row.state != Match.State.RUNNING:
            pytest.fail("the game ended before a move could be taken back")


def test_conceding_needs_no_turn_and_no_version_and_ends_a_match_of_two(table: Table) -> None:
    loser = table.waiting
    outcome = table.act(loser, Concede(id="c"))
    assert outcome == Accepted(1, over=True)
    row = table.row
    assert row.state == "finished" and row.finished is not None
    assert row.result == {"winners": [1 - loser], "losers": [loser], "reason": row.result["reason"]}
    assert (row.deciders, row.computer_to_move) == (0, False)


def test_the_end_posts_the_archive_in_the_same_transaction(table: Table) -> None:
    table.act(0, Concede(id="c"))
    assert Job.objects.get(task=consequences.ARCHIVE_TASK).payload == {"match": table.id}


def test_a_match_played_by_chance_comes_to_an_end(table: Table) -> None:
    table.play()
    row = table.row
    assert row.state == "finished"
    assert list(Move.objects.values_list("seq", flat=True)) == list(range(1, row.version + 1))


# -- what it refuses, with nothing changed


def test_the_wrong_seat_is_refused(table: Table) -> None:
    table.only_one_decides()
    before = untouched(table)
    assert refused(table.act(table.waiting, table.choice())).code == "not_your_decision"
    assert untouched(table) == before


def test_an_old_version_is_refused_as_late(table: Table) -> None:
    table.only_one_decides()
    old = table.choice("old")
    table.play(moves=1)
    before = untouched(table)
    for seat in (0, 1):
        refusal = refused(table.act(seat, old))
        assert (refusal.code, refusal.version) == ("late", 2)
    assert untouched(table) == before


def test_a_version_that_does_not_exist_yet_is_refused(table: Table) -> None:
    command = Choose(id="x", version=7, option=table.options()[0])
    assert refused(table.act(table.deciding, command)).code == "ahead"


@pytest.mark.parametrize("option", ["win", "concede 1", "concede 0", "back", "keep ", "KEEP", "\x00", "é" * 200])
def test_an_option_that_is_not_offered_is_refused(table: Table, option: str) -> None:
    before = untouched(table)
    assert refused(table.act(table.deciding, table.choice(option=option))).code == "not_offered"
    assert untouched(table) == before


def test_there_is_nothing_to_take_back_at_first(table: Table) -> None:
    before = untouched(table)
    assert refused(table.act(table.deciding, Back(id="b", version=0))).code == "not_allowed"
    assert untouched(table) == before


def test_a_stranger_has_no_seat(table: Table, charlie: Any) -> None:
    before = untouched(table)
    for actor in (Actor.person(charlie.pk), Actor.person(None), Actor.computer(0), Actor.computer(5)):
        assert refused(moves.act(table.id, actor, table.choice())).code == "no_seat"
    assert untouched(table) == before


def test_a_match_that_is_not_for_a_stranger_is_like_one_that_is_not_there(table: Table, charlie: Any) -> None:
    Match.objects.update(watchable=False)
    command, stranger = table.choice(), Actor.person(charlie.pk)
    assert moves.act(table.id, stranger, command) == moves.act("2" * 16, stranger, command) == moves.NO_TABLE


def test_nothing_can_be_done_after_the_end(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    table.act(0, Concede(id="c"))
    before = untouched(table)
    assert refused(table.act(seat, command)).code == "over"
    assert refused(table.act(1, Concede(id="d"))).code == "over"
    assert untouched(table) == before


def test_a_match_of_another_engine_says_so_and_is_no_fault(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    command, seat = table.choice(), table.deciding
    match_cache.clear()
    monkeypatch.setattr("ccg.rules.saving.ENGINE_VERSION", 99)
    assert refused(table.act(seat, command)).code == "outdated"


def test_a_fault_of_the_engine_changes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    command, seat, before = table.choice(), table.deciding, untouched(table)

    def broken(self: Game, choice: object, seat: int) -> None:
        raise EngineError("loop", "no decision within many steps")

    monkeypatch.setattr(Game, "choose", broken)
    with pytest.raises(EngineError):
        table.act(seat, command)
    assert untouched(table) == before
    monkeypatch.undo()
    assert table.act(seat, command) == Accepted(1), "the game that is kept in memory was not harmed"


# -- the same again


def test_the_same_action_again_gets_the_same_answer_and_happens_once(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    first = table.act(seat, command)
    table.play(moves=3)
    assert table.act(seat, command) == first == Accepted(1)
    assert Move.objects.filter(action_id=command.id).count() == 1


def test_an_action_id_with_other_content_is_refused(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    table.act(seat, command)
    before = untouched(table)
    for other in (Choose(id="a1", version=0, option="pass"), Back(id="a1", version=0), Concede(id="a1")):
        assert refused(table.act(seat, other)).code == "id_reused"
    assert untouched(table) == before


def test_nor_does_it_serve_for_the_same_option_later(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    table.act(seat, command)
    while table.deciding != seat:
        table.play(moves=1)
    before = untouched(table)
    later = Choose(id=command.id, version=table.row.version, option=table.options()[0])
    assert refused(table.act(seat, later)).code == "id_reused"
    assert untouched(table) == before


def test_each_seat_has_its_own_action_ids(table: Table) -> None:
    assert table.act(table.deciding, table.choice("same")) == Accepted(1)
    first = Move.objects.get().seat
    while table.deciding == first:
        table.play(moves=1)
    version = table.row.version
    assert table.act(table.deciding, table.choice("same")) == Accepted(version + 1)


# -- two at once


def at_once(calls: list[Any]) -> list[Any]:
    """Run ``calls`` on threads that all begin at the same moment."""
    gate = threading.Barrier(len(calls))

    def run(call: Any) -> Any:
        try:
            gate.wait()
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_of_many_choices_for_one_version_exactly_one_wins(table: Table) -> None:
    for round_ in range(5):
        seat, version, option = table.deciding, table.row.version, table.options()[0]
        commands = [Choose(id=f"r{round_}-{n}", version=version, option=option) for n in range(THREADS)]
        outcomes = at_once([partial(table.act, seat, command) for command in commands])
        assert outcomes.count(Accepted(version + 1)) == 1
        assert {o.code for o in outcomes if isinstance(o, Refusal)} <= {"late", "busy"}
        assert table.row.version == version + 1


def test_one_action_sent_many_times_at_once_happens_once_and_all_hear_the_same(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    outcomes = at_once([lambda: table.act(seat, command)] * THREADS)
    assert outcomes == [Accepted(1)] * THREADS
    assert Move.objects.count() == 1


def test_a_concession_against_a_choice_leaves_no_gap(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    choice, concession = at_once(
        [lambda: table.act(seat, command), lambda: table.act(1 - seat, Concede(id="c"))],
    )
    assert isinstance(concession, Accepted) and concession.over
    assert isinstance(choice, Accepted) or choice.code in ("over", "late")
    assert list(Move.objects.values_list("seq", flat=True)) == list(range(1, table.row.version + 1))


# -- the database


def locked_times(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first ``times`` attempts to write find the database locked."""
    real, left = statements.store_moves, [times]

    def store(moves: Sequence[statements.NewMove]) -> list[statements.Stored]:
        if left[0]:
            left[0] -= 1
            raise OperationalError("database is locked")
        return real(moves)

    monkeypatch.setattr(statements, "store_moves", store)


def test_a_lock_is_tried_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    locked_times(database.TRIES - 1, monkeypatch)
    assert table.act(table.deciding, table.choice()) == Accepted(1)


def test_a_lock_that_stays_is_an_answer_and_nothing_has_changed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    command, before = table.choice(), untouched(table)
    locked_times(database.TRIES, monkeypatch)
    assert refused(table.act(table.deciding, command)).code == "busy"
    assert untouched(table) == before
    assert table.act(table.deciding, command) == Accepted(1)


def test_nobody_is_told_anything_before_the_commit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int, bool]] = []

    def tell(match_id: str, version: int) -> None:
        told.append((version, Match.objects.get(public_id=match_id).version, connection.in_atomic_block))

    monkeypatch.setattr(notifications, "notify_version", tell)
    table.act(table.deciding, table.choice())
    assert told == [(1, 1, False)]


def test_a_commit_that_fails_tells_and_keeps_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    command, seat, told = table.choice(), table.deciding, []
    monkeypatch.setattr(notifications, "notify_version", lambda *args: told.append(args))

    def die() -> None:
        raise RuntimeError("the process dies here")

    monkeypatch.setattr(consequences, "follow_up", lambda *args, **more: die)
    with pytest.raises(RuntimeError):
        table.act(seat, command)
    assert (told, table.row.version, Move.objects.count()) == ([], 0, 0)
    assert match_cache.game_at(table.id, 1) is None
