"""Decks are judged once more as a match begins: who waits may do so for days, and cards are banned meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from decks.models import Deck, FormatEdition
from decks.table_decks import TableDeck, take_to_table
from matches.lobby import rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.pairing import services as pairing
from matches.pairing.models import QueueEntry
from matches.playing import moves
from matches.protocol.messages import Concede
from tests.matches.pairing.test_services import later


@pytest.fixture
def banned(deck: TableDeck) -> TableDeck:
    """A deck with a card that the other has not, and that :func:`ban` bans."""
    others = [take_to_table(None, one.uid) for one in Deck.objects.starters()]
    return next(one for one in others if set(one.cards) - set(deck.cards))


def ban(banned: TableDeck, deck: TableDeck) -> None:
    edition = FormatEdition.objects.get(format=banned.format)
    edition.banned = [min(set(banned.cards) - set(deck.cards))]
    edition.save()


def test_who_waits_with_a_deck_that_is_banned_meanwhile_waits_no_more(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, banned: TableDeck
) -> None:
    pairing.join(alice, "ranked", banned, later(0))
    pairing.join(bob, "ranked", deck, later(0))
    ban(banned, deck)
    assert pairing.here(bob, now=later(1)).state == "waiting"
    assert list(QueueEntry.objects.filter(sent_away="").values_list("user", flat=True)) == [bob.pk]
    (told,) = pairing.sent_away(alice)
    assert "The deck of alice is not legal any more" in told.sent_away and pairing.sent_away(bob) == []
    assert not Match.objects.exists()
    pairing.join(charlie, "ranked", deck, later(2))
    assert pairing.here(bob, now=later(3)).state == "paired"


def test_a_table_whose_host_has_a_deck_that_is_banned_meanwhile_is_closed(
    alice: Any, bob: Any, deck: TableDeck, banned: TableDeck
) -> None:
    table = lobby.invite(alice, banned, 2)
    ban(banned, deck)
    with pytest.raises(LobbyError, match="of alice is not legal any more") as refused:
        lobby.join(table, bob, deck)
    assert banned.label not in refused.value.message, "it may be private, and bob reads this"
    table.refresh_from_db()
    assert (refused.value.code, table.state) == ("not_legal", Match.State.ABANDONED)


def test_no_rematch_begins_with_a_deck_that_is_banned_meanwhile(
    alice: Any, bob: Any, deck: TableDeck, banned: TableDeck
) -> None:
    match = lobby.join(lobby.invite(alice, banned, 2), bob, deck)
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="c"))
    offer = rematches.rematch(match, bob)
    ban(banned, deck)
    with pytest.raises(LobbyError, match="of alice is not legal any more"):
        rematches.rematch(match, alice)
    offer.refresh_from_db()
    assert offer.state == Match.State.ABANDONED, "bob waits for nothing no more"


def test_a_list_that_nobody_has_judged_is_not_judged_later(alice: Any, deck: TableDeck, banned: TableDeck) -> None:
    draft = TableDeck(base=deck.base, cards=deck.cards[:40], label="A draft", version="")
    assert lobby.play_computer(alice, draft, [deck]).state == Match.State.RUNNING
