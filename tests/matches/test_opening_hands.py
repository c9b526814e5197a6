"""Opening hands at a table: everybody is asked at once, and nobody is refused as late for another's answer."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import connections

from ccg.outbox.services import drain
from decks.table_decks import TableDeck
from matches.clocks import presence
from matches.clocks import standing as standings
from matches.clocks.waiting import count_for, next_for
from matches.hints.wire import Made
from matches.lobby import lesson_matches
from matches.lobby import services as lobby
from matches.models import Archive, Match, Move
from matches.playing import archive, match_cache, replication
from matches.playing.moves import Accepted, Refusal
from matches.protocol.messages import Agree, Choose, Concede, OfferIt
from matches.replays.packing import made
from matches.runners import computer_runner
from matches.shuffles import publishing
from matches.storage.seat_sets import seats_of
from matches.table import table_view
from tests.matches.conftest import Table

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_shuffles.py"


def choice(option: str, version: int = 0, action: str = "opening") -> Choose:
    return Choose(id=action, version=version, option=option)


def other_of(table: Table) -> tuple[int, int]:
    """Return the seat that is asked last of two, and the first one."""
    first, last = table.game.deciding
    return last, first


@pytest.fixture
def four(alice: Any, bob: Any, charlie: Any, deck: TableDeck, django_user_model: Any) -> Table:
    """A table of four people, just begun."""
    match = lobby.invite(alice, deck, 4)
    for user in (bob, charlie, django_user_model.objects.create_user("dana", password="dana-password-1")):
        lobby.join(match, user, deck)
    return Table(Match.objects.get(pk=match.pk))


@pytest.mark.parametrize("remembered", [True, False])
def test_both_choose_from_the_same_version(table: Table, remembered: bool) -> None:
    last, first = other_of(table)
    assert seats_of(table.row.deciders) == (0, 1)
    for seat, version in ((last, 1), (first, 2)):
        if not remembered:
            match_cache.clear()
        assert table.act(seat, choice("redraw")) == Accepted(version)
    assert archive.replay(table.row).difference is None


def test_each_chooses_once(table: Table) -> None:
    last, first = other_of(table)
    table.act(last, choice("redraw"))
    again = table.act(last, choice("keep", action="again"))
    assert isinstance(again, Refusal) and again.code == "late"
    newer = table.act(last, choice("keep", version=1, action="newer"))
    assert isinstance(newer, Refusal) and newer.code == "not_your_decision"
    assert table.act(last, choice("redraw")) == Accepted(1), "sent again it is the same move"
    assert seats_of(table.row.deciders) == (first,)


def test_both_at_the_same_moment(table: Table) -> None:
    def choose(seat: int) -> Any:
        try:
            return table.act(seat, choice("redraw"))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(choose, (0, 1)))
    assert sorted(outcome.version for outcome in outcomes if isinstance(outcome, Accepted)) == [1, 2]
    assert archive.replay(table.row).difference is None


def test_four_answer_in_the_opposite_order_and_one_concedes(four: Table) -> None:
    first, second, third, last = four.game.deciding
    assert four.act(last, choice("redraw")) == Accepted(1)
    assert four.act(third, choice("keep")) == Accepted(2)
    assert four.act(first, Concede(id="c")) == Accepted(3)
    assert seats_of(four.row.deciders) == (second,)
    late = four.act(second, choice("keep"))
    assert isinstance(late, Refusal) and late.code == "late", "all questions are put anew when somebody leaves"
    assert four.act(second, choice("keep", version=3, action="anew")) == Accepted(4)
    assert archive.replay(four.row).difference is None


def test_each_sees_their_own_question_and_then_for_whom_they_wait(table: Table, alice: Any, bob: Any) -> None:
    def prompt(user: Any) -> tuple[int, list[str], str]:
        snapshot = table_view.read(table.id, user and user.pk, None)
        assert isinstance(snapshot, table_view.Snapshot)
        decision = table_view.table(snapshot).view.decision
        assert decision is not None
        return decision.seat, [option.key for option in decision.options], decision.prompt

    assert [prompt(alice)[:2], prompt(bob)[:2]] == [(0, ["keep", "redraw"]), (1, ["keep", "redraw"])]
    table.act(0, choice("keep"))
    waiting = "Waiting for [[seat:1|bob]] to keep the opening hand or draw a new one."
    assert prompt(alice) == (1, [], f"You have chosen: Keep this hand. {waiting}")
    assert prompt(bob)[:2] == (1, ["keep", "redraw"])
    assert prompt(None) == (1, [], waiting)


def test_both_are_waited_for_in_all_lists(table: Table, alice: Any, bob: Any) -> None:
    assert [count_for(user) for user in (alice, bob)] == [1, 1]
    table.act(1, choice("keep"))
    assert [count_for(user) for user in (alice, bob)] == [1, 0]
    assert next_for(alice, after="") == table.row and next_for(bob, after="") is None


def test_both_may_be_away(table: Table) -> None:
    row, standing = table.row, standings.read(bytes(table.row.standing), 2, 0)
    table.let_pass(presence.AWAY_FOR["untimed"])
    assert presence.claimable(row.pk, "untimed", standing) == {0, 1}


def test_an_offer_between_the_answers_makes_none_late(table: Table) -> None:
    last, first = other_of(table)
    table.act(last, choice("keep"))
    table.act(last, OfferIt(id="o", what="draw"))
    assert table.act(first, choice("keep")) == Accepted(3)


def test_a_takeback_goes_back_to_the_own_question(table: Table) -> None:
    last, first = other_of(table)
    before = table.row.digest
    table.act(last, choice("redraw"))
    between = table.row.digest
    table.act(first, choice("keep"))
    table.act(first, OfferIt(id="one", what="takeback"))
    table.act(last, Agree(id="one", what="takeback"))
    assert (table.row.digest, seats_of(table.row.deciders)) == (between, (first,))
    table.act(last, OfferIt(id="two", what="takeback"))
    table.act(first, Agree(id="two", what="takeback"))
    assert (table.row.digest, seats_of(table.row.deciders)) == (before, (0, 1))
    version = table.row.version
    for seat, option in ((first, "redraw"), (last, "keep")):
        assert isinstance(table.act(seat, choice(option, version, "after")), Accepted)
    assert archive.replay(table.row).difference is None


def test_another_process_follows_by_doing_it_again(table: Table) -> None:
    last, first = other_of(table)
    start = match_cache.cached_at(table.id, 0)
    assert start is not None
    table.act(last, choice("redraw"))
    move = Move.objects.get()
    facts = match_cache.facts_of(table.id)
    match_cache.clear()
    match_cache.facts_of(table.id)
    match_cache.remember(table.id, 0, start.game, start.standing)
    assert facts is not None
    made_there = Made(move.seat, move.kind, move.option, move.digest, bytes(move.standing))
    assert replication.do_again(table.id, 1, made_there)
    game = match_cache.game_at(table.id, 1)
    assert game is not None and (game.digest(), game.deciding) == (move.digest, (first,))


def test_the_computer_does_not_wait_for_the_person(alice: Any, deck: TableDeck) -> None:
    table = Table(lobby.play_computer(alice, deck, [deck], policy="chance"))
    assert table.row.computer_to_move
    assert computer_runner.take_turn(table.id)
    assert seats_of(table.row.deciders) == (0,) and not table.row.computer_to_move
    assert table.act(0, choice("keep")) == Accepted(2)


def test_nor_the_person_for_the_computer(alice: Any, deck: TableDeck) -> None:
    table = Table(lobby.play_computer(alice, deck, [deck, deck], policy="chance"))
    assert table.act(0, choice("keep")) == Accepted(1)
    while table.row.computer_to_move:
        assert computer_runner.take_turn(table.id)
    assert table.game.view(None).turn == 1


def test_a_lesson_goes_in_its_own_order(alice: Any) -> None:
    table = Table(lesson_matches.play_lesson(alice, "first-match"))
    assert seats_of(table.row.deciders) == (0, 1) and not table.row.computer_to_move
    assert not computer_runner.take_turn(table.id)
    table.act(0, choice("keep"))
    assert table.row.computer_to_move and computer_runner.take_turn(table.id)


@pytest.fixture
def finished(table: Table) -> Table:
    """A match in which both redraw, the one who is asked last first; it ends with a concession."""
    for seat in other_of(table):
        table.act(seat, choice("redraw"))
    table.play(moves=6)
    table.act(0, Concede(id="c"))
    drain()
    return table


def test_it_is_archived_and_shown_with_what_each_was_asked(finished: Table) -> None:
    record = archive.read_record(Archive.objects.get(match=finished.row))
    positions = list(made(record))
    last, first = record.moves[0].seat, record.moves[1].seat
    assert last != first
    for position, seat in zip(positions[1:3], (last, first), strict=True):
        assert (position.by, position.option, position.does) == (seat, "redraw", "Draw a new hand")
        assert position.asked.startswith("Keep this opening hand")
    drawn = [[one.seat for one in position.chances if one.kind == "redraw"] for position in positions[1:3]]
    assert drawn == [[], [first, last]], "carried out in turn order, once it is their turn"


def test_its_shuffles_can_be_checked(finished: Table, tmp_path: Path) -> None:
    file = publishing.file_of(finished.row, finished.row.seats.get(number=0).user_id)
    redraws = [drawn.seat for drawn in file.drawings if drawn.why == "redraw"]
    assert redraws == [Move.objects.get(seq=2).seat, Move.objects.get(seq=1).seat], "in turn order"
    path = tmp_path / "shuffles.json"
    path.write_bytes(msgspec.json.encode(file))
    done = subprocess.run([sys.executable, "-I", "-S", SCRIPT, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
