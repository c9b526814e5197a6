"""Orders at a real table: given, answered once and as ordinary moves, ended, and never by what a hand holds."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from msgspec import json

from ccg.rules import Game
from decks.table_decks import TableDeck
from matches.clocks import tempo as tempos
from matches.lobby import services as lobby
from matches.models import Match, Move
from matches.orders import services
from matches.orders.matching import Terms
from matches.orders.models import StandingOrder
from matches.orders.services import OrderError
from matches.playing import archive, match_cache, moves
from matches.protocol.messages import Agree, Choose, OfferIt
from matches.runners import answering
from matches.storage import stored_events
from matches.table import table_view
from tests.matches.conftest import Table

PASSES = Terms("action", until="end")


def game_of(table: Table) -> Game:
    return table_view.current_game(table.row)[1]


def play_to(table: Table, kind: str, seat: int | None = None, most: int = 400) -> None:
    """Let everybody pass, or do as little as they can, until a decision of this kind is asked (of ``seat``)."""
    for _ in range(most):
        decision = game_of(table).decision
        assert decision is not None
        if decision.kind == kind and (seat is None or decision.seat == seat):
            return
        little = next((key for key in table.options() if key in ("keep", "pass", "decline", "no")), None)
        choose(table, little)
    raise AssertionError(f"nobody was asked {kind}")


def choose(table: Table, option: str | None = None) -> None:
    version = table.row.version
    outcome = table.act(table.deciding, table.choice(f"m{version}", option))
    assert isinstance(outcome, moves.Accepted), outcome


def give(table: Table, seat: int, terms: Terms = PASSES, action: str = "o1", since: int | None = None) -> None:
    services.give(table.id, table._users[seat], action, table.row.version if since is None else since, terms)


def told(table: Table, seat: int) -> list[services.ShownOrder]:
    return services.listing(table.id, table._users[seat]).told


@pytest.fixture
def acting(table: Table) -> Table:
    """The match of Alice and Bob in its first execution phase."""
    play_to(table, "action")
    return table


def test_many_orders_are_listed_with_as_many_queries_as_one(acting: Table) -> None:
    seat = acting.waiting
    give(acting, seat)
    row, counts = StandingOrder.objects.get(), []
    for number in range(1, 4):
        with CaptureQueriesContext(connection) as queries:
            assert len(told(acting, seat)) == number
        counts.append(len(queries))
        row.pk, row.action_id = None, f"copy{number}"
        row.save(force_insert=True)
    assert len(set(counts)) == 1


def test_an_order_answers_with_a_move_like_others(acting: Table) -> None:
    seat = acting.waiting
    give(acting, seat)
    choose(acting, "pass")
    version = acting.row.version
    assert acting.row.answer_due and answering.answer(acting.id)
    move = Move.objects.get(match__public_id=acting.id, seq=version + 1)
    assert (move.seat, move.kind, move.option) == (seat, "choose", "pass")
    assert [(one.answered, one.why) for one in told(acting, seat)] in ([(1, "")], [])
    assert not answering.answer(acting.id) or acting.deciding == seat


def test_it_answers_what_is_asked_as_it_is_given(acting: Table) -> None:
    seat = acting.deciding
    give(acting, seat)
    assert answering.answer(acting.id)
    assert acting.deciding != seat or game_of(acting).view(None).phase != "execution"


def test_if_they_pass_counts_only_what_happens_after_it_was_given(acting: Table) -> None:
    seat = acting.waiting
    choose(acting, "pass")
    assert acting.deciding == seat
    give(acting, seat, Terms("action", "they_pass"))
    assert acting.row.answer_due and not answering.answer(acting.id)
    assert not acting.row.answer_due, "it is for the player"
    assert [one.why for one in told(acting, seat)] == [""]


def test_an_order_that_meets_its_decision_on_the_way_answers_it(acting: Table) -> None:
    """The pass came first; the order was given by who had not seen it."""
    seat, seen = acting.waiting, acting.row.version
    choose(acting, "pass")
    give(acting, seat, Terms("action", "they_pass"), since=seen)
    assert answering.answer(acting.id)


def test_of_an_order_and_a_move_that_come_at_once_the_second_knows_of_the_first(acting: Table) -> None:
    seat, seen, choice = acting.waiting, acting.row.version, acting.choice("m", "pass")
    both = threading.Barrier(2)

    def at_once(what: Callable[[], object]) -> None:
        both.wait()
        what()
        connections.close_all()

    doing: list[Callable[[], object]] = [
        lambda: acting.act(1 - seat, choice),
        lambda: give(acting, seat, Terms("action", "they_pass"), since=seen),
    ]
    threads = [threading.Thread(target=at_once, args=(what,)) for what in doing]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert acting.row.version == seen + 1 and acting.row.answer_due
    assert answering.answer(acting.id)


def deed_of(table: Table) -> str:
    """Return something that whoever acts can do; until there is anything, all pass."""
    for _ in range(60):
        for key in table.options():
            if key.split()[0] in ("play", "use", "challenge", "boost"):
                return key
        choose(table, "pass")
        play_to(table, "action")
    raise AssertionError("nobody ever had anything to do")


def test_something_unforeseen_disarms_it_and_its_owner_is_told_which_and_why(acting: Table) -> None:
    deed = deed_of(acting)
    seat = acting.waiting
    give(acting, seat, Terms("action"))
    choose(acting, deed)
    while acting.deciding != seat:
        choose(acting, next((key for key in acting.options() if key.startswith("pay")), None))
    answering.answer(acting.id)
    (order,) = told(acting, seat)
    assert order.text.startswith("Pass, until something happens") and order.why.startswith("Somebody else ")
    assert not acting.row.orders and acting.deciding == seat
    services.drop(acting.id, acting._users[seat], order.number)
    assert told(acting, seat) == []


def test_the_same_id_is_the_same_order_and_equal_terms_replace_each_other(acting: Table) -> None:
    seat = acting.waiting
    give(acting, seat)
    give(acting, seat)
    give(acting, seat, action="o2")
    assert StandingOrder.objects.count() == 1
    with pytest.raises(OrderError, match="another order"):
        give(acting, seat, Terms("cylon"), action="o2")


def test_orders_are_taken_off_and_are_nobody_elses(acting: Table) -> None:
    seat = acting.waiting
    give(acting, seat)
    (order,) = told(acting, seat)
    assert told(acting, 1 - seat) == []
    services.drop(acting.id, acting._users[1 - seat], order.number)
    assert len(told(acting, seat)) == 1
    services.drop(acting.id, acting._users[seat], order.number)
    choose(acting, "pass")
    assert not acting.row.answer_due and acting.row.orders == 0


def test_who_has_no_seat_gives_no_orders(acting: Table, charlie: Any) -> None:
    with pytest.raises(OrderError) as refused:
        services.give(acting.id, charlie.pk, "o1", 0, PASSES)
    assert refused.value.code == "no_seat"
    with pytest.raises(OrderError, match="opening hand"):
        give(acting, 0, Terms("opening_hand"))
    with pytest.raises(OrderError) as early:
        give(acting, 0, since=10_000)
    assert early.value.code == "ahead"


def test_nobody_has_too_many(acting: Table) -> None:
    orders = [one.terms for one in services.listing(acting.id, acting._users[0]).offered]
    for number in range(services.MOST):
        give(acting, acting.waiting, orders[number], f"o{number}")
    with pytest.raises(OrderError, match="more than"):
        give(acting, acting.waiting, orders[services.MOST], "one more")


def test_two_processes_answer_once(acting: Table) -> None:
    give(acting, acting.waiting)
    choose(acting, "pass")
    before = acting.row.version
    match_cache.clear()  # as in another process
    done: list[bool] = []

    def try_it() -> None:
        done.append(answering.answer(acting.id))
        connections.close_all()

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = Move.objects.filter(match__public_id=acting.id, action_id__startswith="order ", seq=before + 1)
    assert answers.count() == 1 and any(done)


def test_what_a_process_that_died_has_left_is_found_by_the_sweep(acting: Table) -> None:
    give(acting, acting.waiting)
    choose(acting, "pass")
    match_cache.clear()  # the process dies between the move and its answer
    version = acting.row.version
    assert answering.sweep() == 1
    assert acting.row.version > version and answering.sweep() <= 1


def test_matches_that_are_broken_keep_no_other_from_its_turn(
    acting: Table, alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "AT_ONCE", 1)
    broken = lobby.join(lobby.invite(alice, deck, 2), bob, deck).public_id
    give(acting, acting.waiting)
    choose(acting, "pass")
    Match.objects.filter(public_id=broken).update(standing=b"broken", answer_due=True, changed=acting.row.created)
    match_cache.clear()
    assert (answering.sweep(), answering.sweep()) == (0, 1)


def test_a_takeback_disarms_orders_and_goes_back_to_what_was_chosen_by_hand(acting: Table) -> None:
    seat = acting.deciding
    before = acting.row.version
    choose(acting, "pass")
    give(acting, 1 - seat, Terms("action", until="end"))
    give(acting, seat, Terms("cylon"), "o2")
    answering.answer(acting.id)
    assert isinstance(acting.act(seat, OfferIt(id="t1", what="takeback")), moves.Accepted)
    assert isinstance(acting.act(1 - seat, Agree(id="t2", what="takeback")), moves.Accepted)
    assert acting.row.version > before and acting.deciding == seat
    assert all(order.why == "A move was taken back." for order in told(acting, seat) + told(acting, 1 - seat))


def test_a_match_with_orders_replays_from_its_record_and_leaves_none_behind(acting: Table) -> None:
    for seat in (0, 1):
        give(acting, seat, Terms("effects"), f"e{seat}")
        give(acting, seat, Terms("action", until="end"), f"a{seat}")
    rng = random.Random(3)
    for _ in range(3_000):
        if acting.row.state != Match.State.RUNNING:
            break
        if not answering.answer(acting.id):
            version = acting.row.version
            acting.act(acting.deciding, Choose(id=f"m{version}", version=version, option=rng.choice(acting.options())))
    row = acting.row
    assert row.state == Match.State.FINISHED and Move.objects.filter(action_id__startswith="order ").exists()
    archive.handle({"match": acting.id})
    assert not StandingOrder.objects.exists()
    record = archive.record_of(row)
    assert [move.digest for move in record.moves][-1] == row.digest


# -- correspondence: what is forced is answered without an order


@pytest.fixture
def by_mail(alice: Any, bob: Any, deck: TableDeck) -> Table:
    tempo = tempos.CORRESPONDENCE[1]
    return Table(lobby.join(lobby.invite(alice, deck, 2, tempo=tempo), bob, deck))


def test_what_is_forced_is_answered_by_correspondence(by_mail: Table) -> None:
    forced = 0
    rng = random.Random(2)
    while by_mail.row.state == Match.State.RUNNING and forced < 2:
        game = game_of(by_mail)
        assert by_mail.row.answer_due == game.forced
        if game.forced:
            assert answering.answer(by_mail.id)
            forced += 1
        else:
            version = by_mail.row.version
            by_mail.act(
                by_mail.deciding, Choose(id=f"m{version}", version=version, option=rng.choice(by_mail.options()))
            )
    assert forced == 2


# -- twins: the hand is dealt anew, and what others receive is the same


def test_what_others_receive_does_not_depend_on_the_hand(acting: Table) -> None:
    """Two tables that differ in the owner's hand alone: the same orders give the same frames at the same versions."""
    seat = acting.waiting
    give(acting, seat, Terms("action", until="end"))
    give(acting, seat, Terms("effects"), "o2")
    row = acting.row
    real = game_of(acting)
    twin = real.copy()
    hand, deck = twin.engine.player(seat).hand, twin.engine.player(seat).deck
    deck[: len(hand)], hand[:] = list(hand), deck[: len(hand)]
    assert sorted(hand) != sorted(real.engine.player(seat).hand)

    orders = list(StandingOrder.objects.all())

    def seen(game: Game) -> list[bytes]:
        """Return what the other player receives from here on, at the table as it was but with this game."""
        Move.objects.filter(match=row.pk, seq__gt=row.version).delete()
        StandingOrder.objects.all().delete()
        StandingOrder.objects.bulk_create(orders)
        row.saved = game.save()
        row.save()
        match_cache.clear()
        choose(acting, "pass")
        while answering.answer(acting.id):
            pass
        later = Move.objects.filter(match=row.pk, seq__gt=row.version).order_by("seq")
        return [
            json.encode((move.seq, move.seat, move.option, stored_events.seen_by(bytes(move.events), 1 - seat)))
            for move in later
        ]

    assert seen(real) == seen(twin)


def test_whether_the_site_answers_does_not_depend_on_the_hand(acting: Table) -> None:
    game = game_of(acting)
    rng = random.Random(4)
    looked = 0
    while game.decision is not None and looked < 150:
        seat = game.decision.seat
        twin = game.copy()
        own = twin.engine.player(seat)
        cards = own.hand + own.deck
        rng.shuffle(cards)
        own.hand[:], own.deck[:] = cards[: len(own.hand)], cards[len(own.hand) :]
        if game.decision.kind in ("action", "effects", "defend", "cylon"):
            assert twin.forced == game.forced
            looked += 1
        game.choose(rng.choice(game.decision.options))
