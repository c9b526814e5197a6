"""How often lists win, how sure that is, and what decks, pages and the search say of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from decks import results, services
from decks.lists.winning import ENOUGH, Record, interval, percent
from decks.models import Deck, ListRecord
from decks.searching import search

FURY, STIMS = "4 Fury", "4 Stims"


def make(owner: Any, name: str, text: str, visibility: str = "public") -> Deck:
    return services.create_from_text(owner, text, name=name, visibility=visibility)


def hash_of(deck: Deck) -> str:
    assert deck.head is not None
    return deck.head.content_hash


def play(deck: Deck, won: int, lost: int) -> None:
    for game in range(won + lost):
        results.count({hash_of(deck): game < won})
    deck.refresh_from_db()


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, 0), (1e-17, 0), (0.001, 1), (0.574, 57), (0.994, 99), (0.996, 99), (1 - 1e-16, 100), (1, 100)],
)
def test_only_none_are_0_percent_and_only_all_are_100(share: float, said: int) -> None:
    assert percent(share) == said


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (13, 21, 0.409, 0.792), (500, 1000, 0.469, 0.531)],
)
def test_the_interval_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    assert interval(won, games) == pytest.approx((low, high), abs=0.001)


def test_few_games_say_nothing_of_the_order() -> None:
    assert Record(ENOUGH - 1, ENOUGH - 1).standing == 0
    assert 0.7 < Record(ENOUGH, ENOUGH).standing < Record(100, 95).standing


def test_results_belong_to_the_list_and_all_decks_that_have_it(all_cards: None, alice: Any, bob: Any) -> None:
    first, equal = make(alice, "First", FURY), make(bob, "Equal", FURY, "private")
    play(first, 2, 1)
    equal.refresh_from_db()
    for deck in (first, equal):
        assert (deck.games, deck.winrate) == (3, 67)
    later = make(bob, "Later", FURY)
    assert (later.games, later.winrate) == (3, 67)


def test_a_new_version_begins_anew_and_an_old_list_has_what_it_had(all_cards: None, alice: Any) -> None:
    deck = make(alice, "Changing", FURY)
    play(deck, 1, 0)
    services.new_version(deck, STIMS)
    assert (deck.games, deck.winrate, deck.standing) == (0, None, 0)
    services.revert(deck, deck.versions.get(number=1))
    assert (deck.games, deck.winrate) == (1, 100)


def test_of_a_draw_neither_has_won(all_cards: None, alice: Any) -> None:
    deck = make(alice, "Drawn", FURY)
    results.count({hash_of(deck): False, "0" * 64: False})
    assert set(ListRecord.objects.values_list("games", "won")) == {(1, 0)}


def test_the_search_asks_for_games_and_winrate(all_cards: None, alice: Any) -> None:
    often, seldom = make(alice, "Often", FURY), make(alice, "Seldom", STIMS)
    play(often, 12, 8)
    play(seldom, 1, 0)

    def found(text: str) -> list[str]:
        return [deck.name for deck in search.find(search.read(text), Deck.objects.listed())]

    assert found("winrate>=55 games>=20") == ["Often"]
    assert set(found("winrate>=55")) == {"Often", "Seldom"}
    assert found("winrate:60") == ["Often"]
    assert found("games:1") == ["Seldom"]
    assert found("-has:winrate") == []
    make(alice, "Never", "4 Raptor 227")
    assert found("-has:winrate") == ["Never"]
    assert found("-winrate>=0") == ["Never"]


def test_lists_by_winning_go_by_what_is_sure(client: Client, all_cards: None, alice: Any) -> None:
    lucky, good, sure = make(alice, "Lucky", FURY), make(alice, "Good", STIMS), make(alice, "Sure", "4 Raptor 227")
    play(lucky, ENOUGH - 1, 0)
    play(good, 8, 4)
    play(sure, 26, 14)
    page = client.get("/decks/", {"q": "order:winning"}).content.decode()
    assert re.findall(r"<h3><a [^>]+>([^<]+)</a></h3>", page) == ["Sure", "Good", "Lucky"]
    assert "65 % won of 40" in page
    assert "100 % won" not in page
    assert f"fewer than {ENOUGH} games come last" in page
    assert ">Winning</a>" in page


def test_the_page_of_a_deck_says_how_many_games_it_speaks_of(client: Client, all_cards: None, alice: Any) -> None:
    deck = make(alice, "Told", FURY)
    assert 'id="results"' not in client.get(deck.get_absolute_url()).content.decode()
    play(deck, 13, 8)
    services.new_version(deck, STIMS)
    play(deck, 1, 0)
    page = re.sub(r"<[^>]+>", "", client.get(deck.get_absolute_url()).content.decode())
    assert "1 of 1 game won: 100 %." in page
    assert "62 % of 21 ·" in page
    older = re.sub(r"<[^>]+>", "", client.get(f"{deck.get_absolute_url()}v1/").content.decode())
    assert "13 of 21 games won: 62 %." in older
    assert "between 41 and 79 %" in older
    assert "100 % won of 1" in client.get("/cards/" + "".join(deck.head.counts) + "/").content.decode()  # type: ignore[union-attr]
    told = client.get("/api/v1/decks/").json()["results"][0]
    assert (told["games"], told["winrate"]) == (1, 100)
