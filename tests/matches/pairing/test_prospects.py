"""Those who wait are told why they are not paired with who waits beside them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from decks.social import opinions
from decks.table_decks import TableDeck
from matches.clocks.tempo import LIVE
from matches.lobby import services as lobby
from matches.models import Match
from matches.pairing import kept_apart, prospects, services
from matches.pairing.models import QueueEntry
from matches.playing import moves
from matches.protocol.messages import Concede
from matches.ratings.models import Rating

NOW = datetime(2026, 11, 24, 12, tzinfo=timezone.get_default_timezone())


def wait(user: Any, deck: TableDeck, queue: str = "casual") -> None:
    services.join(user, queue, deck, NOW)


def told(user: Any, seconds: float = 1) -> str:
    now = NOW + timedelta(seconds=seconds)
    QueueEntry.objects.exclude(until=None).update(until=now)
    return prospects.words(QueueEntry.objects.get(user=user), now)


def played(one: Any, other: Any, deck: TableDeck, **more: Any) -> Match:
    match = lobby.join(lobby.invite(one, deck, 2, **more), other, deck)
    moves.act(match.public_id, moves.Actor.person(one.pk), Concede(id="c"))
    return match


def test_alone_or_beside_somebody_who_will_do_there_is_nothing_to_explain(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    wait(alice, deck)
    assert told(alice) == "Nobody else waits yet whom you could meet."
    wait(bob, deck)
    assert told(alice) == told(bob) == "1 other waits too."


@pytest.mark.parametrize(
    ("queue", "again"),
    [
        ("ranked", "once both of you have played somebody else, or in 24 hours."),
        ("casual", "once both of you have played somebody else, or in 24 hours."),
        ("casual-correspondence", "in 24 hours."),
    ],
)
def test_who_have_just_played_are_told_when_they_can_meet_again(
    alice: Any, bob: Any, deck: TableDeck, queue: str, again: str
) -> None:
    played(alice, bob, deck, listed=True)
    for user in (alice, bob):
        wait(user, deck, queue)
    why = f"This one you have just played: you can be paired again {again}"
    assert told(alice, 60) == told(bob, 60) == f"1 other waits, but you are not paired yet. {why}"


def test_who_is_too_far_away_in_strength_is_told_for_how_long(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    Rating.objects.create(user=bob, pool="two-live", mu=60.0, sigma=4.0)
    for user in (alice, bob):
        wait(user, deck)
    assert told(alice, 5).endswith("This one is far from your strength: paired with you in 40 seconds.")
    assert told(alice, 46) == "1 other waits too.", "anybody will do by then"
    wait(charlie, deck)
    assert told(alice, 5) == "2 others wait too.", "one of them will do at once"


def test_who_have_played_as_often_as_counts_are_told(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_apart, "SAME_PEOPLE_A_DAY", 1)
    match = played(alice, bob, deck, rated=True, tempo=LIVE[0])
    Match.objects.filter(pk=match.pk).update(started=NOW)
    for user in (alice, bob):
        wait(user, deck, "ranked")
    assert told(alice).endswith("This one you have played as often within a day as counts: not again today.")


@pytest.mark.parametrize("who_blocks", [0, 1])
def test_nobody_learns_here_who_blocks_them(alice: Any, bob: Any, deck: TableDeck, who_blocks: int) -> None:
    one, other = ((alice, bob), (bob, alice))[who_blocks]
    opinions.block(one, other.display_name)
    for user in (alice, bob):
        wait(user, deck)
    assert told(alice) == told(bob) == "Nobody else waits yet whom you could meet."
