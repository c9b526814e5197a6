"""Matches with clocks: who must decide uses time, and who has none left is out of the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ccg.outbox.services import drain
from ccg.server.proving.clocks import leave_a_second
from decks.table_decks import TableDeck
from matches.clocks import arithmetic, site_time, vacations
from matches.clocks.arithmetic import SECOND
from matches.clocks.models import UpTime
from matches.clocks.tempo import DAY, HOUR, Tempo
from matches.lobby import rematches
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.playing import archive, match_cache, moves
from matches.playing.moves import Accepted, Refusal
from matches.protocol.messages import Choose, Malformed, OfferIt, decode
from matches.ratings.orders import ranks_of
from matches.runners import clock_sweep
from matches.table import table_view
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table

LIVE = Tempo("live", bank=600, increment=10)
DAYS = Tempo("correspondence", bank=2 * DAY, allowance=DAY)

Timed = Callable[[Tempo], Table]


def left(table: Table, seat: int, clock: Clock) -> int:
    """Return the seconds that a seat has left."""
    clocks = standing_of(table).clocks
    assert clocks is not None
    return arithmetic.left(clocks, seat, clock.now) // SECOND


def test_only_who_must_decide_uses_time(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    clock.pass_by(60)
    assert (left(table, table.deciding, clock), left(table, table.waiting, clock)) == (540, 600)


def test_the_proof_leaves_a_second_to_who_must_decide(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    now = timezone.now()
    UpTime.objects.update_or_create(pk=UpTime.ONLY, defaults={"beat": now, "since": now, "stopped": 0})
    leave_a_second([table.id])
    clock.now = site_time.last_up()
    assert (left(table, table.deciding, clock), left(table, table.waiting, clock)) == (1, 600)
    assert table.row.deadline == clock.now + SECOND


def test_the_time_used_is_stored_with_the_move_and_the_increment_comes_back(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    seat = table.deciding
    clock.pass_by(60)
    assert isinstance(table.act(seat, table.choice("a")), Accepted)
    assert left(table, seat, clock) == 550
    row, move = table.row, Move.objects.get()
    assert bytes(move.standing) == bytes(row.standing)
    assert row.deadline == clock.now + left(table, table.deciding, clock) * SECOND


def test_a_process_that_remembers_nothing_reads_the_same_clocks(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    clock.pass_by(30)
    before = [left(table, seat, clock) for seat in (0, 1)]
    match_cache.clear()
    clock.pass_by(30)
    table.act(table.deciding, table.choice("a"))
    assert sum(before) - sum(left(table, seat, clock) for seat in (0, 1)) == 20


def test_who_runs_out_of_time_loses_and_it_is_replayed(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    table.play(moves=3)
    loser = table.deciding
    clock.pass_by(left(table, loser, clock))
    assert clock_sweep.sweep() == 1
    row = table.row
    assert (row.state, row.deadline, row.deciders) == ("finished", None, 0)
    assert row.result == {"winners": [1 - loser], "losers": [loser], "reason": "time"}
    move = Move.objects.latest("seq")
    assert (move.kind, move.seat, move.as_recorded()) == ("time", loser, f"concede {loser} time")
    assert archive.replay(row).difference is None
    assert clock_sweep.sweep() == 0


def test_matches_that_are_broken_keep_no_other_from_its_turn(
    timed: Timed, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_sweep, "AT_ONCE", 1)
    broken, table = timed(LIVE), timed(LIVE)
    Match.objects.filter(public_id=broken.id).update(saved=b"broken", deadline=clock.now)
    match_cache.clear()
    clock.pass_by(601)
    assert (clock_sweep.sweep(), clock_sweep.sweep()) == (0, 1)
    assert (broken.row.state, table.row.state) == ("running", "finished")


def test_no_id_that_a_player_has_used_keeps_the_clock_from_striking(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    loser = table.deciding
    assert isinstance(table.act(loser, OfferIt(id="clock-2", what="draw")), Accepted)
    clock.pass_by(601)
    assert clock_sweep.sweep() == 1
    assert table.row.result["losers"] == [loser]


def test_ids_of_what_the_site_does_are_none_that_a_client_can_send(timed: Timed, clock: Clock) -> None:
    timed(LIVE)
    clock.pass_by(601)
    clock_sweep.sweep()
    with pytest.raises(Malformed):
        decode(json.dumps({"type": "concede", "id": Move.objects.latest("seq").action_id}))


def test_nobody_runs_out_before_the_last_moment(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    clock.pass_by(599)
    assert clock_sweep.sweep() == 0
    assert table.row.state == "running"


def test_a_choice_after_the_last_moment_is_refused_even_before_a_sweep(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    choice = table.choice("late")
    clock.pass_by(601)
    refusal = table.act(table.deciding, choice)
    assert isinstance(refusal, Refusal) and refusal.code == "out_of_time"
    assert table.row.version == 0


def test_a_move_in_time_puts_the_deadline_off_for_a_sweep_that_read_it_before(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    clock.pass_by(590)
    table.act(table.deciding, table.choice("in time"))
    strike = moves.ClockStrikes(id=moves.site_id("clock", 0))
    outcome = moves.act(table.id, moves.Actor.runs_the_site(), strike)
    assert isinstance(outcome, Refusal) and outcome.code == "not_allowed"
    assert table.row.state == "running"


def test_while_no_server_is_up_nobody_runs_out(timed: Timed, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(LIVE)
    clock.pass_by(5_000)
    monkeypatch.setattr("matches.clocks.site_time.up", lambda: False)
    assert clock_sweep.sweep() == 0


def test_in_correspondence_each_turn_has_its_allowance_and_the_bank_goes_on(timed: Timed, clock: Clock) -> None:
    table = timed(DAYS).only_one_decides()
    first = table.deciding
    assert left(table, first, clock) == 3 * DAY, "the first decision has the full allowance"
    clock.pass_by(23 * HOUR)
    while table.deciding == first:
        table.act(first, table.choice(f"at {table.row.version}"))
    assert left(table, first, clock) == 2 * DAY, "what was left of the allowance goes with the turn"
    second = table.deciding
    clock.pass_by(30 * HOUR)
    while table.deciding == second:
        table.act(second, table.choice(f"at {table.row.version}"))
    assert left(table, second, clock) == 2 * DAY - 6 * HOUR
    assert left(table, first, clock) == 3 * DAY, "a new turn has the whole allowance"


def test_at_the_opening_hands_both_have_a_full_allowance_and_both_clocks_run(timed: Timed, clock: Clock) -> None:
    table = timed(DAYS)
    first, last = table.game.deciding
    assert [left(table, seat, clock) for seat in (0, 1)] == [3 * DAY, 3 * DAY]
    clock.pass_by(23 * HOUR)
    assert table.act(last, Choose(id="last", version=0, option="redraw")) == Accepted(1)
    assert left(table, last, clock) == 2 * DAY, "what was left of the allowance goes with the turn"
    assert left(table, first, clock) == 2 * DAY + HOUR, "an answer of the other one changes nothing"
    assert table.row.deadline == clock.now + (2 * DAY + HOUR) * SECOND
    clock.pass_by(2 * DAY + HOUR)
    assert clock_sweep.sweep() == 1
    assert table.row.result == {"winners": [last], "losers": [first], "reason": "time"}
    assert archive.replay(table.row).difference is None


def test_where_nobody_ever_comes_nobody_wins(timed: Timed, clock: Clock) -> None:
    table = timed(DAYS)
    clock.pass_by(3 * DAY)
    assert clock_sweep.sweep() == 1
    assert table.row.result == {"winners": [], "losers": [], "reason": "abandoned"}
    assert archive.replay(table.row).difference is None
    assert clock_sweep.sweep() == 0


def test_of_two_whose_time_runs_out_the_first_one_loses(timed: Timed, clock: Clock, alice: Any) -> None:
    table = timed(DAYS)
    clock.pass_by(HOUR)
    vacations.begin(alice, 1)  # her clock stands still for a day, so that of the other one runs out before
    drain()
    clock.pass_by(DAY)
    vacations.end(alice)
    drain()
    clock.pass_by(5 * DAY)
    assert clock_sweep.sweep() == 1
    assert table.row.result == {"winners": [0], "losers": [1], "reason": "time"}


def test_at_a_table_of_three_who_runs_out_leaves_and_the_others_play_on(
    clock: Clock, alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = lobby.invite(alice, deck, 3, tempo=LIVE)
    lobby.join(match, bob, deck)
    table = Table(lobby.join(match, charlie, deck)).only_one_decides()
    out = table.deciding
    clock.pass_by(600)
    assert clock_sweep.sweep() == 1
    row = table.row
    assert (row.state, row.result) == ("running", None)
    assert not row.must_decide(out)
    assert left(table, table.deciding, clock) == 600, "who comes next begins with a full clock"
    assert row.deadline == clock.now + 600 * SECOND


@pytest.mark.parametrize("earlier", [0, 60], ids=["at one moment", "one after another"])
def test_who_runs_out_at_one_moment_shares_a_place(
    earlier: int, clock: Clock, alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = lobby.invite(alice, deck, 3, tempo=DAYS)
    table = Table(lobby.join(lobby.join(match, bob, deck), charlie, deck))
    if earlier:
        vacations.begin(charlie, 1)  # her clock stands still for a minute, so that of the other one runs out before
        drain()
        clock.pass_by(earlier)
        vacations.end(charlie)
        drain()
    of_alice, of_bob, of_charlie = (table.row.seats.get(user=one).number for one in (alice, bob, charlie))
    table.act(of_alice, Choose(id="here", version=table.row.version, option="keep"))
    clock.pass_by(4 * DAY)
    assert clock_sweep.sweep() + clock_sweep.sweep() == 2, "each leaves with a move of their own"
    assert table.row.winners == [of_alice]
    places = ranks_of(table.row)
    assert (places[of_alice], places[of_charlie], places[of_bob]) == (1, 2, 3 if earlier else 2)


def test_a_table_shows_what_is_left_and_never_less_than_nothing(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    clock.pass_by(700)
    snapshot = table_view.read(table.id, None, None)
    assert isinstance(snapshot, table_view.Snapshot)
    clocks = table_view.table(snapshot).clocks
    assert clocks is not None
    shown = {one.seat: (one.left, one.running) for one in clocks.seats}
    assert shown == {table.deciding: (0, True), table.waiting: (600 * SECOND, False)}
    assert (clocks.tempo, clocks.low) == ("live 600+10", 60 * SECOND)


def test_a_match_without_clocks_has_no_deadline_and_reads_no_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("now", "now_if_known"):
        monkeypatch.setattr(f"matches.clocks.site_time.{name}", lambda: pytest.fail("no clock runs here"))
    table.play(moves=4)
    assert table.row.deadline is None
    assert standing_of(table).clocks is None


def test_a_rematch_keeps_the_tempo(timed: Timed, clock: Clock, alice: Any, bob: Any) -> None:
    table = timed(LIVE)
    clock.pass_by(600)
    clock_sweep.sweep()
    rematches.rematch(table.row, alice)
    again = Table(rematches.rematch(table.row, bob))
    assert again.row.tempo == str(LIVE)
    assert left(again, again.deciding, clock) == 600


def test_what_nobody_comes_back_to_ends_as_a_draw(table: Table, timed: Timed, settings: Any) -> None:
    settings.MATCH_ABANDONED_DAYS = 10
    slow = timed(DAYS)
    Match.objects.update(changed=timezone.now() - timedelta(days=9))
    assert clock_sweep.end_abandoned() == 0
    Match.objects.update(changed=timezone.now() - timedelta(days=11))
    assert clock_sweep.end_abandoned() == 1, "the one with clocks ends by its clocks"
    assert table.row.result == {"winners": [], "losers": [], "reason": "abandoned"}
    assert slow.row.state == "running"
    assert archive.replay(table.row).difference is None


def test_matches_from_before_there_were_clocks_go_on(table: Table) -> None:
    table.play(moves=2)
    Match.objects.update(standing=b"")
    match_cache.clear()
    table.play(moves=2)
    assert table.row.version == 4


def test_a_choice_is_late_only_if_its_own_question_is_not_asked_any_more(timed: Timed) -> None:
    """Something at the table that changes no question does not make an answer late."""
    table = timed(LIVE)
    command = Choose(id="slow", version=0, option=table.options()[0])
    assert table.act(table.waiting, moves.OfferIt(id="o", what="draw")) == Accepted(1)
    seat = table.deciding
    assert table.act(seat, command) == Accepted(2)
    assert table.act(seat, command) == Accepted(2), "sent again it is the same move"
    late = table.act(seat, Choose(id="other", version=0, option=command.option))
    assert isinstance(late, Refusal) and late.code == "late"
