"""Who has deleted their account is nameless wherever a match is told, as it is pushed too; it replays as before."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.server.accounts.leaving import leave
from decks.services import TableDeck
from matches.clocks import standing as standings
from matches.lobby import services as lobby
from matches.playing import archive, moves
from matches.protocol.messages import Agree, OfferIt
from matches.table import table_view
from tests.matches.conftest import Table


@pytest.fixture
def of_three(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> Table:
    """A match of three, which goes on when one has left."""
    match = lobby.invite(alice, deck, 3)
    for other in (bob, charlie):
        match = lobby.join(match, other, deck)
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
    lobby.leave_all(alice)
    lobby.take_names_out(alice)
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


def pushed(table: Table, viewer: Any, since: int) -> str:
    """Return the newest table as a socket sends it by itself: from memory, where that is enough."""
    user, version = viewer.pk if viewer else None, table.row.version
    snapshot = table_view.from_cache(table.id, user, since, version, []) or table_view.read(table.id, user, since)
    assert isinstance(snapshot, table_view.Snapshot)
    return table_view.written(snapshot)
