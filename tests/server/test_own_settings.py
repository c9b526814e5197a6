"""Settings for the table: kept with the account or the guest, set at the table or on a page."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from decks.models import Deck
from decks.table_decks import take_to_table
from matches.lobby import services as lobby
from matches.table import table_settings
from matches.table.table_settings import SETTINGS, TableSettings, read_stored, written
from tests.people import signed_in

pytestmark = pytest.mark.django_db

PAGE, KEPT = "/accounts/settings/", "/accounts/settings/kept/"
USUAL = written(TableSettings())


@pytest.fixture
def guest() -> Any:
    return get_user_model().objects.create_guest()


def put(client: Client, sent: Any) -> Any:
    return client.put(KEPT, sent, content_type="application/json")


def test_what_is_set_at_the_table_is_kept_and_shown_on_the_page(guest: Any) -> None:
    client = signed_in(guest)
    mine = {
        **USUAL,
        "sound": "on",
        "stops": ["defend"],
        "text": "large",
        "contrast": "more",
        "hand": "left",
        "keys": "off",
    }
    assert put(client, mine).json() == mine
    guest.refresh_from_db()
    assert guest.table_settings == mine
    page = client.get(PAGE).content.decode()
    assert re.search(r'name="sound" value="on"[^>]* checked', page)
    assert re.search(r'name="stops" value="defend"[^>]* checked', page)
    assert '<html lang="en" data-kept data-contrast="more" data-text="large" data-hand="left" data-keys="off">' in page
    assert '<html lang="en" data-kept data-contrast="more"' in client.get("/").content.decode(), "on every page"
    assert '<html lang="en">' in Client().get("/").content.decode(), "a visitor's browser knows its own"


def test_the_page_keeps_what_is_chosen_without_javascript(guest: Any) -> None:
    client = signed_in(guest)
    answer = client.post(PAGE, {**USUAL, "speed": "double", "confirm": ["pass", "play"], "stops": []})
    assert answer.status_code == 302
    guest.refresh_from_db()
    assert guest.table_settings == {**USUAL, "speed": "double", "confirm": ["pass", "play"]}
    client.post(PAGE, {**USUAL, "stops": [], "confirm": []})
    guest.refresh_from_db()
    assert guest.table_settings == USUAL


def test_what_was_given_up_and_comes_late_takes_nothing_back(guest: Any, starters: None) -> None:
    client = signed_in(guest)
    deck = take_to_table(guest, Deck.objects.starters()[0].ref)
    match = lobby.play_computer(guest, deck, [deck])
    page = client.get(match.get_absolute_url()).content.decode()
    shown = re.search(r'data-revision="([^"]*)"', page)
    assert shown
    known = unescape(shown[1])

    def put_if(mark: str, **changed: str) -> Any:
        return client.put(KEPT, {**USUAL, **changed}, content_type="application/json", headers={"If-Match": mark})

    first = put_if(known, sound="on")
    assert (first.status_code, first["ETag"] != known) == (200, True)
    for late in (known, f"W/{known}", "rubbish", "*"):
        refused = put_if(late, speed="off")
        assert (refused.status_code, refused["ETag"]) == (412, first["ETag"])
    guest.refresh_from_db()
    assert guest.table_settings == {**USUAL, "sound": "on"}
    # Also where what is kept is again what the late one knew.
    back = put_if(f"W/{first['ETag']}")
    assert back.status_code == 200 and put_if(known, sound="on").status_code == 412
    client.post(PAGE, {**USUAL, "speed": "double"})
    assert put_if(back["ETag"]).status_code == 412, "the page of the account has kept something since"


@pytest.mark.parametrize(("name", "value"), [("stops", "action"), ("confirm", "pass")])
def test_what_is_chosen_again_and_again_counts_once(guest: Any, name: str, value: str) -> None:
    answer = signed_in(guest).post(PAGE, {**USUAL, "stops": [], "confirm": [], name: [value] * 9})
    assert answer.status_code == 302
    guest.refresh_from_db()
    assert guest.table_settings == {**USUAL, name: [value]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"speed": "warp"},
        {"speed": None},
        {"sound": True},
        {"stops": "defend"},
        {"stops": ["defend"] * 9},
        {"stops": ["fly"]},
        {"stops": [["defend"]]},
        {"more": 1},
        {"auto_pass": "never"},
        [],
        "text",
    ],
)
def test_anything_else_is_refused_and_changes_nothing(guest: Any, wrong: Any) -> None:
    answer = put(signed_in(guest), json.dumps({**USUAL, **wrong} if isinstance(wrong, dict) else wrong))
    assert answer.status_code == 400 and answer.json()["detail"]
    guest.refresh_from_db()
    assert guest.table_settings == {}


@pytest.mark.parametrize("sent", ["", "{}", '{"speed": "half"}', json.dumps({**USUAL, "stops": None}), "null"])
def test_settings_that_lack_something_take_nothing_back(guest: Any, sent: str) -> None:
    client = signed_in(guest)
    mine = {**USUAL, "text": "largest"}
    put(client, mine)
    answer = put(client, sent)
    assert answer.status_code == 400 and answer.json()["detail"]
    guest.refresh_from_db()
    assert guest.table_settings == mine


@pytest.mark.parametrize("fields", [{}, {"speed": "warp"}, {"stops": "fly"}, {"hand": "\x00"}])
def test_a_form_with_something_else_says_so(guest: Any, fields: dict[str, str]) -> None:
    sent = {**USUAL, "stops": [], "confirm": [], **fields} if fields else {}
    answer = signed_in(guest).post(PAGE, sent or {"nothing": "1"})
    assert answer.status_code == 400 and b'role="alert"' in answer.content
    guest.refresh_from_db()
    assert guest.table_settings == {}


def test_only_ones_own_and_only_signed_in(guest: Any) -> None:
    other = get_user_model().objects.create_guest()
    assert put(signed_in(guest), {**USUAL, "speed": "off"}).status_code == 200
    other.refresh_from_db()
    assert other.table_settings == {}
    assert put(Client(), {**USUAL, "speed": "off"}).status_code == 403
    assert Client().get(PAGE).status_code == 302
    assert signed_in(guest).get(KEPT).status_code == 405
    strict = signed_in(guest, strict=True)
    assert put(strict, {**USUAL, "speed": "half"}).status_code == 403


def test_a_guest_who_makes_an_account_keeps_them(guest: Any) -> None:
    client = signed_in(guest)
    put(client, {**USUAL, "text": "largest"})
    password = "raptor in the dark 7"
    client.post("/accounts/upgrade/", {"username": "starbuck", "password1": password, "password2": password})
    user = get_user_model().objects.get(username="starbuck")
    assert (user.pk, user.is_guest, user.table_settings["text"]) == (guest.pk, False, "largest")


def test_what_was_stored_by_another_version_is_read_as_far_as_it_is_understood() -> None:
    stored = {"speed": "double", "sound": "brass", "stops": ["defend"], "gone": 1, "hand": None}
    assert read_stored(stored) == TableSettings(speed="double", stops=("defend",))
    for strange in ({}, None, [], "text", 7):
        assert read_stored(strange) == TableSettings()


def test_every_setting_has_words_for_all_that_can_be_chosen() -> None:
    assert {one.name for one in SETTINGS} == set(USUAL)
    for one in SETTINGS:
        for value, words in one.choices:
            chosen = [value] if one.many else value
            assert words and written(table_settings.read_sent({**USUAL, one.name: chosen}))[one.name] == chosen
