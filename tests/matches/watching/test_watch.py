"""The list of matches to look on at, and how many do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match, MatchSeat
from matches.playing import moves
from matches.protocol.messages import Concede
from matches.sockets.heartbeat import beats_of
from matches.watching import onlookers
from matches.watching.models import Onlookers
from tests.matches.watching.conftest import play, sensible


@pytest.fixture
def match(begun: Callable[[int], Match]) -> Match:
    """A match at which somebody is."""
    made = begun(0)
    MatchSeat.objects.filter(match=made).update(seen=timezone.now())
    return made


def listed() -> str:
    return Client().get("/watch/").content.decode()


def test_it_lists_who_plays_which_turn_and_the_influence(match: Match) -> None:
    choose = sensible()
    for _ in range(20):
        game = play(match, choose)
        assert game is not None
    page = listed()
    assert "alice vs bob" in page and match.get_absolute_url() in page
    assert f"Turn {game.engine.state.turn} · influence" in page
    assert " : ".join(str(player.influence) for player in game.view(None).players) in page


def test_the_list_is_asked_for_again_while_one_looks(cards: None) -> None:
    assert '<div id="live-matches" data-refresh=' in listed() and 'http-equiv="refresh"' in listed()


def test_it_lists_nothing_that_is_over_forgotten_or_not_to_be_watched(match: Match, alice: Any) -> None:
    Match.objects.update(watchable=False)
    assert "Nobody plays" in listed()
    Match.objects.update(watchable=True)
    MatchSeat.objects.update(seen=timezone.now() - timedelta(days=8))
    assert "Nobody plays" in listed()
    MatchSeat.objects.update(seen=timezone.now())
    assert match.public_id in listed()
    moves.act(match.public_id, moves.Actor.person(alice.pk), Concede(id="enough"))
    assert "Nobody plays" in listed()


def looking_on(match: Match, watching: dict[str, int]) -> int:
    """Note what this process counts, and return how many look on at the match by its next beat."""
    onlookers.record(watching)
    return beats_of([match.public_id], [])[match.public_id].onlookers


def test_those_who_look_on_are_counted_over_all_processes(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    assert looking_on(match, {match.public_id: 2}) == 2
    monkeypatch.setattr(onlookers, "PROCESS", "another")
    assert looking_on(match, {match.public_id: 1}) == 3
    assert "3 look on" in listed()
    assert looking_on(match, {}) == 2


def test_the_count_of_a_process_that_died_grows_old(match: Match) -> None:
    assert looking_on(match, {match.public_id: 2}) == 2
    Onlookers.objects.update(seen=timezone.now() - onlookers.HOLDS_FOR)
    assert beats_of([match.public_id], [])[match.public_id].onlookers == 0
