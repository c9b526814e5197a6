"""Games of playtests: the same for the same lists, and whatever the cards do, a result."""

from __future__ import annotations

from collections import Counter

import pytest

from matches.players.duel import starter_decks
from matches.playtests import games
from matches.playtests.games import PlayedList, Request, play, work
from tests.reading import own_cards, own_sets

CATALOG = own_cards()
DECKS = [PlayedList(deck.base, dict(Counter(deck.cards))) for deck in starter_decks()]


def test_a_game_is_the_same_each_time_and_each_number_is_another() -> None:
    found = [play(CATALOG, DECKS[0], DECKS[1], 1, number) for number in range(6)]
    assert found == [play(CATALOG, DECKS[0], DECKS[1], 1, number) for number in range(6)]
    assert len({(game.drawn, game.turns) for game in found}) > 1
    assert {game.outcome for game in found} <= {"won", "lost", "drawn"}
    assert [(game.opponent, game.number) for game in found] == [(1, number) for number in range(6)]


def test_what_was_paid_for_was_drawn_and_both_are_cards_of_the_deck() -> None:
    for number in range(8):
        game = play(CATALOG, DECKS[2], DECKS[3], 0, number)
        drawn, paid = int(game.drawn, 16), int(game.paid, 16)
        assert drawn.bit_count() > 5
        assert paid
        assert not paid & ~drawn
        assert drawn < 1 << len(DECKS[2].kinds)


def test_both_sides_begin_now_and_then() -> None:
    began = [play(CATALOG, DECKS[4], DECKS[4], 0, number).began for number in range(12)]
    assert 0 < sum(began) < 12


def test_a_game_that_breaks_or_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = play(CATALOG, PlayedList("BSG1-001x", {"BSG1-164": 60}), DECKS[0], 2, 5)
    assert (broken.opponent, broken.number, broken.outcome) == (2, 5, "stopped")
    monkeypatch.setattr(games, "MOST_CHOICES", 10)
    assert play(CATALOG, DECKS[0], DECKS[1], 0, 0).outcome == "stopped"


def test_a_child_plays_the_games_that_it_is_given_as_far_as_time_allows() -> None:
    request = Request(sets=own_sets(), deck=DECKS[0], opponents=DECKS[:2], games=[(1, 3), (0, 0)], seconds=60)
    assert list(work(request)) == [play(CATALOG, DECKS[0], DECKS[1], 1, 3), play(CATALOG, DECKS[0], DECKS[0], 0, 0)]
    hurried = Request(sets=request.sets, deck=DECKS[0], opponents=DECKS[:2], games=request.games, seconds=0)
    assert len(list(work(hurried))) == 1
