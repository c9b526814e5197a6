"""The pages of the queues and of the open tables: what people see and what their browsers send."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from decks.models import Deck
from decks.social import opinions
from decks.table_decks import TableDeck
from matches.clocks import vacations
from matches.clocks.tempo import CORRESPONDENCE
from matches.lobby import attendance
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat
from matches.pairing import pages, tables
from matches.pairing.models import QueueEntry, Round
from tests.people import signed_in

QUEUE, TABLES = "/play/others/", "/play/tables/"


def joined(browser: Client, queue: str = "ranked", **more: str) -> Any:
    return browser.post(f"{QUEUE}join/", {"queue": queue, "deck": Deck.objects.starters()[0].uid, **more})


def asked(browser: Client) -> dict[str, Any]:
    Round.objects.update(last=timezone.now() - timezone.timedelta(seconds=5))
    answer: dict[str, Any] = browser.post(f"{QUEUE}here/").json()
    return answer


def test_two_browsers_wait_and_come_to_one_table(alice: Any, bob: Any) -> None:
    first, second = signed_in(alice), signed_in(bob)
    assert joined(first)["Location"] == QUEUE
    page = first.get(QUEUE).content.decode()
    assert "Waiting for an opponent" in page and 'data-here="/play/others/here/"' in page
    alone = asked(first)
    assert (alone["state"], alone["table"]) == ("waiting", None) and "Nobody else waits" in alone["words"]
    joined(second)
    found = asked(second)
    assert found["state"] == "paired" and found["table"].startswith("/table/")
    assert asked(first)["table"] == first.get(QUEUE)["Location"] == found["table"]
    assert first.post(f"{QUEUE}leave/")["Location"] == found["table"], "too late to leave"
    again = joined(first)
    assert again.status_code == 400 and "still runs" in again.content.decode()


def test_whoever_has_been_at_their_live_table_may_wait_by_correspondence_meanwhile(alice: Any, bob: Any) -> None:
    first, second = signed_in(alice), signed_in(bob)
    joined(first)
    joined(second)
    table = asked(second)["table"]
    assert first.get(QUEUE)["Location"] == table
    MatchSeat.objects.filter(user=alice).update(seen=timezone.now())
    assert "By correspondence" in first.get(QUEUE).content.decode()
    assert second.get(QUEUE)["Location"] == table, "who has not been there yet"


def test_a_visitor_is_made_a_guest_for_fun_and_told_of_accounts_for_more(cards: None) -> None:
    visitor = Client()
    refused = joined(visitor)
    assert refused.status_code == 400 and "need an account" in refused.content.decode()
    assert "/accounts/signup/" in refused.content.decode() and not QueueEntry.objects.exists()
    assert not get_user_model().objects.exists(), "who would be refused is not made a guest first"
    assert joined(visitor, "casual")["Location"] == QUEUE
    assert visitor.post(f"{QUEUE}leave/")["Location"] == QUEUE and not QueueEntry.objects.exists()


def test_nobody_waits_with_what_is_no_queue_or_no_legal_deck(alice: Any) -> None:
    browser = signed_in(alice)
    for sent in ({"queue": "nonsense"}, {"queue": "ranked", "deck": "no-such-deck"}, {"deck": "\x00"}):
        assert joined(browser, **{"queue": "", **sent}).status_code == 400
    assert not QueueEntry.objects.exists()


def test_asking_without_waiting_answers_that(alice: Any) -> None:
    for browser in (Client(), signed_in(alice)):
        assert browser.post(f"{QUEUE}here/").json()["state"] == "none"
        assert browser.get(f"{QUEUE}here/").status_code == 405


def test_an_open_table_is_found_joined_and_begins_when_it_is_full(alice: Any, bob: Any, charlie: Any) -> None:
    host = signed_in(alice)
    table = host.post(TABLES, {"players": "3", "rated": "on", "tempo": "live 1200+15"})["Location"]
    match = Match.objects.get()
    assert table == match.get_absolute_url() and f'data-here="/play/tables/{match.public_id}/here/"' in (
        host.get(table).content.decode()
    )
    listed = Client().get(TABLES).content.decode()
    assert "20 minutes + 15 seconds · waits for 2 more" in listed and "rated" in listed
    for user in (bob, charlie):
        browser = signed_in(user)
        assert "Sit down" in browser.get(f"{TABLES}{match.public_id}/").content.decode()
        assert browser.post(f"{TABLES}{match.public_id}/")["Location"] == table
    match.refresh_from_db()
    assert (match.state, match.rated) == ("running", True)
    assert host.post(f"{TABLES}{match.public_id}/here/").json()["table"] == table
    assert " data-rated" in host.get(table).content.decode(), "so that conceding says what it costs"
    assert "No table waits" in Client().get(TABLES).content.decode()


def test_who_comes_too_late_to_an_open_table_is_told_why(alice: Any, bob: Any, deck: TableDeck) -> None:
    full, withdrawn = (tables.open_table(alice, deck, 2, rated=False) for _ in range(2))
    lobby.join(full, bob, deck)
    lobby.withdraw(withdrawn, alice)
    for match, why in ((full, "All seats at this table are taken"), (withdrawn, "This invitation has been withdrawn")):
        address, late = f"{TABLES}{match.public_id}/", Client()
        assert why in late.get(address).content.decode()
        refused = late.post(address)
        assert refused.status_code == 409 and f"{why}.</p>" in refused.content.decode()
    assert not get_user_model().objects.filter(is_guest=True).exists(), "who is refused is made no guest"


def test_a_second_click_on_sitting_down_leads_to_the_table(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find the seat free, and the first has it."""
    match = tables.open_table(alice, deck, 3, rated=False)
    real = pages.chosen_deck

    def while_the_first_sits_down(request: Any, name: str) -> TableDeck:
        lobby.join(match, bob, deck)
        return real(request, name)

    monkeypatch.setattr(pages, "chosen_deck", while_the_first_sits_down)
    answer = signed_in(bob).post(f"{TABLES}{match.public_id}/")
    assert (answer.status_code, answer.get("Location")) == (302, match.get_absolute_url())


def test_a_table_is_listed_while_its_host_is_there(alice: Any, bob: Any) -> None:
    host = signed_in(alice)
    host.post(TABLES, {"players": "2"})
    match = Match.objects.get()
    MatchSeat.objects.filter(number=0).update(seen=timezone.now() - 2 * attendance.PRESENT)
    assert "No table waits" in Client().get(TABLES).content.decode()
    assert host.post(f"{TABLES}{match.public_id}/here/").json()["state"] == "waiting"
    assert "waits for 1 more" in Client().get(TABLES).content.decode()
    assert signed_in(bob).post(f"{TABLES}{match.public_id}/here/").status_code == 404, "only who sits there"


def test_nobody_fills_the_list_with_tables_of_their_own(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "SHOWN", 4)
    crowd = [tables.open_table(alice, deck, 2, rated=False) for _ in range(4)]
    last = tables.open_table(bob, deck, 2, rated=False)
    assert tables.listed(charlie) == [crowd[0], last, crowd[1], crowd[2]]


def test_by_correspondence_it_is_listed_for_weeks_after_that(alice: Any, bob: Any) -> None:
    """Nobody keeps a page open for days, and a table for three has no queue."""
    host = signed_in(alice)
    address = host.post(TABLES, {"players": "2", "tempo": "correspondence 86400+259200"})["Location"]
    assert "for two weeks" in host.get(address).content.decode()
    for days, listed in ((13, True), (15, False)):
        MatchSeat.objects.filter(number=0).update(seen=timezone.now() - timedelta(days=days))
        assert ("waits for 1 more" in Client().get(TABLES).content.decode()) is listed
    match = Match.objects.get()
    assert signed_in(bob).post(f"{TABLES}{match.public_id}/")["Location"] == address
    match.refresh_from_db()
    assert match.state == "running"


def test_it_is_not_listed_while_somebody_there_is_on_vacation(alice: Any, bob: Any, deck: TableDeck) -> None:
    slow = tables.open_table(alice, deck, 3, rated=False, tempo=CORRESPONDENCE[0])
    live = tables.open_table(alice, deck, 2, rated=False)
    lobby.join(slow, bob, deck)
    assert tables.listed(alice) == [live, slow]
    vacations.begin(bob, 3)
    assert tables.listed(alice) == [live]
    vacations.end(bob)
    assert tables.listed(alice) == [live, slow]


def test_tables_by_correspondence_stand_behind_those_at_which_somebody_sits(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stay for weeks, and would fill the list one day."""
    monkeypatch.setattr(tables, "SHOWN", 2)
    slow = [tables.open_table(alice, deck, 2, rated=False, tempo=CORRESPONDENCE[0]) for _ in range(2)]
    live = tables.open_table(alice, deck, 2, rated=False)
    assert tables.listed(bob) == [live, slow[0]]
    theirs = tables.open_table(bob, deck, 2, rated=False)
    assert tables.listed(bob, own=False) == [live, slow[0]] and tables.listed(bob) == [live, theirs]


def test_who_blocks_or_is_blocked_finds_no_table_of_the_other(alice: Any, bob: Any, charlie: Any) -> None:
    opinions.block(alice, "bob")
    opinions.block(charlie, "alice")
    signed_in(alice).post(TABLES, {"players": "2"})
    match = Match.objects.get()
    for user in (bob, charlie):
        browser = signed_in(user)
        assert "No table waits" in browser.get(TABLES).content.decode()
        for answer in (browser.get, browser.post):
            assert answer(f"{TABLES}{match.public_id}/").status_code == 404
    assert "Your table" in signed_in(alice).get(TABLES).content.decode()


def test_the_list_costs_the_same_for_one_table_and_for_many(alice: Any, bob: Any, deck: TableDeck) -> None:
    browser = signed_in(bob)
    counts = []
    for _ in range(2):
        for _ in range(3):
            tables.open_table(alice, deck, 2, rated=False)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(TABLES).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_invitation_among_friends_is_not_in_the_list(alice: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 2)
    assert "No table waits" in Client().get(TABLES).content.decode()
    assert Client().get(f"{TABLES}{match.public_id}/").status_code == 404


def test_a_guest_is_refused_at_a_rated_table_and_odd_numbers_everywhere(alice: Any) -> None:
    signed_in(alice).post(TABLES, {"players": "2", "rated": "on", "tempo": "live 1200+15"})
    guest = signed_in(get_user_model().objects.create_guest())
    refused = guest.post(f"{TABLES}{Match.objects.get().public_id}/")
    assert refused.status_code == 409 and "need an account" in refused.content.decode()
    for players in ("", "1", "9", "2.0", "٣"):
        assert guest.post(TABLES, {"players": players}).status_code == 400
    untimed = signed_in(alice).post(TABLES, {"players": "2", "rated": "on"})
    assert untimed.status_code == 400 and "Rated matches need clocks" in untimed.content.decode()
    assert guest.post(TABLES, {"players": "2", "rated": "on", "tempo": "live 1200+15"}).status_code == 400
    assert Match.objects.count() == 1
