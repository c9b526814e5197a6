"""Playtests as background work: asked for, shared, stopped, and played once whatever happens to who plays them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from cards_data import isolated
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from decks import links
from decks import services as decks
from decks.models import Deck
from matches.models import Match, MatchSeat
from matches.playtests import models, services
from matches.playtests.games import PlayedList, work
from matches.playtests.models import AskedFor, Playtest
from matches.playtests.services import PlaytestError

State = Playtest.State


@pytest.fixture(autouse=True)
def _few_games(cards: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games against each starter deck, in slices of five, here instead of in a child process."""
    settings.PLAYTEST_GAMES = 2
    monkeypatch.setattr(services, "SLICE_GAMES", 5)
    monkeypatch.setattr(services, "_child", lambda request: isolated.Done(list(work(request))))
    drain()  # what loading the cards has asked for


def starter(number: int = 0) -> PlayedList:
    head = Deck.objects.starters()[number].head
    assert head is not None
    return PlayedList(head.base, dict(head.counts))


def changed(number: int = 0, copies: int = 1) -> PlayedList:
    """A starter deck with other numbers of copies of its first cards."""
    deck = starter(number)
    return PlayedList(deck.base, {**deck.counts, deck.kinds[0]: copies})


def test_what_is_asked_for_is_played_in_slices_and_kept(alice: Any) -> None:
    playtest = services.ask(alice, starter(), "Mine", "/decks/x/")
    assert playtest.state == State.PLAYING
    assert drain(limit=1) == 1
    playtest.refresh_from_db()
    assert (playtest.played, playtest.of, playtest.percent) == (5, 12, 41)
    drain()
    playtest.refresh_from_db()
    assert (playtest.state, playtest.played, playtest.slices) == (State.DONE, 12, 4)
    assert sorted((game.opponent, game.number) for game in playtest.results) == [
        (opponent, number) for opponent in range(6) for number in range(2)
    ]
    assert {game.outcome for game in playtest.results} <= {"won", "lost", "drawn"}
    asked = models.of(alice, playtest.uid)
    assert (asked.label, asked.address) == ("Mine", "/decks/x/")


def test_the_same_list_is_played_once_for_all_who_ask(alice: Any, bob: Any) -> None:
    first = services.ask(alice, starter(), "Mine")
    drain()
    again, hers = services.ask(alice, starter(), "Renamed"), services.ask(bob, starter(), "Bob's")
    assert first.pk == again.pk == hers.pk
    assert hers.state == State.DONE
    assert [one.label for one in AskedFor.objects.order_by("pk")] == ["Renamed", "Bob's"]
    assert Job.objects.filter(task=services.TASK).count() == 3
    assert services.ask(alice, changed(), "Another").pk != first.pk


def test_a_slice_done_twice_counts_once(alice: Any) -> None:
    playtest = services.ask(alice, starter(), "Mine")
    payload = Job.objects.get(task=services.TASK).payload
    services.handle(payload)
    services.handle(payload)
    playtest.refresh_from_db()
    assert playtest.played == 5


def test_one_is_played_at_a_time_in_the_order_of_asking(alice: Any, bob: Any) -> None:
    first, second = services.ask(alice, starter(), "A"), services.ask(bob, changed(), "B")
    third = services.ask(alice, changed(1), "C")
    assert [one.state for one in (first, second, third)] == [State.PLAYING, State.WAITING, State.WAITING]
    assert [services.before(one) for one in (second, third)] == [1, 2]
    while not Playtest.objects.filter(pk=first.pk, state=State.DONE).exists():
        assert drain(limit=1)
    assert Playtest.objects.get(pk=second.pk).state == State.PLAYING
    drain()
    assert set(Playtest.objects.values_list("state", flat=True)) == {State.DONE}
    ended = Playtest.objects.order_by("finished").values_list("pk", flat=True)
    assert list(ended) == [first.pk, second.pk, third.pk]


def test_stopped_it_keeps_its_games_and_goes_on_from_there(alice: Any, bob: Any) -> None:
    playtest, waiting = services.ask(alice, starter(), "A"), services.ask(bob, changed(), "B")
    late = Job.objects.get(task=services.TASK).payload
    drain(limit=1)
    with pytest.raises(PlaytestError, match="Somebody else"):
        services.stop(bob, playtest)
    services.stop(alice, playtest)
    assert Playtest.objects.get(pk=waiting.pk).state == State.PLAYING, "the next one begins"
    with pytest.raises(PlaytestError, match="nothing to stop"):
        services.stop(alice, playtest)
    drain()
    services.handle(late)
    playtest.refresh_from_db()
    assert (playtest.state, playtest.played) == (State.STOPPED, 5)
    assert services.ask(bob, starter(), "Bob's").state == State.PLAYING
    drain()
    playtest.refresh_from_db()
    assert (playtest.state, playtest.played) == (State.DONE, 12)


def test_who_asks_for_much_is_told_to_wait(alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [changed(0, copies) for copies in (1, 2, 3)]
    for number in range(2):
        services.ask(alice, lists[number], "x")
    with pytest.raises(PlaytestError, match="2 of your decks"):
        services.ask(alice, lists[2], "x")
    assert services.ask(alice, lists[0], "again").state == State.PLAYING, "what is being played already costs nothing"
    drain()
    settings.PLAYTESTS_A_DAY = 2
    with pytest.raises(PlaytestError, match="since yesterday"):
        services.ask(alice, lists[2], "x")
    settings.PLAYTESTS_A_DAY = 3
    monkeypatch.setattr(services, "MOST_WAITING", 0)
    with pytest.raises(PlaytestError, match="waiting to be tested"):
        services.ask(alice, lists[2], "x")
    assert Playtest.objects.filter(state=State.STOPPED).count() == 0, "what is refused leaves nothing behind"


def test_guests_together_leave_room_for_accounts(alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_OF_GUESTS", 3)
    guests = [get_user_model().objects.create_guest() for _ in range(4)]
    services.ask(alice, changed(1, 1), "x")
    services.ask(alice, changed(1, 2), "x")
    for copies in (1, 2):
        services.ask(guests[0], changed(0, copies), "x")
    services.ask(guests[1], changed(0, 3), "x")
    for guest in guests[2:]:
        with pytest.raises(PlaytestError, match="3 decks of guests"):
            services.ask(guest, changed(0, 4), "x")
    assert services.ask(guests[2], changed(0, 1), "x").state == State.WAITING, "what waits already costs nothing"
    guests[0].delete()
    with pytest.raises(PlaytestError, match="3 decks of guests"):
        services.ask(guests[2], changed(0, 4), "x")
    assert services.ask(bob, changed(0, 4), "x").state == State.WAITING
    drain()
    assert services.ask(guests[2], changed(1, 3), "x").state == State.PLAYING


def test_half_of_the_room_at_most_is_for_guests() -> None:
    assert 2 * services.MOST_OF_GUESTS <= services.MOST_WAITING


def test_stopping_before_the_first_game_does_not_make_room(alice: Any, settings: Any) -> None:
    settings.PLAYTESTS_A_DAY = 2
    for copies in (1, 2):
        services.stop(alice, services.ask(alice, changed(0, copies), "x"))
    with pytest.raises(PlaytestError, match="since yesterday"):
        services.ask(alice, changed(0, 3), "x")
    assert Playtest.objects.count() == 2


def test_the_link_of_an_unlisted_deck_is_not_stored(as_bob: Client, alice: Any) -> None:
    deck = Deck.objects.starters()[0]
    copy = decks.create(alice, decks.as_list(deck, deck.head), visibility="unlisted")
    link = links.address_of(copy)
    assert as_bob.get(as_bob.post(f"{link}test/")["Location"]).status_code == 200
    assert AskedFor.objects.get().address == ""


def test_what_is_no_id_never_reaches_the_database(alice: Any, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        for uid in ("\x00" * 22, "x", "é" * 22):
            with pytest.raises(AskedFor.DoesNotExist):
                models.of(alice, uid)


def test_a_worker_that_is_gone_keeps_nobody_waiting_for_ever(alice: Any, bob: Any) -> None:
    lost = services.ask(alice, starter(), "A")
    Playtest.objects.filter(pk=lost.pk).update(news=timezone.now() - services.STALE - timedelta(seconds=1))
    Job.objects.all().delete()
    assert services.ask(bob, changed(), "B").state == State.PLAYING


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        (PlayedList("", {"BSG1-164": 60}), "base first"),
        (PlayedList("BSG1-007", {"BSG1-164": 4}), "between 20 and 250 cards; this list has 4"),
        (PlayedList("BSG1-007", {"BSG1-164": 99, "BSG1-165": 99, "BSG1-166": 99}), "this list has 297"),
        (PlayedList("BSG1-007", {"BSG1-164": 40, "NONE-1": 1}), "1 of these cards are not"),
        (PlayedList("BSG1-164", {"BSG1-164": 40}), "one base"),
        (PlayedList("BSG1-007", {"BSG1-164": 40, "BSG1-006": 1}), "one base"),
    ],
)
def test_lists_with_which_no_game_begins_are_refused(alice: Any, deck: PlayedList, words: str) -> None:
    with pytest.raises(PlaytestError, match=words):
        services.ask(alice, deck, "x")
    assert not Playtest.objects.exists()


def test_a_child_that_plays_nothing_does_not_stop_the_rest(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    playtest = services.ask(alice, starter(), "A")
    monkeypatch.setattr(services, "_child", lambda request: isolated.Done([], "it brought the program down"))
    drain(limit=1)
    playtest.refresh_from_db()
    assert [game.outcome for game in playtest.results] == ["stopped"]


def test_the_games_are_played_by_child_processes(alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(services, "GRACE_SECONDS", 600)  # children stand back for all else that a busy machine does
    settings.PLAYTEST_GAMES = 1
    playtest = services.ask(alice, starter(), "A")
    drain()
    playtest.refresh_from_db()
    assert (playtest.state, playtest.played) == (State.DONE, 6)
    assert {game.outcome for game in playtest.results} <= {"won", "lost", "drawn"}


# --- the pages ----------------------------------------------------------------------------------------


def test_a_deck_is_tested_from_its_page_and_nobody_else_sees_it(as_alice: Client, as_bob: Client, alice: Any) -> None:
    deck = Deck.objects.starters()[0]
    answer = as_alice.post(f"/decks/{deck.uid}/test/")
    page = answer["Location"]
    assert page.startswith("/playtests/")
    shown = as_alice.get(page).content.decode()
    assert "0 of 12 games played" in shown
    assert 'data-refresh="2"' in shown
    drain()
    shown = as_alice.get(page).content.decode()
    assert "data-refresh" not in shown
    assert "12 games" in shown
    assert f"{deck.name}, version 1" in as_alice.get("/playtests/").content.decode()
    for client in (as_bob, Client()):
        assert client.get(page).status_code == 404
        assert client.post(f"{page}stop/").status_code == 404
        assert client.post(f"{page}go-on/").status_code == 404
    assert as_alice.get(f"{page}stop/").status_code == 405
    assert as_alice.post("/decks/BBBBBBBBBBBBBBBBBBBBBB/test/").status_code == 404


def test_stopping_and_going_on(as_alice: Client) -> None:
    deck = Deck.objects.starters()[0]
    page = as_alice.post(f"/decks/{deck.uid}/test/")["Location"]
    drain(limit=1)
    as_alice.post(f"{page}stop/")
    assert "Stopped after 5 of 12 games" in as_alice.get(page).content.decode()
    assert as_alice.post(f"{page}go-on/")["Location"] == page
    drain()
    assert "Stopped" not in as_alice.get(page).content.decode()


def test_two_lists_are_compared_game_by_game(as_alice: Client, alice: Any) -> None:
    one, other = services.ask(alice, starter(), "Before"), services.ask(alice, changed(), "After")
    drain()
    shown = as_alice.get(f"/playtests/{other.uid}/?with={one.uid}").content.decode()
    assert "in 12 games with the same luck" in shown
    assert "Before" in shown
    assert "same luck" not in as_alice.get(f"/playtests/{other.uid}/?with={other.uid}").content.decode()
    assert as_alice.get(f"/playtests/{other.uid}/?with=\x00é").status_code == 200


def test_a_visitor_becomes_a_guest(cards: None) -> None:
    client = Client()
    page = client.post(f"/decks/{Deck.objects.starters()[0].uid}/test/")["Location"]
    assert client.get(page).status_code == 200


def test_a_visitor_who_is_refused_is_made_no_guest(cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    page = f"/decks/{Deck.objects.starters()[0].uid}/"
    with monkeypatch.context() as crowded:
        crowded.setattr(services, "MOST_OF_GUESTS", 0)
        refused = Client().post(f"{page}test/", follow=True)
        assert refused.redirect_chain == [(page, 302)] and "of guests are waiting" in refused.content.decode()
    with monkeypatch.context() as small:
        small.setattr(services, "FEWEST_CARDS", 200)
        assert "Games need between 200" in Client().post(f"{page}test/", follow=True).content.decode()
    assert not get_user_model().objects.filter(is_guest=True).exists()


DRAFT = "/decks/drafts/AAAAAAAAAAAAAAAAAAAAAA/"


def keep_draft(client: Client, deck: PlayedList, **more: Any) -> None:
    content = {"base": deck.base, "counts": deck.counts, **more}
    sent = {"sender": "some-page", "revision": 0, "content": content, "known": {}}
    assert client.put(DRAFT, sent, content_type="application/json").status_code == 200


def test_a_draft_is_tried_and_tested_whether_or_not_it_is_legal(as_alice: Client, as_bob: Client) -> None:
    keep_draft(as_alice, changed(0, 9), name="Too many of one")
    told = as_alice.post(f"{DRAFT}test/", {}, content_type="application/json")
    assert as_alice.get(told.json()["url"]).status_code == 200
    assert AskedFor.objects.get().label == "Too many of one (draft)"
    told = as_alice.post(f"{DRAFT}try/", {}, content_type="application/json")
    assert told.json()["url"].startswith("/table/")
    seats = Match.objects.get().seats.order_by("number")
    assert [seat.kind for seat in seats] == ["person", "computer"]
    assert seats[0].deck_label == "Too many of one (draft)"
    assert seats[0].cards.count(changed().kinds[0]) == 9
    assert seats[1].level == "normal"
    told = as_alice.post(f"{DRAFT}try/", {"level": "easy"}, content_type="application/json")
    assert MatchSeat.objects.get(match__public_id=told.json()["url"].split("/")[2], kind="computer").level == "easy"
    for level in ("hard", 3, None, []):
        told = as_alice.post(f"{DRAFT}try/", {"level": level}, content_type="application/json")
        assert (told.status_code, told.json()["code"]) == (400, "not_played")
    for path in ("test/", "try/"):
        assert as_bob.post(DRAFT + path, {}, content_type="application/json").status_code == 404
        assert Client().post(DRAFT + path, {}, content_type="application/json").status_code == 403
        assert as_alice.get(DRAFT + path).status_code == 405


def test_a_draft_that_cannot_be_played_says_why(as_alice: Client) -> None:
    keep_draft(as_alice, PlayedList("", {"BSG1-164": 60}))
    for path in ("test/", "try/"):
        told = as_alice.post(DRAFT + path, {}, content_type="application/json")
        assert told.status_code == 400
        assert "Choose a base first" in told.json()["detail"]
    assert not Match.objects.exists()


def test_who_leaves_takes_what_they_asked_for_along(alice: Any) -> None:
    playtest = services.ask(alice, starter(), "A")
    alice.delete()
    playtest.refresh_from_db()
    assert playtest.began_by is None
    assert not AskedFor.objects.exists()
