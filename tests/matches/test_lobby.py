"""The lobby: beginning matches, inviting, sitting down, getting up, finding them again."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from datetime import timedelta
from html import unescape
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from msgspec import structs

from decks import services, table_decks
from decks.exchange import qr
from decks.models import Deck
from decks.services import create_from_text
from decks.social import opinions
from decks.starter_decks import STARTERS
from decks.table_decks import TableDeck
from matches.clocks.tempo import CORRESPONDENCE, LIVE
from matches.lobby import invites, leaving, lesson_matches, rematches
from matches.lobby import services as lobby
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat
from matches.protocol.messages import Claim, Concede
from matches.seats import openness, rated
from matches.table.table_view import current_game
from tests.decks.conftest import LEGAL_LIST
from tests.matches.conftest import Table, match_of, person
from tests.people import signed_in
from tests.shown import words


def starter() -> str:
    return Deck.objects.starters()[0].uid


def link_on(page: Any) -> str:
    found = re.search(r"/play/invite/[A-Za-z0-9_-]{22}/", page.content.decode())
    assert found is not None
    return found[0]


@pytest.fixture
def open_match(alice: Any, deck: TableDeck) -> Match:
    """A table for two, at which Alice waits."""
    return lobby.invite(alice, deck, 2)


def test_a_table_that_waits_asks_how_it_stands_also_while_nobody_looks_at_it(alice: Any, open_match: Match) -> None:
    """Whoever sends the link to a friend looks at something else, and the clocks run as the friend sits down."""
    page = signed_in(alice).get(open_match.get_absolute_url()).content.decode()
    live = f"/ws/lobby/{open_match.public_id}/"
    assert f'id="seats" data-refresh="4" data-refresh-unseen data-live="{live}">' in page


# -- against the computer


def test_one_click_gives_a_visitor_a_match_as_a_guest(cards: None) -> None:
    client = Client()
    page = client.post("/play/computer/", follow=True)
    assert page.status_code == 200 and page.redirect_chain[-1][0].startswith("/table/")
    match = Match.objects.get()
    me, computer = match.seats.order_by("number")
    assert me.user.is_guest and me.name == me.user.display_name
    assert (match.state, computer.kind, computer.user, len(me.cards) >= 60) == ("running", "computer", None, True)
    assert me.deck_version != computer.deck_version, "by chance, but not the same deck twice"


def test_the_first_deck_of_somebody_new_is_easy_to_play(cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[set[str]] = []

    def choice(some: Sequence[Any]) -> Any:
        if isinstance(some[0], Deck):  # and no letters of an address
            offered.append({deck.starter_note.difficulty for deck in some if deck.starter_note})
        return random.choice(some)

    monkeypatch.setattr("matches.lobby.deck_choice.secrets.choice", choice)
    client = Client()
    client.post("/play/computer/", {"unless": "running"})
    assert offered[0] == {"easy"}, "the deck of the player"
    assert offered[1] == {"easy", "medium", "hard"}, "the deck of the computer"
    Match.objects.update(state=Match.State.FINISHED)
    client.post("/play/computer/", {"unless": "running"})
    Client().post("/play/computer/")
    assert [offered[2], offered[4]] == [{"easy", "medium", "hard"}] * 2, "who has played, and who asks for a surprise"


def test_only_so_many_matches_run_at_a_time_and_the_refusal_says_what_to_do(
    alice: Any, bob: Any, deck: TableDeck, settings: Any
) -> None:
    settings.RUNNING_MATCHES = 1
    over, open_table = lobby.play_computer(alice, deck, [deck]), lobby.invite(bob, deck, 2)
    Table(over).act(0, Concede(id="c"))
    running = lobby.play_computer(alice, deck, [deck])
    page = signed_in(alice).post("/play/computer/", {"deck": starter()})
    assert page.status_code == 400 and "You have as many running matches as you may (1)" in page.content.decode()
    for attempt in (
        lambda: lobby.invite(alice, deck, 3),
        lambda: lobby.join(open_table, alice, deck),
        lambda: rematches.rematch(over, alice),
    ):
        with pytest.raises(LobbyError, match="Play or concede"):
            attempt()
    lobby.invite(alice, deck, 2, tempo=CORRESPONDENCE[0])  # of these one has many
    lesson_matches.play_lesson(alice, "first-match")
    Table(running).act(0, Concede(id="c"))
    assert lobby.join(open_table, alice, deck).state == Match.State.RUNNING


@pytest.mark.parametrize("how", ["concedes", "loses", "is claimed out"])
def test_a_match_in_which_only_others_play_on_is_none_of_those_that_may_run(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, settings: Any, how: str
) -> None:
    """They have conceded it already, and have nothing left to play."""
    settings.RUNNING_MATCHES = 1
    table = Table(match_of(deck, alice, bob, charlie)).only_one_decides()
    out = table.deciding
    if how == "concedes":
        table.act(out, Concede(id="c"))
    elif how == "is claimed out":
        table.let_pass(timedelta(days=4))
        table.act((out + 1) % 3, Claim(id="c", seat=out))
    else:
        while len(table.game.engine.seats(0)) == 3:
            table.play(moves=1, seed=table.row.version)
        [out] = set(range(3)) - set(table.game.engine.seats(0))
    row, version = table.row, table.row.version
    assert (row.state, row.seats.get(number=out).out_at) == (Match.State.RUNNING, version)
    people = [row.seats.get(number=seat).user for seat in (out, (out + 1) % 3)]
    browser, other = map(signed_in, people)
    assert [leaving.sits_somewhere(one) for one in people] == [False, True], "it keeps no account from being deleted"
    assert "Go on with your match" in words(other.get("/")) and "Go on with your match" not in words(browser.get("/"))
    assert other.post("/play/computer/", {"deck": starter()}).status_code == 400
    begun = browser.post("/play/computer/", {"deck": starter(), "unless": "running"})
    assert begun["Location"].startswith("/table/")
    assert set(row.seats.exclude(number=out).values_list("out_at", flat=True)) == {None}


def test_who_had_left_a_match_that_ran_on_was_noted_as_that_came(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    people = [alice, bob, charlie, person("dana")]
    table = Table(match_of(deck, *people)).only_one_decides()
    first = (table.deciding + 1) % 4
    table.act(first, Concede(id="c"))
    table.let_pass(timedelta(days=4))
    away = table.deciding
    table.act(next(seat for seat in range(4) if seat not in (away, first)), Claim(id="d", seat=away))
    noted = list(table.row.seats.values_list("number", "out_at"))
    assert sum(at is not None for _, at in noted) == 2
    table.row.seats.update(out_at=None)
    import_module("matches.migrations.0012_out_at").note_who_has_left(apps, None)
    assert list(table.row.seats.values_list("number", "out_at")) == noted


def test_a_match_in_which_computers_alone_play_on_runs_for_who_has_begun_it(
    alice: Any, deck: TableDeck, settings: Any
) -> None:
    """It is soon over; and a game of computers costs the site as much as any other."""
    settings.RUNNING_MATCHES = 1
    table = Table(lobby.play_computer(alice, deck, [deck, deck]))
    table.act(0, Concede(id="c"))
    assert table.row.state == Match.State.RUNNING
    with pytest.raises(LobbyError, match="Play or concede"):
        lobby.invite(alice, deck, 2)


def test_only_so_many_matches_by_correspondence_run_at_a_time(
    alice: Any, bob: Any, deck: TableDeck, settings: Any
) -> None:
    """They are counted apart, and without end each page that lists them would cost more and more."""
    settings.CORRESPONDENCE_MATCHES, settings.RUNNING_MATCHES = 2, 1
    for _ in range(2):
        lobby.join(lobby.invite(bob, deck, 2, tempo=CORRESPONDENCE[0]), alice, deck)
    with pytest.raises(LobbyError, match="matches by correspondence as you may"):
        lobby.invite(bob, deck, 2, tempo=CORRESPONDENCE[1])
    assert lobby.join(lobby.invite(bob, deck, 2), alice, deck).state == Match.State.RUNNING
    settings.CORRESPONDENCE_MATCHES = 0
    lobby.invite(bob, deck, 2, tempo=CORRESPONDENCE[1])


def test_no_match_begins_with_who_has_been_locked_out(alice: Any, bob: Any, deck: TableDeck) -> None:
    """They cannot come, and whoever sat down against them would win by that, or wait for days."""
    opened = lobby.invite(bob, deck, 2, listed=True, rated=True, tempo=CORRESPONDENCE[0])
    get_user_model().objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(LobbyError, match="can begin no match just now"):
        lobby.join(opened, alice, deck)
    opened.refresh_from_db()
    assert opened.state == Match.State.ABANDONED


def test_playing_at_once_offers_the_match_that_is_running(cards: None) -> None:
    client, at_once = Client(), {"unless": "running"}
    assert b"Play now" in client.get("/").content
    table = client.post("/play/computer/", at_once)["Location"]
    assert table.startswith("/table/")
    home = client.get("/").content.decode()
    assert f'href="{table}"' in home.split("</section>")[0]
    assert "Play now" not in home and "New match" in home
    offer = client.post("/play/computer/", at_once, follow=True)
    assert (Match.objects.count(), offer.redirect_chain[-1][0]) == (1, "/play/")
    page = offer.content.decode()
    assert f'href="{table}">Go on</a>' in page
    assert client.post("/play/computer/")["Location"] not in (table, "/play/"), "another match, when asked for"
    learner = Client()
    learner.post("/learn/first-match/")
    assert learner.post("/play/computer/", at_once)["Location"].startswith("/table/"), "a lesson is no such match"


def test_both_decks_and_the_number_of_computers_can_be_chosen(alice: Any) -> None:
    first, second = (deck.uid for deck in Deck.objects.starters()[:2])
    signed_in(alice).post("/play/computer/", {"deck": first, "computer_deck": second, "opponents": "2"})
    labels = [seat.deck_label for seat in MatchSeat.objects.order_by("number")]
    names = [deck.name for deck in Deck.objects.starters()[:2]]
    assert labels == [names[0], names[1], names[1]]


def test_a_link_to_play_a_deck_leads_to_a_button_that_begins_at_once(alice: Any) -> None:
    deck = Deck.objects.starters()[0]
    browser = signed_in(alice)
    assert "Begin at once" not in browser.get("/play/").content.decode()
    assert "Begin at once" not in browser.get("/play/?deck=nosuchdeck").content.decode()
    page = browser.get(f"/play/?deck={deck.uid}").content.decode()
    assert f"<b>{deck.name}</b> is chosen." in page
    assert page.index("Begin at once") < page.index("Surprise me")


def test_how_well_the_computer_plays_can_be_chosen_and_is_told(alice: Any) -> None:
    client = signed_in(alice)
    assert 'value="normal" selected' in client.get("/play/").content.decode()
    table = client.post("/play/computer/", {"level": "easy"})["Location"]
    seat = MatchSeat.objects.get(kind="computer")
    assert (seat.policy, seat.level) == ("easy", "easy")
    shown = client.get(f"/api/v1/matches/{seat.match.public_id}/").json()
    assert [person["level"] for person in shown["people"]] == [None, "easy"]
    assert table.endswith(f"{seat.match.public_id}/")
    for page in ("/", "/play/mine/"):
        assert "Computer (easy)" in client.get(page).content.decode()


def test_a_match_from_before_there_were_levels_is_normal(alice: Any) -> None:
    signed_in(alice).post("/play/computer/", {"level": ""})
    seat = MatchSeat.objects.get(kind="computer")
    assert (seat.policy, seat.level) == ("sensible", "normal")


def test_a_rematch_is_at_the_same_level(alice: Any) -> None:
    client = signed_in(alice)
    client.post("/play/computer/", {"level": "easy"})
    table = Table(Match.objects.get())
    table.act(0, Concede(id="enough"))
    again = rematches.rematch(table.row, alice)
    assert again.seats.get(kind="computer").level == "easy"


@pytest.mark.parametrize(
    "fields",
    [
        {"deck": "no-such-deck"},
        {"deck": "x" * 5000},
        {"deck": "\x00"},
        {"computer_deck": "no-such-deck"},
        {"opponents": "0"},
        {"opponents": "9"},
        {"opponents": "-1"},
        {"opponents": "٣"},
        {"opponents": "many"},
        {"level": "hard"},
        {"level": "sensible"},
        {"level": "\x00"},
    ],
)
def test_what_makes_no_sense_is_said_and_begins_nothing(alice: Any, fields: dict[str, str]) -> None:
    page = signed_in(alice).post("/play/computer/", fields)
    assert page.status_code == 400 and b'role="alert"' in page.content
    assert not Match.objects.exists()


def test_another_players_private_deck_cannot_be_played(alice: Any, bob: Any) -> None:
    text = (STARTERS / "battlestar-viper-wing.txt").read_text()
    private = create_from_text(bob, text)
    assert signed_in(alice).post("/play/computer/", {"deck": private.uid}).status_code == 400
    assert signed_in(bob).post("/play/computer/", {"deck": private.uid}).status_code == 302


def test_a_deck_that_is_not_legal_is_refused_with_the_reason(alice: Any) -> None:
    small = create_from_text(alice, "Base: Galactica (BSG1) 7\n4 Fire Support\n")
    page = signed_in(alice).post("/play/computer/", {"deck": small.uid})
    assert page.status_code == 400 and b"is not legal" in page.content


# -- inviting


def test_an_invitation_gives_a_link_and_the_match_begins_when_the_friend_sits_down(alice: Any) -> None:
    host, friend = signed_in(alice), Client()
    waiting = host.post("/play/invite/", {"deck": starter(), "players": "2", "watchable": "on"}, follow=True)
    assert b"1 still to come" in waiting.content
    link = link_on(waiting)
    invitation = friend.get(link)
    assert b"alice invites you" in invitation.content
    assert invitation["Referrer-Policy"] == "same-origin"
    table = friend.post(link, {"deck": starter()}, follow=True)
    assert table.redirect_chain[-1][0] == Match.objects.get().get_absolute_url()
    match = Match.objects.get()
    assert (match.state, match.version, match.deciders > 0) == ("running", 0, True)
    assert host.get(match.get_absolute_url()).status_code == 200


def test_an_invitation_has_buttons_for_its_link_and_a_picture_of_it(alice: Any) -> None:
    host = signed_in(alice)
    waiting = host.post("/play/invite/", {"deck": starter(), "players": "2", "watchable": "on"}, follow=True)
    page = waiting.content.decode()
    assert 'data-copy-field="invite-link"' in page
    assert 'data-share-field="invite-link"' in page
    shown = re.search(r'<img src="(data:image/svg[^"]+)"', page)
    assert shown is not None
    assert unescape(shown[1]) == qr.data_uri(f"http://testserver{link_on(waiting)}")


def test_the_token_is_stored_only_as_a_hash(open_match: Match) -> None:
    token = invites.token_of(open_match)
    stored = [str(value) for value in Match.objects.values_list().get()]
    assert not any(token in value for value in stored)
    assert lobby.invited(token) == open_match


def test_nobody_takes_two_seats(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 4)
    lobby.join(match, bob, deck)
    for user in (alice, bob):
        with pytest.raises(LobbyError) as error:
            lobby.join(match, user, deck)
        assert error.value.code == "seated"
    link = f"/play/invite/{invites.token_of(match)}/"
    for method in ("get", "post"):
        answer = getattr(signed_in(bob), method)(link)
        assert (answer.status_code, answer.url) == (302, match.get_absolute_url())
    assert match.seats.filter(kind="person").count() == 2


def test_a_full_table_says_so(table: Table, charlie: Any) -> None:
    link = f"/play/invite/{invites.token_of(table.row)}/"
    client = signed_in(charlie)
    page = client.get(link)
    assert page.status_code == 200 and b"All seats at this table are taken" in page.content
    assert client.post(link).status_code == Client().post(link).status_code == 409
    assert table.row.seats.count() == 2
    assert not get_user_model().objects.filter(is_guest=True).exists(), "who is refused is made no guest"


def test_who_brings_cards_that_are_gone_leaves_the_table_and_nobody_else(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    """A deck is legal as it is taken to a table, and an import may take a card away before the last one sits down."""
    gone = structs.replace(deck, cards=(*deck.cards, "NO-SUCH-CARD"))
    of_host, of_guest = lobby.invite(alice, gone, 2), lobby.invite(alice, deck, 3)
    lobby.join(of_guest, bob, gone)
    for match, state, seated in ((of_host, "abandoned", 1), (of_guest, "open", 1)):
        with pytest.raises(LobbyError, match="is not legal any more"):
            lobby.join(match, charlie, deck)
        match.refresh_from_db()
        assert (match.state, match.seats.filter(joined=True).count()) == (state, seated)
    with pytest.raises(LobbyError, match="is not legal any more"):
        lobby.join(lobby.invite(alice, deck, 2), bob, gone)
    assert Match.objects.filter(state="open").count() == 2, "who is refused has changed nothing for the host"


def test_eight_can_play(alice: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 8)
    for number in range(7):
        assert Match.objects.get().state == "open"
        lobby.join(match, person(f"friend{number}"), deck)
    assert Match.objects.get().state == "running"


@pytest.mark.parametrize("players", ["1", "9", "", "two"])
def test_other_numbers_cannot(alice: Any, players: str) -> None:
    page = signed_in(alice).post("/play/invite/", {"players": players})
    assert page.status_code == (302 if players == "" else 400)


def test_a_table_is_not_closed_for_all_by_one_press(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 3)
    lobby.join(match, bob, deck)
    host, guest = (signed_in(one).get(match.get_absolute_url()).content.decode() for one in (alice, bob))
    closing = host.partition("<summary>Close this table</summary>")[2].partition("</details>")[0]
    assert "/withdraw/" in closing and host.count("/withdraw/") == 1
    assert "Get up</button>" in guest and "Close this table" not in guest


def test_a_withdrawn_invitation_is_closed(open_match: Match, alice: Any, bob: Any) -> None:
    link = f"/play/invite/{invites.token_of(open_match)}/"
    told = signed_in(alice).post(f"/table/{open_match.public_id}/withdraw/", follow=True).content.decode()
    assert "The table is closed." in told and "You have left the table." not in told
    assert signed_in(bob).get(link).status_code == 404
    assert b"closed" in signed_in(alice).get(open_match.get_absolute_url()).content
    assert Match.objects.get().state == "abandoned"


def test_a_guest_who_gets_up_frees_the_seat(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 3)
    lobby.join(match, bob, deck)
    told = signed_in(bob).post(f"/table/{match.public_id}/withdraw/", follow=True).content.decode()
    assert "You have left the table." in told
    lobby.join(match, charlie, deck)
    lobby.join(match, bob, deck)
    assert Match.objects.get().state == "running"


def begun(match: Match, user: Any, who: str) -> Any:
    """Press the button of a waiting table's host, and return the page that it leads to."""
    return signed_in(user).post(f"/table/{match.public_id}/begin/", {"who": who}, follow=True)


def test_a_table_of_four_begins_with_the_two_who_are_there(alice: Any, bob: Any, charlie: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 4)
    lobby.join(match, charlie, deck)
    lobby.join(match, bob, deck)
    lobby.withdraw(match, charlie)  # so that Bob's seat is not the next one
    assert b"Begin with 2 players" in signed_in(alice).get(match.get_absolute_url()).content
    assert begun(match, alice, "here").status_code == 200
    match.refresh_from_db()
    assert (match.state, match.players) == ("running", 2)
    assert sorted(match.seats.values_list("number", "name")) == [(0, "alice"), (1, "bob")]
    assert len(list(current_game(match)[1].engine.seats(0))) == 2
    with pytest.raises(LobbyError, match="taken"):
        lobby.join(match, charlie, deck)


def test_computers_take_the_free_seats(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 4)
    lobby.join(match, bob, deck)
    begun(match, alice, "computers")
    match.refresh_from_db()
    assert (match.state, match.players) == ("running", 4)
    assert match.seats.filter(kind=MatchSeat.Kind.COMPUTER).count() == 2
    assert len(set(match.seats.values_list("name", flat=True))) == 4


@pytest.mark.parametrize(
    ("who", "code"), [("here", "two players at least"), ("computers", "no rated match"), ("both", "who is to play")]
)
def test_a_table_that_cannot_begin_says_why_and_waits_on(alice: Any, deck: TableDeck, who: str, code: str) -> None:
    match = lobby.invite(alice, deck, 3, rated=True, tempo=CORRESPONDENCE[0])
    assert code in begun(match, alice, who).content.decode()
    match.refresh_from_db()
    assert (match.state, match.players, match.seats.count()) == ("open", 3, 3)


def test_only_the_host_begins_a_table_early(alice: Any, bob: Any, deck: TableDeck) -> None:
    match = lobby.invite(alice, deck, 3)
    lobby.join(match, bob, deck)
    assert b"Begin with" not in signed_in(bob).get(match.get_absolute_url()).content
    for who in ("here", "computers"):
        begun(match, bob, who)
    match.refresh_from_db()
    assert match.state == "open"


def test_what_a_new_link_does_is_read_before_the_button_is_there(open_match: Match, alice: Any) -> None:
    page = signed_in(alice).get(f"/table/{open_match.public_id}/").content.decode()
    before = page.partition(f'action="/table/{open_match.public_id}/link/"')[0]
    assert before.rpartition("<details>")[2].partition("<form")[0].strip() == "<summary>Replace the link</summary>"
    assert "cannot come in by it any more" in page


def test_a_new_link_ends_the_old_one(open_match: Match, alice: Any, bob: Any) -> None:
    old = f"/play/invite/{invites.token_of(open_match)}/"
    host = signed_in(alice)
    host.post(f"/table/{open_match.public_id}/link/")
    assert signed_in(bob).get(old).status_code == 404
    assert signed_in(bob).get(link_on(host.get(open_match.get_absolute_url()))).status_code == 200


def test_a_running_match_cannot_be_withdrawn(table: Table, alice: Any) -> None:
    with pytest.raises(LobbyError):
        lobby.withdraw(table.row, alice)


def test_there_is_a_limit_to_open_tables(alice: Any, deck: TableDeck) -> None:
    for _ in range(lobby.OPEN_INVITES):
        lobby.invite(alice, deck, 2)
    with pytest.raises(LobbyError) as error:
        lobby.invite(alice, deck, 2)
    assert error.value.code == "too_many"


def test_the_tables_of_others_count_towards_that_limit(alice: Any, bob: Any, deck: TableDeck) -> None:
    tables = [lobby.invite(alice, deck, 3) for _ in range(lobby.OPEN_INVITES)]
    lobby.invite(bob, deck, 2)
    for table in tables[1:]:
        lobby.join(table, bob, deck)
    with pytest.raises(LobbyError) as error:
        lobby.join(tables[0], bob, deck)
    assert (error.value.code, error.value.message[:22]) == ("too_many", "You wait at 20 tables,")
    lobby.withdraw(tables[1], bob)
    lobby.join(tables[0], bob, deck)


# -- who may see what


def test_who_follows_a_link_that_was_closed_or_is_wrong_is_told_whom_to_ask(
    client: Client, alice: Any, deck: TableDeck
) -> None:
    host = signed_in(alice)
    table = lobby.invite(alice, deck, 2)
    closed = host.get(table.get_absolute_url()).context["link"]
    host.post(f"{table.get_absolute_url()}withdraw/")
    for link in (closed, "/play/invite/AAAAAAAAAAAAAAAAAAAAAA/"):
        for send in (client.get, client.post):
            answer = send(link)
            assert answer.status_code == 404
            assert "Ask for another one" in answer.content.decode()
            assert answer["Referrer-Policy"] == "same-origin"


def test_forbidden_and_missing_give_the_same_answer(table: Table, charlie: Any) -> None:
    Match.objects.update(watchable=False)
    stranger = signed_in(charlie)
    missing = "2" * 16
    for path in ("/table/{}/", "/api/v1/matches/{}/"):
        answers = [stranger.get(path.format(one)) for one in (table.id, missing)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content
    for action in ("rematch", "withdraw", "link"):
        answers = [stranger.post(f"/table/{one}/{action}/") for one in (table.id, missing)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content


def test_who_may_watch_may_not_act(table: Table, charlie: Any) -> None:
    stranger = signed_in(charlie)
    assert stranger.get(f"/table/{table.id}/").status_code == 200
    for action in ("rematch", "withdraw", "link"):
        assert stranger.post(f"/table/{table.id}/{action}/").status_code == 404


def test_an_open_table_is_only_for_those_who_sit_there(open_match: Match, alice: Any, charlie: Any) -> None:
    assert signed_in(charlie).get(open_match.get_absolute_url()).status_code == 404
    assert Client().get(open_match.get_absolute_url()).status_code == 404
    assert signed_in(alice).get(open_match.get_absolute_url()).status_code == 200


def test_who_was_sent_the_address_of_a_table_is_told_to_ask_for_the_link(open_match: Match) -> None:
    friend, advice = Client(), "ask them for the invitation link"
    shown = [friend.get(address) for address in (open_match.get_absolute_url(), "/table/2222222222222222/")]
    assert advice in shown[0].content.decode() and shown[0].content == shown[1].content
    assert advice not in friend.get("/nothing/").content.decode()


def test_the_api_gives_each_viewer_their_own_table(table: Table, alice: Any, bob: Any) -> None:
    table.play(moves=12)
    shown = {}
    for name, client in (("alice", signed_in(alice)), ("bob", signed_in(bob)), ("visitor", Client())):
        shown[name] = client.get(f"/api/v1/matches/{table.id}/?since=7").json()
    assert [shown[name]["you"] for name in ("alice", "bob", "visitor")] == [0, 1, None]
    assert [one["version"] for one in shown["alice"]["events"]] == [8, 9, 10, 11, 12]
    for name, open_hands in (("alice", {0}), ("bob", {1}), ("visitor", set())):
        hands = shown[name]["view"]["players"]
        assert {seat for seat in (0, 1) if hands[seat].get("hand_cards")} == open_hands


@pytest.mark.parametrize("since", ["", "-1", "x", "9" * 30, "1e3"])
def test_a_strange_since_is_refused(table: Table, alice: Any, since: str) -> None:
    answer = signed_in(alice).get(f"/api/v1/matches/{table.id}/", {"since": since})
    assert (answer.status_code, answer.json()["parameter"]) == (400, "since")


def test_a_since_above_the_version_counts_as_none(table: Table, alice: Any) -> None:
    assert signed_in(alice).get(f"/api/v1/matches/{table.id}/", {"since": "99999"}).json()["version"] == 0


def test_nothing_is_done_without_the_token_of_the_form(table: Table, alice: Any) -> None:
    client = signed_in(alice, strict=True)
    paths = ["/play/computer/", "/play/invite/", f"/play/invite/{invites.token_of(table.row)}/"]
    paths += [f"/table/{table.id}/{action}/" for action in ("rematch", "withdraw", "link")]
    for path in paths:
        assert client.post(path).status_code == 403
    assert Match.objects.count() == 1


def test_nothing_is_done_by_opening_an_address(table: Table, alice: Any) -> None:
    client = signed_in(alice)
    for path in (
        "/play/computer/",
        "/play/invite/",
        *(f"/table/{table.id}/{a}/" for a in ("rematch", "withdraw", "link")),
    ):
        assert client.get(path).status_code == 405


# -- my matches


def test_my_matches_shows_mine_and_whose_turn_it_is(table: Table, alice: Any, bob: Any, charlie: Any) -> None:
    users = {0: alice, 1: bob}
    assert all(b"your decision" in signed_in(user).get("/play/mine/").content for user in (alice, bob))
    table.only_one_decides()
    assert b"your decision" in signed_in(users[table.deciding]).get("/play/mine/").content
    assert b"your decision" not in signed_in(users[table.waiting]).get("/play/mine/").content
    assert table.id.encode() not in signed_in(charlie).get("/play/mine/").content
    table.act(0, Concede(id="c"))
    assert b"Lost" in signed_in(alice).get("/play/mine/").content
    assert b"Won" in signed_in(bob).get("/play/mine/").content


def test_my_matches_say_where_one_is_out_and_others_play_on(alice: Any, deck: TableDeck) -> None:
    table = Table(lobby.play_computer(alice, deck, [deck, deck]))
    assert b"Go on" in signed_in(alice).get("/play/mine/").content
    table.act(0, Concede(id="c"))
    own = signed_in(alice).get("/play/mine/").content
    assert b"Out: the others play on" in own
    assert b"Look on" in own
    assert b"Go on" not in own


def test_a_match_of_one_move_is_not_told_in_the_plural(table: Table, alice: Any) -> None:
    Match.objects.update(version=1)
    assert "1 move ·" in signed_in(alice).get("/play/mine/").content.decode()


def test_my_matches_is_there_for_visitors_too(cards: None) -> None:
    assert Client().get("/play/mine/").status_code == 200


def test_a_guest_who_makes_an_account_keeps_the_matches(cards: None) -> None:
    client = Client()
    client.post("/play/computer/")
    match = Match.objects.get()
    password = "a-long-enough-passphrase-7"
    client.post("/accounts/upgrade/", {"username": "starbuck", "password1": password, "password2": password})
    seat = match.seats.get(number=0)
    assert (seat.user.username, seat.user.is_guest) == ("starbuck", False)
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "starbuck", "password": password})
    assert match.public_id.encode() in elsewhere.get("/play/mine/").content
    assert elsewhere.get(f"/api/v1/matches/{match.public_id}/").json()["you"] == 0


# -- again


def test_a_rematch_begins_when_both_have_said_yes(table: Table, alice: Any, bob: Any) -> None:
    table.act(0, Concede(id="c"))
    first = signed_in(alice).post(f"/table/{table.id}/rematch/")
    new = Match.objects.exclude(public_id=table.id).get()
    assert (first.url, new.state) == (new.get_absolute_url(), "open")
    assert b"A rematch?" in signed_in(bob).get(new.get_absolute_url()).content
    assert signed_in(bob).get(f"/api/v1/matches/{table.id}/").json()["rematch"] == new.public_id
    assert signed_in(bob).post(f"/table/{table.id}/rematch/").url == new.get_absolute_url()
    new.refresh_from_db()
    assert (new.state, Match.objects.count()) == ("running", 2)
    old_seats, new_seats = table.row.seats.values("cards", "user", "base"), new.seats.values("cards", "user", "base")
    assert list(old_seats) == list(new_seats)
    assert bytes(new.seed) != bytes(table.row.seed)


def test_a_computer_is_always_ready_for_a_rematch(alice: Any, deck: TableDeck) -> None:
    match = lobby.play_computer(alice, deck, [deck])
    Table(match).act(0, Concede(id="c"))
    assert rematches.rematch(match, alice).state == "running"


def test_a_rematch_can_be_declined_and_asked_for_again(table: Table, alice: Any, bob: Any) -> None:
    table.act(0, Concede(id="c"))
    declined = rematches.rematch(table.row, alice)
    lobby.withdraw(declined, bob)
    assert rematches.rematch(table.row, bob) != declined


@pytest.mark.parametrize(("most", "told"), [(1, "The match will not be rated. The same people had"), (2, "is rated.")])
def test_the_page_of_a_rematch_says_to_both_whether_it_will_be_rated_and_what_time_there_is(
    alice: Any, bob: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch, most: int, told: str
) -> None:
    monkeypatch.setattr(rated, "SAME_PEOPLE_A_DAY", most)
    match = lobby.join(lobby.invite(alice, deck, 2, rated=True, tempo=LIVE[0]), bob, deck)
    Table(match).act(0, Concede(id="c"))
    again = rematches.rematch(match, alice)
    for who in (alice, bob):
        page = signed_in(who).get(again.get_absolute_url()).content.decode()
        assert told in page and f"Time: {LIVE[0].words}." in page


@pytest.mark.parametrize("by_link", [True, False])
def test_whoever_would_take_the_last_seat_reads_that_the_match_will_not_be_rated(
    alice: Any, bob: Any, charlie: Any, deck: TableDeck, monkeypatch: pytest.MonkeyPatch, by_link: bool
) -> None:
    monkeypatch.setattr(rated, "SAME_PEOPLE_A_DAY", 1)

    def opened(players: int) -> Match:
        return lobby.invite(alice, deck, players, rated=True, listed=True, tempo=LIVE[0])

    def told(table: Match, browser: Client) -> bool:
        link = f"/play/invite/{invites.token_of(table)}/" if by_link else f"/play/tables/{table.public_id}/"
        page = browser.get(link).content.decode()
        said = "The match will not be rated. The same people had" in page
        assert (", rated" in page) is not said
        return said

    match = lobby.join(opened(2), bob, deck)
    assert not told(match, signed_in(charlie)), "that one is"
    Table(match).act(0, Concede(id="c"))
    assert told(opened(2), signed_in(bob))
    assert not told(opened(3), signed_in(bob)), "a third one may make it another table"
    assert not told(opened(2), signed_in(charlie)) and not told(opened(2), Client())


@pytest.mark.parametrize(("by", "of"), [("alice", "bob"), ("bob", "alice")])
def test_who_blocks_somebody_is_not_asked_by_them_for_a_rematch(
    table: Table, alice: Any, bob: Any, by: str, of: str
) -> None:
    people = {"alice": alice, "bob": bob}
    table.act(0, Concede(id="c"))
    opinions.block_person(people[by], people[of])
    for asks in people.values():
        with pytest.raises(LobbyError) as error:
            rematches.rematch(table.row, asks)
        assert error.value.code == "blocked"
    assert Match.objects.count() == 1


def test_a_rematch_that_has_begun_is_found_whoever_blocks_somebody_then(table: Table, alice: Any, bob: Any) -> None:
    table.act(0, Concede(id="c"))
    rematches.rematch(table.row, alice)
    begun = rematches.rematch(table.row, bob)
    opinions.block_person(alice, bob)
    assert rematches.rematch(table.row, bob) == begun


def test_in_a_rematch_people_are_called_what_they_are_called_now(table: Table, alice: Any, bob: Any) -> None:
    table.act(0, Concede(id="c"))
    alice.display_name = "Alice the Second"
    alice.save()
    again = rematches.rematch(table.row, bob)
    assert sorted(seat.name for seat in again.seats.all()) == ["Alice the Second", "bob"]


def invited_with(person: Any, visibility: str) -> tuple[Deck, Match]:
    """Return a new deck of ``person`` that is seen by so many, and an open table at which they wait with it."""
    mine = create_from_text(person, LEGAL_LIST.replace("3 CAG", "4 CAG"), visibility=visibility)
    return mine, lobby.invite(person, table_decks.take_to_table(person, mine.uid), 2)


@pytest.mark.parametrize(
    ("then", "now", "is_private", "is_public"),
    [
        ("public", "private", True, False),
        ("public", "unlisted", True, False),
        ("unlisted", "private", True, False),
        ("unlisted", "unlisted", True, False),
        ("private", "public", False, True),
        ("public", "public", False, True),
    ],
)
def test_in_a_rematch_a_deck_is_as_private_as_it_is_now(
    alice: Any, bob: Any, deck: TableDeck, then: str, now: str, is_private: bool, is_public: bool
) -> None:
    mine, open_table = invited_with(alice, then)
    match = lobby.join(open_table, bob, deck)
    Table(match).act(0, Concede(id="c"))
    services.set_visibility(mine, now)
    again = rematches.rematch(Match.objects.get(pk=match.pk), bob)
    seat = again.seats.get(user=alice)
    assert (seat.deck_private, seat.deck_public) == (is_private, is_public)
    assert again.seats.get(user=bob).deck_public, "that of the site"


@pytest.mark.parametrize(
    ("then", "now", "is_private", "is_public"),
    [
        ("public", "public", False, True),
        ("public", "unlisted", True, False),
        ("public", "private", True, False),
        ("unlisted", "unlisted", True, False),
        ("unlisted", "public", True, False),
        ("private", "public", True, False),
    ],
)
def test_a_deck_is_shown_afterwards_if_it_was_public_from_when_it_was_taken_along_until_the_match_began(
    alice: Any, bob: Any, deck: TableDeck, then: str, now: str, is_private: bool, is_public: bool
) -> None:
    mine, open_table = invited_with(alice, then)
    services.set_visibility(mine, now)
    seats = lobby.join(open_table, bob, deck).seats.all()
    seat = seats.get(user=alice)
    assert (seat.deck_private, seat.deck_public) == (is_private, is_public)
    assert openness.sees_all(seats, None) is not is_private
    assert seats.get(user=bob).deck_public, "that of the site"


def test_an_unlisted_deck_of_whoever_has_waited_since_before_such_were_private_is_so_too(
    alice: Any, bob: Any, deck: TableDeck
) -> None:
    _, open_table = invited_with(alice, "unlisted")
    open_table.seats.filter(user=alice).update(deck_private=False)
    seats = lobby.join(open_table, bob, deck).seats.all()
    assert seats.get(user=alice).deck_private and not openness.sees_all(seats, None)


def test_there_is_no_rematch_before_the_end(table: Table, alice: Any) -> None:
    with pytest.raises(LobbyError) as error:
        rematches.rematch(table.row, alice)
    assert error.value.code == "not_over"


def test_a_match_never_changes_with_its_deck(alice: Any) -> None:
    text = (STARTERS / "battlestar-viper-wing.txt").read_text()
    own = create_from_text(alice, text)
    signed_in(alice).post("/play/computer/", {"deck": own.uid})

    def kept() -> Any:
        match = Match.objects.get()
        seat = match.seats.get(number=0)
        return (seat.base, seat.cards, seat.deck_label, seat.deck_version, current_game(match)[1].view(0))

    before, first = kept(), own.head
    assert before[3] == first.content_hash
    services.new_version(own, "# Another name\nBase: Colonial One\n4 Stims")
    assert kept() == before
    services.revert(own, first)
    services.fork(alice, own.head)
    assert kept() == before
    services.delete(own)
    assert kept() == before


# ---------------------------------------------------------------- after an update


def test_a_match_of_an_older_engine_is_ended_and_says_so(table: Table, alice: Any, bob: Any) -> None:
    Match.objects.update(engine_version="1")
    said = StringIO()

    call_command("end_outdated_matches", stdout=said)
    call_command("end_outdated_matches", stdout=said)

    assert said.getvalue() == "Ended 1 match of an older version of the rules program.\n"
    match = Match.objects.get()
    assert (match.state, match.result) == ("finished", {"winners": [], "losers": [], "reason": "outdated"})
    own = signed_in(alice).get("/play/mine/").content.decode()
    assert "Ended" in own
    assert "Go on" not in own
    page = signed_in(alice).get(f"/table/{match.public_id}/")
    assert page.status_code == 200
    assert "could not go on when the rules program was updated" in page.content.decode()


def test_a_finished_match_of_an_older_engine_keeps_its_result(table: Table, alice: Any) -> None:
    result = {"winners": [0], "losers": [1], "reason": "influence"}
    Match.objects.update(engine_version="1", state="finished", result=result)

    call_command("end_outdated_matches")

    match = Match.objects.get()
    assert match.result == result
    assert "This match is over" in signed_in(alice).get(f"/table/{match.public_id}/").content.decode()


def test_a_match_of_this_engine_goes_on(table: Table) -> None:
    call_command("end_outdated_matches")
    assert Match.objects.get().state == "running"


def test_the_home_page_goes_on_with_what_waits_for_one(alice: Any, bob: Any, deck: TableDeck) -> None:
    """Not with the match that was changed last: there it may be for somebody else to decide."""
    waits, other = (match_of(deck, alice, bob) for _ in range(2))
    theirs = other.seats.get(user=bob).number
    Match.objects.filter(pk=other.pk).update(deciders=1 << theirs)
    Match.objects.filter(pk=waits.pk).update(deciders=0b11, changed=timezone.now() - timedelta(days=1))
    page = signed_in(alice).get("/").content.decode()
    assert waits.get_absolute_url() in page.partition("Go on with your match")[0].rpartition("<a ")[2]
    rows = page.partition("home-running")[2].partition("</ul>")[0].split("</li>")
    assert waits.get_absolute_url() in rows[0] and "your decision" in rows[0]
    assert other.get_absolute_url() in rows[1] and "your decision" not in rows[1]
    page = signed_in(bob).get("/").content.decode()
    assert page.count("your decision") == 2
