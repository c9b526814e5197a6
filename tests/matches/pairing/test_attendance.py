"""A live match that counts, or is open to strangers, begins with nobody who has gone meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from decks.table_decks import TableDeck
from matches.clocks.tempo import CORRESPONDENCE, LIVE
from matches.lobby import attendance, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat
from matches.pairing import tables
from matches.protocol.messages import Concede
from tests.matches.conftest import Table
from tests.people import signed_in


def goes(user: Any) -> None:
    """Let ``user`` close the page of a table that has not begun."""
    seats = MatchSeat.objects.filter(user=user, match__state=Match.State.OPEN)
    seats.update(seen=timezone.now() - attendance.PRESENT)


def rematch_of(alice: Any, bob: Any, deck: TableDeck) -> Match:
    """A rated live match that is over, and for which Alice asks a rematch."""
    over = lobby.join(lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0]), bob, deck)
    Table(over).act(0, Concede(id="c"))
    return rematches.rematch(over, alice)


@pytest.mark.parametrize("rated", [True, False])
def test_a_live_table_whose_host_has_gone_is_closed_and_says_so(
    alice: Any, bob: Any, deck: TableDeck, *, rated: bool
) -> None:
    match = tables.open_table(alice, deck, 2, rated=rated, tempo=LIVE[0])
    goes(alice)
    refused = signed_in(bob).post(f"/play/tables/{match.public_id}/")
    assert refused.status_code == 409 and "alice has left this table" in refused.content.decode()
    match.refresh_from_db()
    assert (match.state, match.seats.filter(user=bob).exists()) == ("abandoned", False)
    assert b"This table was closed" in signed_in(alice).get(match.get_absolute_url()).content


def test_the_link_of_a_rated_live_table_is_no_way_around_that(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = tables.open_table(alice, deck, 2, rated=True, tempo=LIVE[0])
    link = signed_in(alice).get(match.get_absolute_url()).context["link"]
    goes(alice)
    assert signed_in(bob).post(link.removeprefix("http://testserver")).status_code == 409
    match.refresh_from_db()
    assert match.state == "abandoned"


def test_of_three_who_has_gone_gets_up_and_the_table_waits_on(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    match = tables.open_table(alice, deck, 3, rated=True, tempo=LIVE[0])
    lobby.join(match, bob, deck)
    goes(bob)
    with pytest.raises(LobbyError, match="bob has left this table, and the seat is free"):
        lobby.join(match, charlie, deck)
    lobby.join(match, charlie, deck)
    assert (match.seats.filter(user=charlie).count(), match.seats.filter(kind="free").count()) == (1, 1)
    assert lobby.join(match, bob, deck).state == "running"


def test_friends_and_matches_by_correspondence_wait_for_nobody_to_be_there(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    among_friends = lobby.invite(alice, deck, 2, tempo=LIVE[0])
    by_correspondence = tables.open_table(alice, deck, 2, rated=True, tempo=CORRESPONDENCE[0])
    goes(alice)
    assert [lobby.join(one, bob, deck).state for one in (among_friends, by_correspondence)] == ["running"] * 2


def test_a_rematch_does_not_begin_against_who_asked_and_has_gone(alice: Any, bob: Any, deck: TableDeck) -> None:
    asked = rematch_of(alice, bob, deck)
    page = signed_in(alice).get(asked.get_absolute_url()).content.decode()
    assert f"/play/tables/{asked.public_id}/here/" in page, "else who waits there would count as gone"
    goes(alice)
    assert rematches.rematch(asked.rematch_of, bob).state == "open"
    back = signed_in(alice)
    assert back.post(f"/play/tables/{asked.public_id}/here/").json()["state"] == "none", "asked again, not there again"
    page = back.get(asked.get_absolute_url()).content.decode()
    assert "A rematch?" in page and f"/play/tables/{asked.public_id}/here/" not in page
    assert rematches.rematch(asked.rematch_of, alice).state == "running"


def test_a_rematch_begins_while_both_are_there(alice: Any, bob: Any, deck: TableDeck) -> None:
    asked = rematch_of(alice, bob, deck)
    goes(alice)
    assert signed_in(alice).post(f"/play/tables/{asked.public_id}/here/").json()["state"] == "waiting"
    again = rematches.rematch(asked.rematch_of, bob)
    assert (again.state, again.rated) == ("running", True)
