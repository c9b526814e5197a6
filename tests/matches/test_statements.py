"""The SQL written by hand, against the models; and moves that are stored together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from msgspec import structs

from decks.table_decks import TableDeck
from matches.hints.wire import Made
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.playing import committing, match_cache, moves, replication, statements
from matches.playing.committing import Change, Committer, commit, commit_each
from matches.playing.moves import Accepted, Actor, Prepared
from matches.playing.statements import NewMove
from matches.protocol.messages import Choose
from matches.storage import database
from tests.matches.conftest import Table
from tests.services import hold_on_postgresql


def new_move(table: Table, **changes: Any) -> NewMove:
    """Return a move that its match would take."""
    fields: dict[str, Any] = {
        "match": table.row.pk, "seq": table.row.version + 1, "seat": 0, "kind": "choose", "option": "x",
        "action_id": "a", "digest": "d", "events": b"e", "saved": b"s", "deciders": 2, "standing": b"t",
        "deadline": 5, "computer_to_move": False, "forced": False,
        "now": timezone.now(), "state": "running", "hint": "h",
    }  # fmt: skip
    return NewMove(**(fields | changes))


def change(move: NewMove, done: list[Any] | None = None) -> Change:
    return Change(move, lambda: (done if done is not None else []).append(move.match))


@pytest.fixture
def tables(alice: Any, bob: Any, deck: TableDeck) -> list[Table]:
    """Three matches of Alice against Bob, just begun."""
    return [Table(lobby.join(lobby.invite(alice, deck, 2), bob, deck)) for _ in range(3)]


def test_every_column_of_a_move_is_written() -> None:
    named = re.search(r"INSERT INTO (\w+) \(([^)]+)\)", statements._APPEND)
    assert named is not None
    columns = {field.column for field in Move._meta.local_concrete_fields} - {"id"}
    assert (named[1], set(named[2].split(", "))) == (Move._meta.db_table, columns)


def test_the_columns_of_a_match_that_are_written_are_its_own() -> None:
    written = set(re.findall(r"(\w+) = :", statements._MOVE_ON.split("WHERE", maxsplit=1)[0]))
    assert written <= {field.column for field in Match._meta.local_concrete_fields}
    assert f"UPDATE {Match._meta.db_table}" in statements._MOVE_ON


def test_every_parameter_has_its_type_in_postgresql() -> None:
    for statement in (statements._STORE_POSTGRESQL, statements._NEWS_POSTGRESQL):
        assert not re.search(r"(?<!:):\w", statement)
        assert "%(match" in statement


def test_models_read_what_the_statement_wrote(table: Table) -> None:
    result = {"winners": [0], "losers": [1], "reason": "x"}
    move = new_move(table, state="finished", result=result, deciders=0)
    assert commit([change(move)]) == [True]
    row, stored = table.row, Move.objects.get()
    assert (row.state, row.result, row.finished, row.changed) == ("finished", result, move.now, move.now)
    assert (row.version, bytes(row.saved), row.digest, row.deciders, row.computer_to_move) == (
        1,
        b"s",
        "d",
        0,
        False,
    )
    assert (stored.seq, stored.seat, stored.kind, stored.option, stored.action_id) == (1, 0, "choose", "x", "a")
    assert (bytes(row.standing), row.deadline, bytes(stored.standing)) == (b"t", 5, b"t")
    assert (bytes(stored.events), stored.created) == (b"e", move.now)


@pytest.mark.parametrize("wrong", [{"seq": 2}, {"seq": 0}, {"match": 10**6}])
def test_a_move_on_another_version_is_not_stored(table: Table, wrong: dict[str, int]) -> None:
    done: list[int] = []
    assert commit([change(new_move(table, **wrong), done)]) == [False]
    assert (done, table.row.version, Move.objects.count()) == ([], 0, 0)


def test_an_action_id_is_not_used_twice_by_a_seat(table: Table) -> None:
    assert commit([change(new_move(table))]) == [True]
    assert commit([change(new_move(table))]) == [False]
    assert commit([change(new_move(table, seat=1))]) == [True]
    assert table.row.version == 2


def test_a_match_that_is_over_takes_no_move(table: Table) -> None:
    Match.objects.filter(public_id=table.id).update(state="finished")
    assert commit([change(new_move(table))]) == [False]


def test_one_that_is_late_does_not_keep_others_from_being_stored(tables: list[Table]) -> None:
    late = new_move(tables[1], seq=2)
    assert commit([change(new_move(tables[0])), change(late), change(new_move(tables[2]))]) == [True, False, True]
    assert [table.row.version for table in tables] == [1, 0, 1]


def test_one_that_fails_does_not_fail_the_others(tables: list[Table]) -> None:
    def fail() -> None:
        raise IntegrityError("planted")

    broken = Change(new_move(tables[1]), tell=lambda: None, more=fail)
    answers = commit_each([change(new_move(tables[0])), broken, change(new_move(tables[2]))])
    assert [answers[0], answers[2]] == [True, True]
    assert isinstance(answers[1], IntegrityError)
    assert [table.row.version for table in tables] == [1, 0, 1]
    assert Move.objects.count() == 2


def test_what_was_stored_before_the_database_was_busy_is_not_said_to_be_lost(tables: list[Table]) -> None:
    def fail(error: Exception) -> None:
        raise error

    broken = [IntegrityError("planted"), database.Busy("planted")]
    others = [
        Change(new_move(table), tell=lambda: None, more=partial(fail, error))
        for table, error in zip(tables[1:], broken, strict=True)
    ]
    assert commit_each([change(new_move(tables[0])), *others]) == [True, *broken]
    assert [table.row.version for table in tables] == [1, 0, 0]
    with pytest.raises(database.Busy):
        commit_each([others[1], change(new_move(tables[0], seq=2))])


def test_one_that_the_database_refuses_does_not_fail_the_others(tables: list[Table]) -> None:
    """A move is there already while its match is not moved on, which no move of ours leaves behind."""
    taken = new_move(tables[1], action_id="other")
    Move.objects.create(
        match_id=taken.match, seq=1, seat=0, kind="choose", option="y", action_id="y", digest="d", events=b"e"
    )
    answers = commit_each([change(new_move(tables[0])), change(taken), change(new_move(tables[2]))])
    assert [answers[0], answers[2]] == [True, True]
    assert isinstance(answers[1], IntegrityError)
    assert [table.row.version for table in tables] == [1, 0, 1]


def test_what_waits_at_the_same_time_is_one_transaction(tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = committing.commit

    def watched(changes: Sequence[Change]) -> list[bool]:
        sizes.append(len(changes))
        return real(changes)

    monkeypatch.setattr(committing, "commit", watched)
    made = [change(new_move(table)) for table in tables]

    async def all_at_once() -> list[bool]:
        committer = Committer()
        monkeypatch.setattr(committer, "_ensure_running", lambda: None)
        waiting = [asyncio.create_task(committer.commit(one)) for one in made]
        await asyncio.sleep(0)
        monkeypatch.undo()
        monkeypatch.setattr(committing, "commit", watched)
        committer._ensure_running()
        return await asyncio.gather(*waiting)

    assert asyncio.run(all_at_once()) == [True, True, True]
    assert sizes == [3]
    assert [table.row.version for table in tables] == [1, 1, 1]


def test_matches_are_locked_in_the_same_order_by_all_processes() -> None:
    """Else of two that move on the same matches, each could wait for the other until PostgreSQL ends one of them."""
    committer = Committer()
    for match, seq in ((9, 7), (5, 8), (9, 6), (2, 7)):
        waiting: Any = SimpleNamespace(move=SimpleNamespace(match=match, seq=seq)), None
        committer._waiting.put(waiting)
    batch = [change.move for change, _ in committer._next()]
    assert [(move.match, move.seq) for move in batch] == [(2, 7), (5, 8), (9, 7), (9, 6)]


def test_what_is_remembered_is_only_tried_and_never_refuses(table: Table) -> None:
    """Another process has moved on: the answer is that of the database."""
    seat, command = table.deciding, table.choice("first")
    assert table.act(seat, command) == Accepted(1)
    held = match_cache.cached_at(table.id, 1)
    assert held is not None
    # This process now believes in version 1, and the database is at version 2.
    seat, second = table.deciding, table.choice("second")
    assert table.act(seat, second) == Accepted(2)
    match_cache.clear()
    match_cache.facts_of(table.id)
    match_cache.remember(table.id, 1, held.game, held.standing)
    actor = table.actor(seat)
    assert isinstance(moves.remembered(table.id, actor, second), Prepared)
    assert moves.act(table.id, actor, second) == Accepted(2)  # sent again
    other = moves.act(table.id, actor, Choose(id="third", version=1, option=second.option))
    assert isinstance(other, moves.Refusal)
    assert other.code == "late"
    assert moves.remembered(table.id, Actor.person(None), second) is None


def as_another_process(table: Table) -> Made:
    """Make a move of which this process then knows no more than that it was made; return what it was."""
    before = match_cache.cached_at(table.id, table.row.version)
    assert before is not None
    assert table.act(table.deciding, table.choice(f"at {table.row.version}")) == Accepted(table.row.version)
    match_cache.clear()
    match_cache.facts_of(table.id)
    match_cache.remember(table.id, table.row.version - 1, before.game, before.standing)
    move = Move.objects.latest("seq")
    return Made(move.seat, move.kind, move.option, move.digest, bytes(move.standing))


def test_what_another_process_did_is_done_again_without_reading(
    table: Table, django_assert_num_queries: Callable[[int], Any]
) -> None:
    assert table.act(table.deciding, table.choice()) == Accepted(1)
    made = as_another_process(table)
    with django_assert_num_queries(0):
        assert replication.do_again(table.id, 2, made)
        assert replication.do_again(table.id, 2, made), "a hint may come twice"
    held = match_cache.cached_at(table.id, 2)
    assert held is not None
    assert held.standing == bytes(table.row.standing)
    assert (held.game.save(), held.events) == (bytes(table.row.saved), ((2, bytes(Move.objects.latest("seq").events)),))


def test_what_comes_to_something_else_is_not_remembered(table: Table) -> None:
    assert table.act(table.deciding, table.choice()) == Accepted(1)
    made = as_another_process(table)
    others = [structs.replace(made, digest="other"), structs.replace(made, option="no such option")]
    assert [replication.do_again(table.id, 2, other) for other in others] == [False, False]
    assert not replication.do_again(table.id, 3, made), "the version before is not known"
    assert match_cache.game_at(table.id, 2) is None


def test_from_a_loop_a_choice_is_the_same(table: Table) -> None:
    seat, command = table.deciding, table.choice()
    assert asyncio.run(moves.act_from_loop(table.id, table.actor(seat), command)) == Accepted(1)
    assert asyncio.run(moves.act_from_loop(table.id, table.actor(seat), command)) == Accepted(1)
    assert Move.objects.count() == 1


def test_what_is_two_statements_on_sqlite_always_has_a_transaction(transactional_db: None) -> None:
    assert database.write(lambda: connection.in_atomic_block, one_statement=True)


def test_a_dead_connection_costs_one_more_try(transactional_db: None) -> None:
    tries: list[int] = []

    def ask() -> int:
        tries.append(1)
        if len(tries) == 1:
            connection.errors_occurred = True
            raise OperationalError("server closed the connection unexpectedly")
        return 7

    def answer() -> int:
        database.keep_connection()
        connection.ensure_connection()
        connection.is_usable = lambda: False  # type: ignore[method-assign]
        return database.on_kept_connection(ask)

    async def elsewhere() -> int:
        return await asyncio.to_thread(answer)

    assert asyncio.run(elsewhere()) == 7
    assert len(tries) == 2


@pytest.mark.full_profile
def test_moves_are_stored_on_postgresql_as_on_sqlite(services: dict[str, str]) -> None:
    """There the statement is another one, and several moves are sent together."""
    alike = [
        test_models_read_what_the_statement_wrote,
        test_a_move_on_another_version_is_not_stored,
        test_an_action_id_is_not_used_twice_by_a_seat,
        test_a_match_that_is_over_takes_no_move,
        test_one_that_is_late_does_not_keep_others_from_being_stored,
        test_one_that_fails_does_not_fail_the_others,
        test_one_that_the_database_refuses_does_not_fail_the_others,
    ]
    hold_on_postgresql([f"{__file__}::{test.__name__}" for test in alike], services)
