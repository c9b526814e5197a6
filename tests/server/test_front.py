"""The front page: what happens on the site, as far as whoever looks may know of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ccg.server import front
from decks import services as decks
from decks import table_decks
from decks.models import Deck
from decks.social import opinions
from decks.table_decks import TableDeck
from matches.lobby import live
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.playing import match_cache
from matches.ratings import services as ratings
from matches.ratings.models import RatedMatch, Rating
from matches.ratings.pools import USUAL
from matches.watching import onlookers
from tests.matches.ratings.test_services import bare
from tests.people import signed_in

MOST_QUERIES = 40


@pytest.fixture(autouse=True)
def _nothing_is_remembered(starters: None) -> Iterator[None]:
    match_cache.clear()
    front.forget()
    yield
    match_cache.clear()
    front.forget()


def person(name: str) -> Any:
    return get_user_model().objects.create_user(name, password=f"{name}-password-1")


def starter() -> TableDeck:
    return table_decks.take_to_table(None, Deck.objects.starters()[0].uid)


def begun(first: Any, second: Any, *, watchable: bool = True) -> Match:
    match = lobby.join(lobby.invite(first, starter(), 2, watchable=watchable), second, starter())
    MatchSeat.objects.filter(match=match).update(seen=timezone.now())
    return match


def opened(host: Any) -> Match:
    match = lobby.invite(host, starter(), 2, listed=True)
    MatchSeat.objects.filter(match=match, number=0).update(seen=timezone.now())
    return match


def public(owner: Any, name: str, visibility: str = "public") -> Deck:
    deck = decks.fork(owner, Deck.objects.starters()[0].head, name)
    decks.set_visibility(deck, visibility)
    return deck


def won(winner: Any, loser: Any) -> None:
    match = bare([winner, loser], [1, 2])
    match.tempo = "live 1200+15"
    ratings.write_down(match, [1, 2])
    assert RatedMatch.objects.get(match=match).pool == USUAL.code, "that which the front page shows"


def part(heading: str, browser: Client | None = None) -> str:
    """Return the words of the part of the front page that has this heading, with the addresses of its links."""
    front.forget()
    page = (browser or Client()).get("/").content.decode()
    found = next(one for one in page.split("<section") if f" {heading}</h2>" in one)
    linked = re.sub(r'<a [^>]*href="([^"]*)"[^>]*>', r" [\1] ", found.partition("</section>")[0])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", linked))


def test_a_site_on_which_nothing_happens_yet_says_what_to_do() -> None:
    assert "Nobody plays a match to watch" in part("Live tables")
    assert "No open table waits for a player [/play/others/] Find an opponent" in part("Live tables")
    assert "[/decks/new/] New deck" in part("New decks")
    assert "[/play/others/] Find an opponent" in part("Ladder")
    assert "[/learn/] New here? Learn in 4 lessons" in part("Ladder")


def test_inviting_a_friend_leads_to_where_the_link_is_made() -> None:
    page = Client().get("/").content.decode()
    (address,) = re.findall(r'href="([^"]*)">Invite a friend', page)
    path, _, place = address.partition("#")
    assert re.search(f'id="{place}">\\s*<h2>With friends', Client().get(path).content.decode())


def test_matches_to_watch_are_told_with_players_turn_influence_and_who_looks_on() -> None:
    people = [person(name) for name in ("alice", "bob", "charlie")]
    matches = [begun(people[n % 3], people[(n + 1) % 3]) for n in range(4)]
    onlookers.record({matches[-1].public_id: 2})
    shown = part("Live tables")
    assert "Watch: 3 of 4" in shown
    assert f"[{matches[-1].get_absolute_url()}]" in shown and "2 look on" in shown
    assert matches[0].get_absolute_url() not in shown, "the three at which somebody was seen last"
    base = str(matches[-1].seats.get(number=0).base)
    table = live.tables(1)[0]
    assert [player.base for player in table.players] == [base, base]
    assert str(table.players[0].influence) in shown and "Setup" in shown


def test_a_match_that_is_not_to_be_watched_is_not_even_counted() -> None:
    alice, bob = person("alice"), person("bob")
    hidden, shown = begun(alice, bob, watchable=False), begun(alice, bob)
    for browser in (Client(), signed_in(alice)):
        told = part("Live tables", browser)
        assert hidden.public_id not in told and shown.public_id in told and "1 of 1" in told


def test_who_looks_on_later_is_told_of_the_turn_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(person("alice"), person("bob"))
    seen = []
    read = live.table_view.read
    monkeypatch.setattr(live.table_view, "read", lambda *asked: seen.append(asked[:2]) or read(*asked))
    part("Live tables", signed_in(get_user_model().objects.get(username="alice")))
    assert seen == [(match.public_id, None)], "as somebody without a seat, whoever looks"


def test_open_tables_are_those_at_which_one_may_sit_down() -> None:
    alice, bob = person("alice"), person("bob")
    table = opened(alice)
    assert f"1 open table waits for a player [/play/tables/{table.public_id}/] Sit down" in part("Live tables")
    opened(person("charlie"))
    assert "2 open tables wait for a player [/play/tables/] Sit down" in part("Live tables", signed_in(bob))
    assert "1 open table waits" in part("Live tables", signed_in(alice)), "not one's own"
    opinions.block(alice, "bob")
    assert "1 open table waits" in part("Live tables", signed_in(bob)), "nor one of somebody who blocks us"
    MatchSeat.objects.filter(match=table).update(seen=timezone.now() - timedelta(hours=1))
    assert "1 open table waits" in part("Live tables"), "nor one whose host has gone"


def test_new_decks_are_public_ones_that_can_be_played_with_cards_and_likes() -> None:
    alice, bob = person("alice"), person("bob")
    for number in range(4):
        public(alice, f"Public {number}")
    deck = Deck.objects.get(name="Public 3")
    opinions.like(bob, deck)
    public(alice, "Linked", "unlisted")
    decks.fork(alice, Deck.objects.starters()[0].head, "Private")
    illegal = public(alice, "Illegal")
    illegal.versions.update(legal=False)
    for browser in (Client(), signed_in(alice), signed_in(bob)):
        shown = part("New decks", browser)
        assert re.findall(r"Public \d|Linked|Private|Illegal", shown) == ["Public 3", "Public 2", "Public 1"]
        assert f"[{deck.get_absolute_url()}]" in shown and "by alice" in shown and "1 likes it" in shown
    page = Client().get("/").content.decode()
    cards = re.findall(r'home-deck-cards">(.*?)</span>', page, re.DOTALL)
    assert [len(set(re.findall(r'card="([^"]+)"', row))) for row in cards] == [3, 3, 3]


def test_the_ladder_has_six_places_with_the_last_change_and_marks_ones_own() -> None:
    people = [person(f"player{number}") for number in range(8)]
    for number in range(7):
        won(people[number], people[number + 1])
    browser = signed_in(people[0])
    shown = part("Ladder", browser)
    assert len(re.findall(r"\[/players/", shown)) == 6
    assert "player0 you" in shown and shown.count(" you ") == 1
    last = Rating.objects.get(user=people[0]).changes.get()
    assert f"+{last.points} {last.after.points}" in shown
    assert " you " not in part("Ladder")
    people[0].is_active = False
    people[0].save()
    assert "player0" not in part("Ladder"), "who is locked out is on no ladder"


def test_the_page_asks_the_database_as_often_whatever_happens_on_the_site() -> None:
    people = [person(f"player{number}") for number in range(10)]

    def asked() -> int:
        match_cache.clear()
        front.forget()
        with CaptureQueriesContext(connection) as queries:
            Client().get("/")
        return len(queries)

    def happen() -> None:
        for number in range(0, 10, 2):
            begun(people[number], people[number + 1])
            opened(people[number])
            public(people[number], f"Deck {number}")
            won(people[number], people[number + 1])

    happen()
    few = asked()
    happen()
    assert asked() == few <= MOST_QUERIES


def test_what_is_the_same_for_everybody_is_looked_up_once_in_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    tables = live.tables
    monkeypatch.setattr(live, "tables", lambda most: asked.append(most) or tables(most))
    clock = [100.0]
    monkeypatch.setattr(front.time, "monotonic", lambda: clock[0])
    alice, bob = person("alice"), person("bob")
    match = begun(alice, bob)
    for browser in (Client(), signed_in(alice), Client()):
        assert match.public_id in browser.get("/").content.decode()
    assert asked == [front.LIVE_SHOWN]
    deck = public(alice, "Soon hidden")
    assert "Soon hidden" in Client().get("/").content.decode()
    decks.set_visibility(deck, "private")
    assert "Soon hidden" not in Client().get("/").content.decode(), "what its owner hides is hidden at once"
    clock[0] += front.KEPT_FOR
    Client().get("/")
    assert len(asked) == 2
