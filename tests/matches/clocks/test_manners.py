"""Offers, pauses, takebacks and claims: what needs whose consent, and what it leaves of game and clocks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from msgspec import structs

from decks.table_decks import TableDeck
from matches.clocks import earlier, manners, presence, showing
from matches.clocks.afterwards import after_move
from matches.clocks.arithmetic import SECOND
from matches.clocks.at import At
from matches.clocks.earlier import versions_to
from matches.clocks.manners import Manner, Vacation
from matches.clocks.standing import NEVER, OFFERED_AGAIN_AFTER, Offer, What
from matches.clocks.tempo import DAY, UNTIMED, Tempo
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat, Move
from matches.playing import archive, match_cache, moves
from matches.playing.moves import Accepted, Refusal
from matches.protocol.messages import Agree, Back, Choose, Claim, Concede, Decline, OfferIt, Resume
from matches.runners import clock_sweep
from matches.sockets.heartbeat import beats_of
from matches.table import table_view
from tests.matches.clocks.conftest import Clock, standing_of
from tests.matches.conftest import Table, match_of

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
    declined = standing_of(table).decisions
    while standing_of(table).decisions < declined + OFFERED_AGAIN_AFTER and table.row.state == "running":
        table.play(moves=1)
    assert isinstance(table.act(0, OfferIt(id="o3", what="draw")), Accepted)


def half_made(table: Table) -> Choose:
    """Let chance play until somebody has half made a move; they leave it, and this is how they begin it again."""
    while not (decision := table.game.decision) or not decision.can_take_back:
        table.play(moves=1, seed=table.row.version)
    begun = Move.objects.latest("seq")
    assert isinstance(table.act(table.deciding, Back(id="back", version=begun.seq)), Accepted)
    return Choose(id="again", version=begun.seq + 1, option=begun.option)


def begin_and_leave(table: Table, begin: Choose, number: int) -> moves.Outcome:
    """Let who decides begin their move once more, and leave it again."""
    seat, version = table.deciding, table.row.version
    again = structs.replace(begin, id=f"again{number}", version=version)
    assert isinstance(table.act(seat, again), Accepted)
    return table.act(seat, Back(id=f"back{number}", version=version + 1))


def test_a_half_made_move_is_left_twenty_times_at_most(table: Table) -> None:
    begin = half_made(table)
    left = [begin_and_leave(table, begin, number) for number in range(20)]
    assert [type(one) for one in left] == [*[Accepted] * 19, Refusal], "and once before"
    assert isinstance(left[-1], Refusal) and "Make this one" in left[-1].message
    while standing_of(table).backs and table.row.state == "running":
        table.play(moves=1)
    assert isinstance(begin_and_leave(table, half_made(table), 9), Accepted), "of the next one it is counted anew"


def test_leaving_a_half_made_move_does_not_shorten_the_time_until_something_is_offered_again(table: Table) -> None:
    begin = half_made(table)
    seat = table.deciding
    table.act(seat, OfferIt(id="o", what="draw"))
    table.act(1 - seat, Decline(id="d", what="draw"))
    for number in range(OFFERED_AGAIN_AFTER):
        begin_and_leave(table, begin, number)
    assert refused(table.act(seat, OfferIt(id="o2", what="draw"))) == "not_allowed"


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


@pytest.mark.parametrize("what", [["draw"], ["pause"], ["draw", "pause"]], ids=" ".join)
def test_an_offer_is_gone_once_somebody_plays_on_who_could_have_agreed(timed: Timed, what: list[What]) -> None:
    table = timed(LIVE).only_one_decides()
    mover = table.deciding
    for one in what:
        table.act(mover, OfferIt(id=f"o {one}", what=one))
    offered = table.row.version
    while standing_of(table).offers and table.row.state == "running":
        table.play(moves=1)
    line = Move.objects.filter(seq__gt=offered).order_by("seq").values_list("seat", flat=True)
    assert line[0] == mover and line[len(line) - 1] == 1 - mover, "it outlasts the move of who offers it"
    for one in what:
        assert refused(table.act(1 - mover, Agree(id=f"a {one}", what=one))) == "not_allowed"
        assert refused(table.act(mover, OfferIt(id=f"again {one}", what=one))) == "not_allowed", "declined a moment ago"


OFFERS = [OfferIt(id="x", what="draw"), OfferIt(id="x", what="pause"), Agree(id="x", what="draw"), Resume(id="x")]


@pytest.mark.parametrize("command", [*OFFERS, Claim(id="x", seat=1), Vacation(id="x y", away=True)], ids=repr)
def test_whose_time_has_run_out_can_only_concede(timed: Timed, clock: Clock, command: Manner) -> None:
    """The sweep finds it within seconds, in which nothing saves them from it."""
    table = timed(LIVE).only_one_decides()
    late = table.deciding
    if isinstance(command, Agree):
        assert isinstance(table.act(1 - late, OfferIt(id="o", what="draw")), Accepted)
    clock.pass_by(600)
    assert refused(table.act(late, command)) == "out_of_time"
    assert clock_sweep.sweep() == 1
    assert table.row.result == {"winners": [1 - late], "losers": [late], "reason": "time"}


def test_a_pause_stops_the_clocks_and_playing_until_all_want_to_go_on(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    clock.pass_by(100)
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    clock.pass_by(10_000)
    assert clock_sweep.sweep() == 0
    assert refused(table.act(table.deciding, table.choice("x"))) == "paused"
    assert isinstance(table.act(table.waiting, Resume(id="r")), Accepted)
    assert isinstance(table.act(table.deciding, Resume(id="s")), Accepted)
    clock.pass_by(50)
    table.act(table.deciding, table.choice("y"))
    clocks = standing_of(table).clocks
    assert clocks is not None
    assert sorted(time.left for time in clocks.seats) == [(600 - 150 + 10) * SECOND, 600 * SECOND]


def test_nobody_ends_a_pause_alone_while_the_other_one_is_away(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE).only_one_decides()
    away = table.deciding
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    assert isinstance(table.act(1 - away, Resume(id="r")), Accepted), "they are told that the other one wants to go on"
    assert refused(table.act(1 - away, Resume(id="again"))) == "not_allowed"
    shown = showing.clocks(standing_of(table), LIVE, clock.now)
    assert shown is not None and (shown.paused, shown.resuming) == (True, [1 - away])
    assert shown.pause_left == 24 * 3_600 * SECOND, "whoever does not answer by then is out, and has to know it"
    table.let_pass(timedelta(hours=1))
    clock.pass_by(3_600)
    assert clock_sweep.sweep() == 0
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed"
    assert isinstance(table.act(away, Resume(id="back")), Accepted)
    claim = Claim(id="at once", seat=away)
    assert refused(table.act(1 - away, claim)) == "not_allowed", "from the end of the pause on they have their time"
    standing = standing_of(table)
    assert (standing.paused, standing.resuming) == (False, 0)
    table.act(0, Concede(id="end"))
    assert archive.replay(table.row).difference is None


def test_of_three_who_leaves_is_not_waited_for_to_end_a_pause(
    clock: Clock, alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = lobby.invite(alice, deck, 3, tempo=LIVE)
    lobby.join(match, bob, deck)
    table = Table(lobby.join(match, charlie, deck))
    table.act(0, OfferIt(id="o", what="pause"))
    for seat in (1, 2):
        table.act(seat, Agree(id="a", what="pause"))
    for seat in (0, 1):
        table.act(seat, Resume(id="r"))
    assert standing_of(table).paused
    table.act(2, Concede(id="c"))
    assert not standing_of(table).paused


def test_a_pause_that_nobody_ends_is_over_after_a_day(timed: Timed, clock: Clock) -> None:
    table = timed(LIVE)
    table.act(0, OfferIt(id="o", what="pause"))
    table.act(1, Agree(id="a", what="pause"))
    clock.pass_by(DAY)
    assert clock_sweep.sweep() == 1
    assert (table.row.state, standing_of(table).paused) == ("running", False)
    clock.pass_by(600)
    assert clock_sweep.sweep() == 1
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


def test_no_takeback_brings_back_who_has_left_the_game(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    match = match_of(deck, alice, bob, charlie)
    table = Table(match)
    while min(standing_of(table).began) < 1:
        table.play(moves=1)
    assert isinstance(table.act(2, Concede(id="c")), Accepted)
    assert refused(table.act(0, OfferIt(id="o", what="takeback"))) == "not_allowed"
    table.play(moves=8)
    mover = next(seat for seat in (0, 1) if standing_of(table).began[seat] > 0)
    assert isinstance(table.act(mover, OfferIt(id="o2", what="takeback")), Accepted)
    assert isinstance(table.act(1 - mover, Agree(id="a", what="takeback")), Accepted)
    assert table.game.engine.seats(0) == [0, 1] and archive.replay(table.row).difference is None


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


def test_a_takeback_goes_back_to_before_the_last_choice_by_hand(alice: Any, deck: TableDeck) -> None:
    table = Table(lobby.play_computer(alice, deck, [deck]))
    rng = random.Random(4)
    by_hand, passed = None, 0
    while by_hand is None or passed < 3:
        version, own, options = table.row.version, table.deciding == 0, table.options()
        actor = moves.Actor.person(alice.pk) if own else moves.Actor.computer(1)
        passes = own and by_hand is not None and "pass" in options
        option = "pass" if passes else options[0] if own and by_hand is not None else rng.choice(options)
        moves.act(table.id, actor, Choose(id=f"m{version}", version=version, option=option, by_hand=not passes))
        passed += passes
        if own and not passes:
            by_hand = standing_of(table).began[0] if standing_of(table).began[0] >= 0 else None
    assert Move.objects.filter(seat=0, seq__gt=by_hand + 1).exists()
    assert isinstance(table.act(0, OfferIt(id="o", what="takeback")), Accepted)
    assert Move.objects.latest("seq").as_recorded() == f"takeback {by_hand}"


def played_on_against_the_computer(user: Any, deck: TableDeck) -> Table:
    """Return a table at which the user has moved some times, and can take the last move back."""
    table, rng = Table(lobby.play_computer(user, deck, [deck])), random.Random(3)
    while table.row.version < 40 or standing_of(table).began[0] < 20:
        actor = moves.Actor.person(user.pk) if table.deciding == 0 else moves.Actor.computer(1)
        moves.act(table.id, actor, table.choice(f"m{table.row.version}", rng.choice(table.options())))
    return table


def test_a_takeback_plays_nothing_again_that_is_remembered(
    alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long match takes a tenth of a second on the thread of all tables, and one may take back without end."""
    table = played_on_against_the_computer(alice, deck)
    played: list[int] = []
    start = earlier.Game.start
    monkeypatch.setattr(earlier.Game, "start", lambda *args: (played.append(1), start(*args))[1])
    for number in range(5):
        began = standing_of(table).began[0]
        assert isinstance(table.act(0, OfferIt(id=f"o{number}", what="takeback")), Accepted)
        assert Move.objects.latest("seq").as_recorded() == f"takeback {began}"
        table.act(0, table.choice(f"again {number}".replace(" ", "-")))
    assert not played
    assert archive.replay(table.row).difference is None


def test_nobody_takes_back_without_end(alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is stored, and played again for the replay: minutes, of a match that two keep going for an hour."""
    monkeypatch.setattr(manners, "MOST_OFFERS", 3, raising=False)
    table = played_on_against_the_computer(alice, deck)
    for number in range(3):
        assert "takeback" in may_offer(table, alice)
        assert isinstance(table.act(0, OfferIt(id=f"o{number}", what="takeback")), Accepted)
        table.act(0, table.choice(f"again-{number}"))
    version = table.row.version
    assert refused(table.act(0, OfferIt(id="o", what="takeback"))) == "not_allowed"
    assert table.row.version == version
    assert not may_offer(table, alice)
    assert archive.replay(table.row).difference is None


def test_nobody_pauses_without_end_and_each_player_has_offers_of_their_own(
    timed: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manners, "MOST_OFFERS", 2, raising=False)
    table = timed(LIVE).only_one_decides()
    for number in range(2):
        table.act(0, OfferIt(id=f"p{number}", what="pause"))
        table.act(1, Agree(id=f"p{number}", what="pause"))
        for seat in (0, 1):
            assert isinstance(table.act(seat, Resume(id=f"r{number}")), Accepted)
    assert refused(table.act(0, OfferIt(id="p", what="pause"))) == "not_allowed"
    assert isinstance(table.act(1, OfferIt(id="p", what="pause")), Accepted)
    assert isinstance(table.act(0, Agree(id="p", what="pause")), Accepted)


def moved_since(table: Table, seat: int, moves_of_others: int) -> None:
    """Let ``seat`` begin a move by hand, and the others that many after it; meanwhile ``seat`` passes by itself."""
    began, others, rng = -1, 0, random.Random(7)
    while others < moves_of_others:
        version, mover = table.row.version, table.deciding
        decision = table.game.decision_of(mover)
        assert decision is not None
        by_hand, options = mover != seat or began < 0, table.options()
        option = "pass" if "pass" in options else options[0] if by_hand else rng.choice(options)
        table.act(mover, Choose(id=f"m{version}", version=version, option=option, by_hand=by_hand))
        if mover == seat:
            began = standing_of(table).began[seat]
        else:
            others += not decision.can_take_back
        assert table.game.result is None


def test_a_takeback_after_many_moves_of_others_plays_nothing_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever passes by itself while the other one clicks has it played again each time, longer and longer."""
    played: list[int] = []
    start = earlier.Game.start
    monkeypatch.setattr(earlier.Game, "start", lambda *args: (played.append(1), start(*args))[1])
    table.play(moves=6)
    seat = table.deciding
    for number in range(3):
        moved_since(table, seat, 12)
        began = standing_of(table).began[seat]
        assert table.row.version - began > 12
        table.act(seat, OfferIt(id=f"o{number}", what="takeback"))
        assert isinstance(table.act(1 - seat, Agree(id=f"a{number}", what="takeback")), Accepted)
        assert Move.objects.latest("seq").as_recorded() == f"takeback {began}"
    assert not played
    assert archive.replay(table.row).difference is None


def test_what_is_not_remembered_itself_is_played_from_what_is_nearest(
    alice: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played_on_against_the_computer(alice, deck)
    row, began = table.row, standing_of(table).began[0]
    catalog = match_cache.catalog_of(row.catalog)
    whole = earlier.table_at(row.pk, 2, began, catalog)
    halfway = earlier.table_at(row.pk, 2, began - 3, catalog).game.save()
    other, asked = table.game.save(), []
    monkeypatch.setattr(earlier.Game, "start", lambda *args: asked.append(args))
    near = earlier.table_at(row.pk, 2, began, catalog, {began - 3: halfway, began - 1: other, began + 1: other})
    assert (near.game.digest(), near.standing) == (whole.game.digest(), whole.standing)
    assert not asked


def test_what_was_taken_back_is_not_on_the_way_to_an_earlier_game(alice: Any, deck: TableDeck) -> None:
    table = played_on_against_the_computer(alice, deck)
    taken_back = table.row.version
    gone = table.game.save()
    assert isinstance(table.act(0, OfferIt(id="o", what="takeback")), Accepted)
    row, catalog = table.row, match_cache.catalog_of(table.row.catalog)
    found = earlier.table_at(row.pk, 2, row.version, catalog, {taken_back: gone}).game
    assert found.digest() == row.digest == Move.objects.latest("seq").digest


def test_games_are_forgotten_so_that_the_way_to_each_stays_short() -> None:
    for version in range(1, 400):
        match_cache.remember_earlier("m", version, b"saved", (3, -1))
    kept = sorted(match_cache.earlier_games("m"))
    assert len(kept) == match_cache.EARLIER_OF_ONE
    assert 3 in kept
    assert kept[-2:] == [398, 399]
    for back in range(1, 395):
        start = max(version for version in kept if version <= 399 - back)
        assert 399 - back - start <= 3 * back


def test_what_is_remembered_and_is_not_what_is_stored_is_not_gone_back_to(alice: Any, deck: TableDeck) -> None:
    table = played_on_against_the_computer(alice, deck)
    match_cache.remember_earlier(table.id, standing_of(table).began[0], table.game.save())
    assert isinstance(table.act(0, OfferIt(id="o", what="takeback")), Accepted)
    assert archive.replay(table.row).difference is None


def test_no_takeback_brings_back_who_has_lost_at_a_table_of_three(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    """They are not asked whether it is taken back, and may be gone."""
    match = match_of(deck, alice, bob, charlie)
    table, lost = Table(match), frozenset[int]()
    while not lost:
        table.play(moves=1, seed=table.row.version)
        lost = frozenset(range(3)) - frozenset(table.game.engine.seats(0))
    assert table.game.result is None
    assert standing_of(table).began == (NEVER,) * 3
    first, second = sorted(frozenset(range(3)) - lost)
    for seat in (first, second):
        assert refused(table.act(seat, OfferIt(id="o", what="takeback"))) == "not_allowed"
    # Nor does an offer stay that waits for nobody else: it could not be agreed to any more, and not be made anew.
    row, game = table.row, table.game
    before = earlier.table_at(row.pk, 3, row.version - 1, match_cache.catalog_of(row.catalog))
    draw = Offer("draw", first, 1 << first | 1 << second, made=row.version)
    at = At(
        game=before.game, standing=structs.replace(before.standing, offers=(draw,)), version=row.version - 1,
        seat=before.game.deciding[0], names=("", "", ""), tempo=UNTIMED, people=frozenset(range(3)),
        computers=frozenset(), now=0,
    )  # fmt: skip
    assert after_move(at, game, "by hand").offers == ()


def test_only_of_passing_a_client_can_say_that_it_was_not_by_hand(table: Table) -> None:
    """Who agrees that the last move is taken back would find the table where it was turns ago."""
    began = []
    while len(began) < 6:
        version, seat = table.row.version, table.deciding
        option = next((one for one in table.options() if one not in ("pass", "decline")), table.options()[0])
        decision = table.game.decision_of(seat)
        assert decision is not None
        table.act(seat, Choose(id=f"m{version}", version=version, option=option, by_hand=len(began) < 2))
        if not decision.can_take_back and option != "pass":
            began.append(version)
            assert standing_of(table).began[seat] == version


def test_no_client_keeps_an_offer_in_reserve_by_saying_that_nobody_has_chosen(timed: Timed) -> None:
    table = timed(LIVE).only_one_decides()
    mover = table.deciding
    table.act(mover, OfferIt(id="o", what="draw"))
    played = set()
    while played != {0, 1}:
        version, seat = table.row.version, table.deciding
        asked = standing_of(table).asked[seat]
        option = next((one for one in table.options() if one == "pass"), table.options()[0])
        table.act(seat, Choose(id=f"m{version}", version=version, option=option, by_hand=False))
        if seat == mover or asked > 3:
            played.add(seat)
    assert not standing_of(table).offers


def test_who_is_away_while_they_must_decide_may_be_taken_out(timed: Timed) -> None:
    table = timed(LIVE).only_one_decides()
    away = table.deciding
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed"
    long_ago = timezone.now() - presence.AWAY_FOR["live"] - timedelta(seconds=1)
    MatchSeat.objects.filter(number=away).update(seen=long_ago)
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed", "they have only just been asked"
    table.let_pass(presence.AWAY_FOR["live"] + timedelta(seconds=1))
    assert isinstance(table.act(1 - away, OfferIt(id="draw", what="draw")), Accepted), "which puts nothing off"
    assert refused(table.act(1 - away, Claim(id="c1", seat=1 - away))) == "not_allowed"
    assert table.act(1 - away, Claim(id="c2", seat=away)) == Accepted(3, over=True)
    row = table.row
    assert row.result == {"winners": [1 - away], "losers": [away], "reason": "absent"}
    move = Move.objects.latest("seq")
    assert (move.seat, move.as_recorded()) == (1 - away, f"concede {away} absent")
    assert archive.replay(row).difference is None


def test_nobody_counts_as_away_for_the_time_in_which_the_site_was_down(
    timed: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = timed(LIVE)
    long_ago = timezone.now() - timedelta(hours=1)
    MatchSeat.objects.update(seen=long_ago)
    table.let_pass(timedelta(hours=1))
    just_now = timezone.now() - timedelta(seconds=20)
    monkeypatch.setattr("matches.clocks.site_time.up_since", lambda: just_now)
    assert refused(table.act(table.waiting, Claim(id="c", seat=table.deciding))) == "not_allowed"


def test_who_is_away_for_days_is_so_also_where_the_site_is_started_anew_each_night(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have half a day after each start, in which the others are told that they are away."""
    away = table.only_one_decides().deciding
    table.let_pass(timedelta(days=4))
    up = [timezone.now() - timedelta(hours=11)]
    monkeypatch.setattr("matches.clocks.site_time.up_since", lambda: up[0])
    beat = beats_of([table.id], [])[table.id]
    assert [(one.seat, round(one.claim_in / 60)) for one in beat.absent] == [(away, 60)]
    assert refused(table.act(1 - away, Claim(id="c", seat=away))) == "not_allowed"
    up[0] -= timedelta(hours=2)
    assert isinstance(table.act(1 - away, Claim(id="d", seat=away)), Accepted)


def test_the_line_of_a_record_leaves_out_what_was_taken_back() -> None:
    record = ["keep", "keep", "pass", "table offer takeback", "takeback 2", "play x", "table decline draw"]
    longer = [*record, "takeback 3", "pass"]
    assert [record[at - 1] for at in versions_to(record)] == ["keep", "keep", "play x"]
    assert [record[at - 1] for at in versions_to(record, 4)] == ["keep", "keep", "pass"]
    assert [longer[at - 1] for at in versions_to(longer)] == ["keep", "keep", "pass", "pass"]
