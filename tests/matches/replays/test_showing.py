"""How much of a finished match is told to whom."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Match
from matches.replays import showing
from tests.matches.replays.conftest import Finished, access, keep_private, replayed


def words(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def test_a_match_that_runs_has_no_replay_for_anybody(match: Match, alice: Any) -> None:
    assert showing.access(match.public_id, alice.pk) is None
    assert showing.access(match.public_id, None) is None
    assert showing.access("2" * 16, alice.pk) is None


def test_it_opens_with_what_one_knew(finished: Finished, alice: Any, charlie: Any) -> None:
    own, public = replayed(finished, alice), replayed(finished, charlie)
    assert (own.sees, own.seat, public.sees, public.seat) == ("seat", 0, "public", None)
    for place in (0, 20, len(finished.shown) - 1):
        assert showing.view_at(own, place) == finished.shown[place][0]
        assert showing.view_at(public, place) == finished.shown[place][None]


def test_what_others_could_choose_is_told_only_where_all_is_shown(finished: Finished, bob: Any) -> None:
    own, everything = replayed(finished, bob), replayed(finished, bob, "all")
    assert {move.by for move in own.moves if move.option} == {1}
    assert {move.by for move in everything.moves if move.option} == {0, 1}
    assert not any(move.option or move.does or move.asked for move in replayed(finished).moves)


def test_pools_and_decks_are_told_only_where_all_is_shown(finished: Finished, bob: Any) -> None:
    for told in (replayed(finished), replayed(finished, bob)):
        assert not any(move.chances for move in told.moves)
        assert {player.cards for player in told.players} == {None}
    assert any(move.chances for move in replayed(finished, bob, "all").moves)


def test_events_are_told_as_their_viewer_knows_them(finished: Finished, alice: Any) -> None:
    def drawn(told: showing.Replay, seat: int) -> set[bool]:
        return {
            one.card is not None for m in told.moves for one in m.events if (one.kind, one.player) == ("draw", seat)
        }

    own = replayed(finished, alice)
    assert drawn(own, 0) == {True} and drawn(own, 1) == {False}
    assert drawn(replayed(finished), 0) == {False}
    everything = replayed(finished, alice, "all")
    assert drawn(everything, 0) == drawn(everything, 1) == {True}


def test_all_shows_every_hand_and_nobody_sits_there(finished: Finished) -> None:
    view = showing.view_at(replayed(finished, None, "all"), 5)
    assert view["viewer"] is None
    for seat in (0, 1):
        assert view["players"][seat] == finished.shown[5][seat]["players"][seat]


def test_both_hands_are_for_everybody_unless_a_deck_was_private(finished: Finished, alice: Any, charlie: Any) -> None:
    assert access(finished).sees_all and access(finished, charlie).sees_all
    keep_private(finished, 1)
    assert access(finished, alice).sees_all
    assert not access(finished, charlie).sees_all and not access(finished).sees_all
    with pytest.raises(PermissionError):
        replayed(finished, charlie, "all")
    with pytest.raises(PermissionError):
        replayed(finished, charlie, "seat")


def test_a_match_that_nobody_may_watch_is_replayed_by_its_players_only(
    finished: Finished, alice: Any, charlie: Any
) -> None:
    Match.objects.update(watchable=False)
    assert showing.access(finished.id, charlie.pk) is None
    assert access(finished, alice).seat == 0


def test_turns_begin_where_everybody_saw_them_begin(finished: Finished) -> None:
    told = replayed(finished)
    assert [turn.turn for turn in told.turns] == list(range(1, len(told.turns) + 1))
    for turn in told.turns:
        before, after = (finished.shown[place][None]["turn"] for place in (turn.move - 1, turn.move))
        assert (before, after) == (turn.turn - 1, turn.turn)


def test_who_has_deleted_their_account_has_no_name_in_it(finished: Finished, alice: Any, bob: Any) -> None:
    assert "alice" in words(replayed(finished, bob, "all"))
    alice.delete()
    for sees in ("public", "all"):
        told = words(replayed(finished, bob, sees))
        assert "alice" not in told and "Former player" in told and "bob" in told


def test_whether_a_deck_is_private_is_noted_as_it_is_taken_to_the_table(alice: Any, deck: TableDeck) -> None:
    assert deck.private is False
    assert TableDeck(base=deck.base, cards=deck.cards, label="A draft", version="").private
    match = lobby.play_computer(alice, structs.replace(deck, private=True), [deck])
    assert [seat.deck_private for seat in match.seats.order_by("number")] == [True, False]
