"""Who has deleted their account is nameless wherever a match is told, as it is pushed too; it replays as before."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ccg.rules.decoding import Decoder
from ccg.server.accounts.leaving import leave
from ccg.server.accounts.models import User
from decks.table_decks import TableDeck
from matches.clocks import standing as standings
from matches.lobby import leaving
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing import archive, match_cache, moves
from matches.protocol.messages import Agree, OfferIt
from matches.seats import former
from matches.table import table_view
from tests.matches.conftest import Table, match_of


@pytest.fixture
def of_three(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> Table:
    """A match of three, which goes on when one has left."""
    match = match_of(deck, alice, bob, charlie)
    return Table(match)


def test_a_running_table_is_pushed_without_the_name_of_who_has_left(
    of_three: Table, alice: Any, bob: Any, charlie: Any
) -> None:
    """What a process has stored itself is pushed from its memory, which still knows the name."""
    table = of_three
    assert "alice" in pushed(table, bob, 0)
    leave(alice, keep_decks=False)
    since = table.row.version
    table.act(table.deciding, table.choice("on"))
    assert table.row.version > since and table.row.state == "running"
    for viewer in (bob, charlie, None):
        told = pushed(table, viewer, since)
        assert "alice" not in told and "Former player" in told


def test_a_match_is_replayed_by_the_names_it_began_with_whoever_has_left(table: Table, alice: Any) -> None:
    """It is packed up in the background, at any moment of the deletion."""
    leaving.leave_all(alice)
    leaving.take_names_out(alice)
    assert archive.replay(table.row).difference is None
    leave(alice, keep_decks=False)
    assert archive.replay(table.row).difference is None


def test_so_is_one_in_which_a_move_is_taken_back_after_that(of_three: Table, alice: Any) -> None:
    table = of_three
    leave(alice, keep_decks=False)
    table.play(moves=8)
    mover = next(seat for seat in (1, 2) if standings.read(bytes(table.row.standing), 3, 0).began[seat] > 0)
    assert isinstance(table.act(mover, OfferIt(id="o", what="takeback")), moves.Accepted)
    assert isinstance(table.act(3 - mover, Agree(id="a", what="takeback")), moves.Accepted)
    assert archive.replay(table.row).difference is None


def test_a_match_that_a_fault_keeps_from_being_conceded_keeps_nobody_from_leaving(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    broken, other = (lobby.join(lobby.invite(alice, deck, 2), opponent, deck) for opponent in (bob, charlie))
    Match.objects.filter(pk=broken.pk).update(saved=b"broken")
    match_cache.clear()
    leave(alice, keep_decks=False)
    assert not User.objects.filter(pk=alice.pk).exists()
    assert Table(other).row.result["winners"] == [1]


@pytest.mark.parametrize("name", ["[CAG] Ann", "Ann [CAG]", "Ann]]", "Ann]]]", "A|nn", "Ann]] and [[seat:1|Bob"])
def test_no_name_stands_in_the_way_of_taking_it_out(
    name: str, alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    """A name may have the signs with which marks are written: it neither ends its own nor begins another."""
    alice.display_name = name
    alice.save()
    match = match_of(deck, alice, bob, charlie)
    table = Table(match)
    table.play(moves=4)
    seat = next(number for number in range(3) if table.row.seats.get(number=number).user == alice)
    assert isinstance(table.act(seat, OfferIt(id="o", what="draw")), moves.Accepted)
    told = pushed(table, bob, 0)
    marks = re.findall(r"\[\[seat:(\d)\|([^\]]*)\]\]", told)
    assert {text for number, text in marks if int(number) == seat} == {name.translate(str.maketrans("[]|", "()¦"))}
    leave(alice, keep_decks=False)
    match_cache.clear()
    told = pushed(table, bob, 0)
    assert "Ann" not in told and "A|nn" not in told and "A¦nn" not in told and "Former player" in told


@pytest.mark.parametrize("name", ["[CAG] Ann", "Ann [CAG]", "A|nn"])
def test_names_are_taken_out_of_what_was_stored_with_brackets_in_them(name: str) -> None:
    shown = [f"[[seat:0|{name}]] plays [[card:BSG1-001|Viper]] against [[seat:1|Bob]]."]
    assert former.nameless(shown, {0}, Decoder(list[str])) == [
        "[[seat:0|Former player]] plays [[card:BSG1-001|Viper]] against [[seat:1|Bob]]."
    ]


def pushed(table: Table, viewer: Any, since: int) -> str:
    """Return the newest table as a socket sends it by itself: from memory, where that is enough."""
    user, version = viewer.pk if viewer else None, table.row.version
    snapshot = table_view.from_cache(table.id, user, since, version, []) or table_view.read(table.id, user, since)
    assert isinstance(snapshot, table_view.Snapshot)
    return table_view.written(snapshot)
