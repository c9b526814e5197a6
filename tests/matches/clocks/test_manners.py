"""Offers, pauses, takebacks and claims: what needs whose consent, and what it leaves of game and clocks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from decks.services import TableDeck
from matches import archive, lobby, match_cache, moves, table_view
from matches.clocks import presence, sweep
from matches.clocks.arithmetic import SECOND
from matches.clocks.earlier import line_to
from matches.clocks.tempo import DAY, Tempo
from matches.models import Match, MatchSeat, Move
from matches.moves import Accepted, Refusal
from matches.protocol import Agree, Choose, Claim, Decline, OfferIt, Resume
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table

LIVE = Tempo("live", bank=600, increment=10)

Timed = Callable[[Tempo], Table]


def refused(outcome: moves.Outcome) -> str:
    assert isinstance(outcome, Refusal), outcome
    return outcome.code


def may_offer(table: Table, user: Any) -> list[str]:
    snapshot = table_view.read(table.id, user.pk, None)
    assert isinstance(snapshot, table_view.Snapshot)
    return list(table_view.table(snapshot).may_offer)


def test_a_draw_is_agreed_and_replayed(table: Table) -> None:
    table.play(moves=3)
    assert table.act(0, OfferIt(id="o", what="draw")) == Accepted(4)
    assert table.act(1, Agree(id="a", what="draw")) == Accepted(5, over=True)
    row = table.row
    assert row.result == {"winners": [], "losers": [], "reason": "agreed"}
    assert Move.objects.latest("seq").as_recorded() == "concede all agreed"
    assert archive.replay(row).difference is None
    assert table.act(1, Agree(id="a", what="draw")) == Accepted(5, over=True), "sent again it is the same answer"


def test_an_offer_changes_nothing_in_the_game_and_is_told_to_all(table: Table) -> None:
    table.play(moves=2)
    before = table.row
    table.act(0, OfferIt(id="o", what="draw"))
    row = table.row
    assert (row.digest, bytes(row.saved), row.deciders) == (before.digest, bytes(before.saved), before.deciders)
    snapshot = table_view.read(table.id, None, 2)
    assert isinstance(snapshot, table_view.Snapshot)
    shown = table_view.table(snapshot)
    assert [(one.what, one.seat, one.agreed) for one in shown.offers] == [("draw", 0, [0])]
    assert [event.text for event in shown.events[0].events] == ["[[seat:0|alice]] offers a draw."]
    assert shown.may_offer == [], "who looks on offers nothing"


def test_a_declined_offer_is_gone_and_may_not_be_made_again_at_once(table: Table) -> None:
    table.play(moves=2)
    table.act(0, OfferIt(id="o", what="draw"))
    assert table.act(1, Decline(id="d", what="draw")) == Accepted(4)
    assert refused(table.act(1, Agree(id="a", what="draw"))) == "not_allowed"
    assert refused(table.act(0, OfferIt(id="o2", what="draw"))) == "not_allowed"
    table.play(moves=10)
    if table.row.state == "running":
        assert isinstance(table.act(0, OfferIt(id="o3", what="draw")), Accepted)


def test_an_offer_is_made_once_and_not_answered_by_who_made_it(table: Table) -> None:
    table.act(0, OfferIt(id="o", what="draw"))
    assert refused(table.act(0, OfferIt(id="o2", what="draw"))) == "not_allowed"
    assert refused(table.act(1, OfferIt(id="o3", what="draw"))) == "not_allowed"
    assert refused(table.act(0, Agree(id="a", what="draw"))) == "not_allowed"
    assert table.act(0, Decline(id="d", what="draw")) == Accepted(2), "it is taken back"
    assert standing_of(table).offers == ()


def test_an_action_id_of_an_offer_is_not_used_for_something_else(table: Table) -> None:
    table.act(0, OfferIt(id="same", what="draw"))
    assert refused(table.act(0, Decline(id="same", what="draw"))) == "id_reused"
    assert refused(table.act(0, OfferIt(id="same", what="takeback"))) == "id_reused"


def test_a_pause_stops_the_clocks_and_playing_until_somebody_ends_it(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    clock.pass_by(100)
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    clock.pass_by(10_000)
    assert sweep.sweep() == 0
    assert refused(table.act(table.deciding, table.choice("x"))) == "paused"
    assert isinstance(table.act(table.waiting, Resume(id="r")), Accepted)
    clock.pass_by(50)
    table.act(table.deciding, table.choice("y"))
    clocks = standing_of(table).clocks
    assert clocks is not None
    assert sorted(time.left for time in clocks.seats) == [(600 - 150 + 10) * SECOND, 600 * SECOND]


def test_a_pause_that_nobody_ends_is_over_after_a_day(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    clock.pass_by(DAY)
    assert sweep.sweep() == 1
    assert (table.row.state, standing_of(table).paused) == ("running", False)
    clock.pass_by(600)
    assert sweep.sweep() == 1
    assert table.row.state == "finished"


def test_from_a_loop_offers_answers_and_takebacks_are_the_same(table: Table) -> None:
    table.play(moves=6)
    seat = next(seat for seat in (0, 1) if standing_of(table).began[seat] >= 0)

    async def take_back() -> list[moves.Outcome]:
        offer, agree = OfferIt(id="o", what="takeback"), Agree(id="a", what="takeback")
        offered = await moves.act_from_loop(table.id, table.actor(seat), offer)
        return [offered, await moves.act_from_loop(table.id, table.actor(1 - seat), agree)]

    assert asyncio.run(take_back()) == [Accepted(7), Accepted(8)]
    assert table.row.must_decide(seat)


def test_there_is_no_pause_without_clocks(table: Table) -> None:
    assert refused(table.act(0, OfferIt(id="o", what="pause"))) == "not_allowed"
    assert refused(table.act(0, Resume(id="r"))) == "not_allowed"


def test_a_takeback_brings_back_game_and_clocks(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    table.play(moves=6)
    seat, version = table.deciding, table.row.version
    before, clocks = table.row, standing_of(table).clocks
    clock.pass_by(40)
    table.play(moves=1)
    began = standing_of(table).began[seat]
    assert began <= version
    target = Move.objects.get(seq=began) if began else None
    clock.pass_by(25)
    assert isinstance(table.act(seat, OfferIt(id="o", what="takeback")), Accepted)
    assert isinstance(table.act(1 - seat, Agree(id="a", what="takeback")), Accepted)
    row, after = table.row, standing_of(table).clocks
    assert target is not None and row.digest == target.digest
    assert row.must_decide(seat)
    assert clocks is not None and after is not None
    if began == version:
        assert (row.digest, after.seats) == (before.digest, clocks.seats)
    assert after.since == clock.now
    assert archive.replay(row).difference is None
    match_cache.clear()
    table.play(moves=3)
    assert archive.replay(table.row).difference is None


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_takebacks_ends_and_is_replayed(table: Table, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(6):
        table.play(moves=rng.randint(3, 12), seed=number)
        if table.row.state != Match.State.RUNNING:
            break
        offers = rng.randrange(2)
        if isinstance(table.act(offers, OfferIt(id=f"o{number}", what="takeback")), Accepted):
            assert isinstance(table.act(1 - offers, Agree(id=f"a{number}", what="takeback")), Accepted)
    replayed = archive.replay(table.row)
    assert replayed.difference is None
    assert replayed.moves == table.row.version


def test_a_takeback_that_was_asked_for_is_gone_with_the_next_move(table: Table) -> None:
    table.play(moves=6)
    seat = next(seat for seat in (0, 1) if standing_of(table).began[seat] >= 0)
    table.act(seat, OfferIt(id="o", what="takeback"))
    table.play(moves=1)
    assert refused(table.act(1 - seat, Agree(id="a", what="takeback"))) == "not_allowed"


def test_who_has_not_moved_has_nothing_to_take_back(table: Table) -> None:
    assert refused(table.act(0, OfferIt(id="o", what="takeback"))) == "not_allowed"


def test_the_computer_lets_moves_be_taken_back_and_agrees_to_no_draw(alice: Any, deck: TableDeck) -> None:
    table = Table(lobby.play_computer(alice, deck, [deck]))
    rng = random.Random(4)
    while standing_of(table).began[0] < 0:
        version = table.row.version
        key = rng.choice(table.options())
        actor = moves.Actor.person(alice.pk) if table.deciding == 0 else moves.Actor.computer(1)
        moves.act(table.id, actor, Choose(id=f"m{version}", version=version, option=key))
    assert may_offer(table, alice) == ["takeback"]
    began = standing_of(table).began[0]
    assert refused(table.act(0, OfferIt(id="d", what="draw"))) == "not_allowed"
    assert isinstance(table.act(0, OfferIt(id="o", what="takeback")), Accepted)
    assert table.row.must_decide(0)
    assert Move.objects.latest("seq").as_recorded() == f"takeback {began}"
    assert archive.replay(table.row).difference is None


def test_who_is_away_while_they_must_decide_may_be_taken_out(timed: Timed) -> None:
    table = timed(LIVE)
    away = table.deciding
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed"
    long_ago = timezone.now() - presence.AWAY_FOR["live"] - timedelta(seconds=1)
    MatchSeat.objects.filter(number=away).update(seen=long_ago)
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed", "they have only just been asked"
    Match.objects.update(changed=long_ago)
    assert refused(table.act(1 - away, Claim(id="c1", seat=1 - away))) == "not_allowed"
    assert table.act(1 - away, Claim(id="c2", seat=away)) == Accepted(1, over=True)
    row = table.row
    assert row.result == {"winners": [1 - away], "losers": [away], "reason": "absent"}
    move = Move.objects.get()
    assert (move.seat, move.as_recorded()) == (1 - away, f"concede {away} absent")
    assert archive.replay(row).difference is None


def test_nobody_counts_as_away_for_the_time_in_which_the_site_was_down(
    timed: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = timed(LIVE)
    long_ago = timezone.now() - timedelta(hours=1)
    MatchSeat.objects.update(seen=long_ago)
    Match.objects.update(changed=long_ago)
    just_now = timezone.now() - timedelta(seconds=20)
    monkeypatch.setattr("matches.clocks.site_time.up_since", lambda: just_now)
    assert refused(table.act(table.waiting, Claim(id="c", seat=table.deciding))) == "not_allowed"


def test_the_line_of_a_record_leaves_out_what_was_taken_back() -> None:
    record = ["keep", "keep", "pass", "table offer takeback", "takeback 2", "play x", "table decline draw"]
    assert line_to(record) == ["keep", "keep", "play x"]
    assert line_to(record, 4) == ["keep", "keep", "pass"]
    assert line_to([*record, "takeback 3", "pass"]) == ["keep", "keep", "pass", "pass"]
