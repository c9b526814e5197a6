"""Deleting an account: what goes, what stays without a name, as its owner says."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from ccg.server.accounts import leaving
from ccg.server.accounts.forms import LeavingForm
from ccg.server.accounts.leaving import leave
from ccg.server.accounts.models import User
from decks import services, starter_decks, table_decks
from decks.models import Comment, Deck, Like
from decks.social import opinions
from matches.lobby import leaving as tables
from matches.lobby import services as lobby
from matches.models import Match
from matches.pairing import services as queues
from matches.pairing.queues import CASUAL_DAYS
from matches.playing import archive
from tests.decks.conftest import LEGAL_LIST
from tests.people import signed_in
from tests.shown import words

PASSWORD = "raptor in the dark 7"
DELETE = "/accounts/delete/"
pytestmark = pytest.mark.django_db


def person(name: str, **more: Any) -> Any:
    return get_user_model().objects.create_user(name, password=PASSWORD, **more)


@pytest.fixture
def kara(starters: None) -> Any:
    """Somebody with a deck of each visibility, who likes one and says something about it."""
    kara, lee = person("kara"), person("lee")
    for visibility in ("private", "unlisted", "public"):
        services.create_from_text(kara, LEGAL_LIST, name=f"Wing, {visibility}", visibility=visibility)
    other = services.create_from_text(lee, LEGAL_LIST, name="Other", visibility="public")
    opinions.like(kara, other)
    opinions.comment(kara, other, "Not bad")
    opinions.comment(lee, Deck.objects.get(name="Wing, public"), "Good hunting")
    return kara


@pytest.mark.parametrize("decks", ["leave", "take"])
def test_public_decks_stay_or_go_as_their_owner_says(kara: Any, decks: str) -> None:
    public = Deck.objects.get(name="Wing, public")
    opinions.describe(public, "How I fly", "vipers")
    browser = signed_in(kara)
    assert "Private and unlisted ones are deleted in any case." in words(browser.get(DELETE))
    page = browser.post(DELETE, {"decks": decks, "password": PASSWORD}, follow=True)

    assert "Your account is deleted." in words(page)
    assert "Sign in" in words(page)
    assert not get_user_model().objects.filter(username="kara").exists()
    assert Deck.objects.filter(visibility__in=("private", "unlisted")).count() == 0
    names = set(Deck.objects.listed().values_list("name", flat=True))
    assert names == ({"Wing, public", "Other"} if decks == "leave" else {"Other"})
    shown = Client().get(public.get_absolute_url())
    if decks == "take":
        assert shown.status_code == 404
        return
    said = words(shown)
    assert "by somebody who has left" in said
    for part in ("How I fly", "Good hunting", "#vipers"):
        assert part in said
    assert "kara" not in said
    assert "Wing, public" in words(Client().get("/decks/"))
    assert Client().get("/decks/by/kara/").status_code == 404


def test_a_second_click_finds_the_account_deleted_and_says_so(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = signed_in(kara), signed_in(kara)
    form = {"decks": "take", "password": PASSWORD}

    def checked(self: LeavingForm) -> bool:
        """While the password of the second click is checked, the first one deletes."""
        monkeypatch.undo()
        first.post(DELETE, form)
        self.cleaned_data = dict(form)
        return True

    monkeypatch.setattr(LeavingForm, "is_valid", checked)
    assert second.post(DELETE, form).status_code == 302
    assert not get_user_model().objects.filter(username="kara").exists()


@pytest.mark.django_db(transaction=True)
def test_a_password_that_is_changed_meanwhile_does_not_bring_the_account_back(
    kara: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, new = signed_in(kara), "viper in the light 8"
    choose = User.set_password

    def gone(self: User, password: str) -> None:
        """While the new password is hashed, another request deletes the account."""
        choose(self, password)
        leave(get_user_model().objects.get(pk=kara.pk), keep_decks=False)

    monkeypatch.setattr(User, "set_password", gone)
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert browser.post("/accounts/password/change/", form).status_code == 302
    assert not get_user_model().objects.filter(username="kara").exists()
    assert "Your account is deleted, so this was not done." in words(browser.get("/"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/decks/new/", {"text": LEGAL_LIST, "do": "save"}, 302),
        ("/decks/{uid}/settings/", {"name": "Other", "visibility": "private"}, 302),
        ("/api/v1/decks/", {"text": LEGAL_LIST}, 401),
    ],
)  # fmt: skip
def test_who_is_deleted_while_asking_is_told_so(
    kara: Any, monkeypatch: pytest.MonkeyPatch, path: str, sent: dict[str, str], status: int
) -> None:
    browser, deck = signed_in(kara), services.create_from_text(kara, LEGAL_LIST)
    begin = transaction.Atomic.__enter__

    def gone(self: transaction.Atomic) -> None:
        """Before the first thing is written, another request deletes the account."""
        monkeypatch.undo()
        leave(get_user_model().objects.get(pk=kara.pk), keep_decks=False)
        begin(self)

    monkeypatch.setattr(transaction.Atomic, "__enter__", gone)
    address = path.format(uid=deck.uid)
    answer = browser.post(address, sent, content_type="application/json" if status == 401 else MULTIPART_CONTENT)
    assert answer.status_code == status
    assert not get_user_model().objects.filter(username="kara").exists()
    if status == 302:
        assert "Your account is deleted, so this was not done." in words(browser.get("/"))


def test_likes_and_comments_go(kara: Any) -> None:
    signed_in(kara).post(DELETE, {"decks": "leave", "password": PASSWORD})
    assert Deck.objects.get(name="Other").liked == 0
    assert not Like.objects.exists()
    assert [one.text for one in Comment.objects.all()] == ["Good hunting"]


def test_nobodys_deck_belongs_to_nobody(kara: Any) -> None:
    signed_in(kara).post(DELETE, {"decks": "leave", "password": PASSWORD})
    deck = Deck.objects.get(name="Wing, public")
    for client in (Client(), signed_in(person("saul"))):
        for part in ("edit/", "delete/", "about/"):
            assert client.get(f"{deck.get_absolute_url()}{part}").status_code == 404
    assert table_decks.take_to_table(person("galen"), deck.uid).label == deck.name
    starter_decks.load_starters()
    assert Deck.objects.filter(pk=deck.pk).exists(), "it is no starter deck whose file has gone"


def test_matches_are_conceded_and_forget_the_name(kara: Any) -> None:
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].uid)
    running = lobby.join(lobby.invite(person("bill"), deck, 2), kara, deck)
    waiting = lobby.invite(kara, deck, 2)
    signed_in(kara).post(DELETE, {"decks": "take", "password": PASSWORD})
    running.refresh_from_db()
    assert (running.state, running.result["losers"]) == ("finished", [1])
    assert Match.objects.get(pk=waiting.pk).state == "abandoned"
    assert set(Match.objects.get(pk=running.pk).seats.values_list("name", flat=True)) == {"bill", "Former player"}


@pytest.mark.parametrize("looks", ["other", "visitor"])
def test_a_match_is_shown_without_the_name_of_who_has_gone(kara: Any, client: Client, looks: str) -> None:
    deck, bill = table_decks.take_to_table(kara, Deck.objects.starters()[0].uid), person("bill")
    match = lobby.join(lobby.invite(bill, deck, 2, watchable=True), kara, deck)
    browser = signed_in(bill) if looks == "other" else client
    addresses = [f"/api/v1/matches/{match.public_id}/", f"/api/v1/matches/{match.public_id}/ending/"]
    assert "kara" in browser.get(addresses[0]).content.decode()  # and the server remembers the table

    signed_in(kara).post(DELETE, {"decks": "take", "password": PASSWORD})
    for address in (*addresses, match.get_absolute_url()):
        shown = browser.get(address).content.decode()
        assert "kara" not in shown, address
        assert "Former player" in shown or address not in addresses, address
        assert "bill" in shown or address == addresses[1], address


def test_a_match_that_begins_while_its_player_leaves_is_conceded_as_well(
    kara: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from a queue, or in another tab: giving up many decks takes a while."""
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].ref)
    real = leaving.decks.give_up

    def meanwhile(user: Any, **options: Any) -> None:
        real(user, **options)
        if not Match.objects.exists():
            lobby.play_computer(kara, deck, [deck])
            lobby.invite(kara, deck, 3)

    monkeypatch.setattr(leaving.decks, "give_up", meanwhile)
    leave(kara, keep_decks=False)
    states = Match.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [Match.State.FINISHED, Match.State.ABANDONED]
    assert not User.objects.filter(pk=kara.pk).exists()


def test_whoever_leaves_is_paired_with_nobody_meanwhile(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].ref)
    queues.join(kara, CASUAL_DAYS, deck)
    real = leaving.decks.give_up
    in_time = timezone.now() + timedelta(seconds=5)

    def meanwhile(user: Any, **options: Any) -> None:
        real(user, **options)
        queues.join(User.objects.get(username="lee"), CASUAL_DAYS, deck, now=in_time)

    monkeypatch.setattr(leaving.decks, "give_up", meanwhile)
    leave(kara, keep_decks=False)
    assert not Match.objects.exists()


def test_a_table_that_begins_as_its_host_leaves_keeps_nobody_here(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].ref)
    table = lobby.invite(kara, deck, 2)
    real = tables.withdraw

    def too_late(match: Match, user: Any) -> None:
        lobby.join(match, User.objects.get(username="lee"), deck)
        real(match, user)

    monkeypatch.setattr(tables, "withdraw", too_late)
    page = signed_in(kara).post(DELETE, {"decks": "take", "password": PASSWORD}, follow=True)
    assert "Your account is deleted." in words(page)
    table.refresh_from_db()
    assert table.state == Match.State.FINISHED


def test_a_match_of_who_has_gone_is_still_what_its_moves_make_it(kara: Any) -> None:
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].uid)
    match = lobby.join(lobby.invite(person("bill"), deck, 2), kara, deck)
    signed_in(kara).post(DELETE, {"decks": "take", "password": PASSWORD})
    match.refresh_from_db()
    assert archive.replay(match).difference is None


@pytest.mark.parametrize("form", [{"decks": "leave", "password": "wrong"}, {"decks": "x", "password": PASSWORD}, {}])
def test_nothing_goes_without_the_password_and_an_answer(kara: Any, form: Any) -> None:
    assert signed_in(kara).post(DELETE, form).status_code == 200
    assert get_user_model().objects.filter(username="kara").exists()
    assert Deck.objects.filter(owner=kara).count() == 3


def test_the_password_is_not_guessed_here(kara: Any) -> None:
    browser = signed_in(kara)
    for _ in range(10):
        browser.post(DELETE, {"decks": "take", "password": "wrong"})
    page = browser.post(DELETE, {"decks": "take", "password": PASSWORD})
    assert "Too many wrong passwords" in words(page)
    assert get_user_model().objects.filter(username="kara").exists()


def test_staff_and_guests_do_not_go_this_way() -> None:
    staff = person("tom", is_staff=True)
    assert "Staff cannot delete" in words(signed_in(staff).post(DELETE, {"password": PASSWORD}, follow=True))
    guest = get_user_model().objects.create_guest()
    assert signed_in(guest).post(DELETE, {}).status_code == 302
    assert Client().post(DELETE, {}).status_code == 302
    assert get_user_model().objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_many_decks_go_some_at_a_time_and_others_can_write_meanwhile(
    starters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kara = person("kara")
    for _ in range(5):
        services.create_from_text(kara, LEGAL_LIST)
    left: list[tuple[int, bool]] = []
    monkeypatch.setattr(services, "ROWS_AT_ONCE", 2 * (services.ROWS_OF_A_DECK + 1))
    monkeypatch.setattr(
        services.time,
        "sleep",
        lambda _: left.append((Deck.objects.filter(owner=kara).count(), connection.in_atomic_block)),
    )
    leave(kara, keep_decks=False)
    assert left == [(3, False), (1, False)]
    assert not Deck.objects.filter(starter=None).exists()
