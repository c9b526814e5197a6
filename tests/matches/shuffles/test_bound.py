"""Once all words are known nothing is left that the server could choose: no id, no seat, no order of a deck."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction

from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.shuffles.fair import Given
from matches.shuffles.models import Commitment
from tests.matches.conftest import Table
from tests.matches.shuffles.conftest import given

Dealt = tuple[bytes, tuple[int | None, ...]]


def tried(begin: Callable[[], Match]) -> Dealt:
    """Begin a match, look at its seed and who sits where, and let it never have been."""
    with transaction.atomic():
        match = begin()
        dealt = bytes(match.seed), tuple(match.seats.order_by("number").values_list("user", flat=True))
        transaction.set_rollback(True)
    return dealt


def test_a_match_from_a_queue_comes_out_the_same_however_often_it_is_begun(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    """A server that begins the match again and again, with other ids and another order, gets nothing new."""
    people = [(alice, deck, given("of Alice")), (bob, deck, given("of Bob"))]
    found = {
        tried(lambda order=order: lobby.begin_between(order, rated=True, tempo=LIVE[0]))  # type: ignore[misc]
        for order in [people, people[::-1]] * 4
    }
    assert len(found) == 1


def test_so_does_one_against_the_computer(alice: Any, deck: TableDeck) -> None:
    mine = given()
    assert len({tried(lambda: lobby.play_computer(alice, deck, [deck] * 2, given=mine)) for _ in range(4)}) == 1


def test_nor_does_it_matter_in_which_order_people_sit_down(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    """At a table of three the server could say that another came first."""
    people: list[tuple[Any, Given]] = [(one, given(f"of {one}")) for one in (alice, bob, charlie)]

    def fill(order: tuple[tuple[Any, Given], ...]) -> Match:
        (host, words), *rest = order
        match = lobby.invite(host, deck, 3, given=words)
        for one, said in rest:
            match = lobby.join(match, one, deck, said)
        return Match.objects.get(pk=match.pk)

    assert len({tried(lambda order=order: fill(order)) for order in permutations(people)}) == 1  # type: ignore[misc]


def test_who_changes_places_takes_deck_and_words_along(alice: Any, bob: Any, deck: TableDeck) -> None:
    """Often enough that the one who opened the table is not always first."""
    first = set()
    for number in range(12):
        mine, theirs = given(f"of Alice {number}"), given(f"of Bob {number}")
        match = lobby.join(lobby.invite(alice, deck, 2, given=mine), bob, deck, theirs)
        for user, said in ((alice, mine), (bob, theirs)):
            seat = MatchSeat.objects.get(match=match, user=user)
            row = Commitment.objects.get(seat=seat)
            assert (seat.name, row.digest, row.words) == (str(user), said.commitment, said.words)
        table = Table(match)
        assert table.row.deciders, "and it can be played"
        first.add(table.row.seats.get(number=0).user_id)
    assert first == {alice.pk, bob.pk}


def test_who_gives_no_words_sits_behind_those_who_do(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 3)
    lobby.join(match, bob, deck)
    lobby.join(match, charlie, deck, given())
    seats = MatchSeat.objects.filter(match=match).order_by("number").values_list("user", flat=True)
    assert list(seats) == [charlie.pk, alice.pk, bob.pk]


@pytest.mark.usefixtures("cards")
def test_a_deck_is_brought_in_the_order_of_its_ids(alice: Any, deck: TableDeck) -> None:
    """Whoever hands it over in another order, as a server could that knows all words."""
    from msgspec import structs

    mixed = structs.replace(deck, cards=deck.cards[::-1])
    match = lobby.play_computer(alice, mixed, [mixed])
    for seat in match.seats.all():
        assert seat.cards == sorted(deck.cards)
