"""Bounds and seats when many ask at the same moment; one test runs the others on PostgreSQL as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from ccg.server.accounts import leaving
from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.pairing import services as pairing
from matches.pairing import tables
from matches.pairing.models import QueueEntry
from matches.seats import rated
from tests.matches.conftest import person
from tests.people import signed_in
from tests.services import hold_on_postgresql

AT_ONCE = 6

LOCKING = ["tests/matches/test_stand_ins.py::test_somebody_else_takes_the_seat_by_the_link_and_has_its_rights"]
"""What else locks rows: on PostgreSQL that needs a transaction."""


def together(work: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all of this at the same moment, each in a thread; return what each came to, its error if it raised one."""
    start = Barrier(len(work))

    def one(task: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return task()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as threads:
        return list(threads.map(one, work))


def test_the_same_people_begin_no_more_rated_matches_in_a_day_than_count(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At tables of either, so that whoever sits down last is now the one and now the other."""
    monkeypatch.setattr(rated, "SAME_PEOPLE_A_DAY", 2)
    hosts = [(alice, bob), (bob, alice)] * (AT_ONCE // 2)
    tables = [(lobby.invite(host, deck, 2, rated=True, tempo=LIVE[0]), other) for host, other in hosts]
    done = together([lambda table=table, other=other: lobby.join(table, other, deck) for table, other in tables])
    assert {type(one) for one in done} == {Match}
    assert sorted(Match.objects.values_list("rated", "unrated_why")) == [
        *[(False, "same_people")] * (AT_ONCE - 2), *[(True, "")] * 2,
    ]  # fmt: skip


def test_of_many_at_one_open_table_those_who_get_no_seat_are_told_why(alice: Any, deck: TableDeck) -> None:
    browsers = [signed_in(person(f"person{number}")) for number in range(AT_ONCE)]
    address = f"/play/tables/{tables.open_table(alice, deck, 3, rated=True, tempo=LIVE[0]).public_id}/"
    answers = together([partial(browser.post, address) for browser in browsers])
    got = Counter(answer.status_code for answer in answers)
    assert got == {302: 2, 409: AT_ONCE - 2}
    assert all("All seats at this table are taken." in a.content.decode() for a in answers if a.status_code == 409)


def test_who_joins_a_queue_again_as_they_are_paired_keeps_the_match(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They send the form once more, which waits for the pairing to commit and must then see the match."""
    for user in (alice, bob):
        pairing.join(user, "ranked", deck)
    entries = QueueEntry.objects.order_by("pk").values_list("pk", flat=True)
    begin_between = lobby.begin_between

    with ThreadPoolExecutor(1) as thread:
        again: list[Future[pairing.QueueState]] = []

        def begin_as_somebody_joins(*people: Any, **how: Any) -> Match:
            match = begin_between(*people, **how)
            again.append(thread.submit(_then_closed, partial(pairing.join, alice, "ranked", deck)))
            _until_somebody_waits(unless=again[0])
            return match

        monkeypatch.setattr(lobby, "begin_between", begin_as_somebody_joins)
        match = pairing.begin(*entries, timezone.now())
        with pytest.raises(LobbyError, match="still runs"):
            again[0].result()
    assert match is not None
    assert set(QueueEntry.objects.values_list("match", flat=True)) == {match.pk}


def test_an_account_is_deleted_as_its_owner_is_paired_after_all(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who begins a match locks what waits in the queue and then the people, and a deletion the other way round."""
    forget = leaving.opinions.forget
    with ThreadPoolExecutor(2) as threads:
        paired: list[Future[Match | None]] = []

        def as_they_join_again(user: Any) -> None:
            if connection.vendor == "postgresql" and not paired:  # on SQLite all others would wait
                for one in (alice, bob):
                    threads.submit(_then_closed, partial(pairing.join, one, "ranked", deck)).result()
                entries = QueueEntry.objects.order_by("pk").values_list("pk", flat=True)
                begin = partial(pairing.begin, *entries, timezone.now())
                paired.append(threads.submit(_then_closed, begin))
                _until_somebody_waits(unless=paired[0])
                with connection.cursor() as cursor:  # of the two it is the deletion that is broken off
                    cursor.execute("SET LOCAL deadlock_timeout = '10ms'")
            forget(user)

        monkeypatch.setattr(leaving.opinions, "forget", as_they_join_again)
        leaving.leave(alice, keep_decks=False)
        for one in paired:
            one.result()
    assert not get_user_model().objects.filter(username="alice").exists()
    assert not Match.objects.filter(state=Match.State.RUNNING).exists()


def test_what_an_owner_does_as_their_account_is_deleted_goes_with_it(alice: Any, deck: TableDeck) -> None:
    """They join a queue in another tab, just after their places in queues have been deleted."""
    table = alice._meta.db_table
    joined: list[Any] = []

    def as_they_join(execute: Any, sql: str, *more: Any) -> Any:
        if connection.vendor == "postgresql" and not joined and sql.startswith(f'DELETE FROM "{table}"'):
            with ThreadPoolExecutor(1) as thread:
                join = partial(pairing.join, alice, "ranked", deck)
                joined.append(thread.submit(_then_closed, join).result())
        return execute(sql, *more)

    with connection.execute_wrapper(as_they_join):
        leaving.leave(alice, keep_decks=False)
    assert not get_user_model().objects.exists()
    assert not QueueEntry.objects.exists()


def _then_closed(task: Callable[[], Any]) -> Any:
    try:
        return task()
    finally:
        connection.close()


def _until_somebody_waits(unless: Future[Any]) -> None:
    """Wait until another transaction waits for a lock; on SQLite there is only one at a time anyway."""
    while connection.vendor == "postgresql" and not unless.done():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return


@pytest.mark.thorough
@pytest.mark.full_profile
def test_all_of_it_holds_on_postgresql(services: dict[str, str]) -> None:
    """On SQLite a transaction has the database for itself, so a lock that is missing shows here alone."""
    tests = ["tests/matches/test_at_once.py", "tests/server/test_at_once.py", *LOCKING]
    hold_on_postgresql(tests, services)
