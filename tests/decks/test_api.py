"""The API of decks: same rights as the pages, bounds before work."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from ccg.api.bodies import MAX_BODY
from decks import services
from decks.models import Deck
from decks.social import opinions

CHECK = "/api/v1/legality/"


def check(client: Client, body: Any) -> Any:
    content = body if isinstance(body, (bytes, str)) else json.dumps(body)
    return client.post(CHECK, content, content_type="application/json")


def test_a_deck_as_json(deck: Deck, as_alice: Client) -> None:
    said = as_alice.get(f"/api/v1/decks/{deck.uid}/").json()

    assert said["schema"] == "ragtag-fleet/deck/1"
    assert (said["name"], said["owner"], said["format"]) == ("Viper Wing", "alice", "standard-2006")
    assert (said["base"], said["version"], said["parent"], said["data_version"]) == ("BSG1-002", 1, None, 1)
    assert sum(card["qty"] for card in said["cards"]) == 60
    assert said["legality"] == {"legal": True, "problems": [], "advice": []}
    assert services.read_text(said["text"]).deck.bases == ["BSG1-002"]


def test_a_deck_as_json_says_what_its_page_does_besides_the_list(deck: Deck, as_bob: Client, bob: Any) -> None:
    services.set_visibility(deck, "public")
    opinions.describe(deck, "Plays **fast**.", "rush, scouts")
    said = as_bob.get(f"/api/v1/decks/{deck.uid}/").json()
    assert (said["labels"], said["write_up"], said["origin"]) == (["rush", "scouts"], "Plays **fast**.", None)
    copy = services.fork(bob, deck.head)
    address = f"/api/v1/decks/{copy.uid}/"
    assert as_bob.get(address).json()["origin"] == {"uid": deck.uid, "version": 1}
    services.set_visibility(deck, "private")
    assert as_bob.get(address).json()["origin"] is None


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 404), ("public", 200)])
def test_rights_are_those_of_the_page(deck: Deck, client: Client, as_bob: Client, visibility: str, status: int) -> None:
    services.set_visibility(deck, visibility)

    for other in (client, as_bob):
        assert other.get(f"/api/v1/decks/{deck.uid}/").status_code == status
    missing = client.get("/api/v1/decks/nothing-here/")
    assert missing.status_code == 404
    if status == 404:
        assert client.get(f"/api/v1/decks/{deck.uid}/").content == missing.content


def test_a_list_is_read_line_by_line_and_checked(all_cards: None, client: Client) -> None:
    said = check(client, {"text": "# Try\nBase: Galactica\n4 Starbuck\n5 Raptor 227"}).json()

    assert [line["kind"] for line in said["lines"]] == ["name", "matched", "ambiguous", "matched"]
    assert said["undecided"] == [3]
    assert said["deck"]["counts"] == {"BSG1-164": 5}
    few, many = said["legality"]["problems"]
    assert (few["code"], few["found"], few["required"]) == ("too_few_cards", 5, 60)
    assert many["words"] == "There are 5 copies of Raptor 227; at most 4 are allowed."
    assert many["text"].startswith("There are 5 copies of [[card:BSG1-164|Raptor 227]]")
    assert many["actions"] == [{"do": "set_count", "card": "BSG1-164", "count": 4}]
    assert many["reference"].startswith("Rulebook")
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("more", "legal"),
    [([], True), (["4 Starbuck"], False), (["4 Nosuch"], False), (["Considering", "4 Starbuck"], True)],
)
def test_a_deck_with_a_line_that_is_not_clear_is_not_said_to_be_legal(
    all_cards: None, client: Client, more: list[str], legal: bool
) -> None:
    lines = ["Format: standard-2006", "Base: Galactica (BSG1) 7", *(f"4 (BSG1) {n}" for n in range(98, 113)), *more]
    said = check(client, {"text": "\n".join(lines)}).json()

    assert (said["legality"]["legal"], said["legality"]["problems"]) == (legal, [])


def test_picks_decide(all_cards: None, client: Client) -> None:
    said = check(client, {"text": "4 Starbuck", "picks": {"1": "BSG1-136"}}).json()

    assert said["undecided"] == []
    assert said["deck"]["counts"] == {"BSG1-136": 4}


def test_a_list_is_judged_in_the_form_in_which_decks_are_sent(all_cards: None, client: Client) -> None:
    body = {"base": "BSG1-002", "cards": [{"id": "BSG1-164", "qty": 5}], "considering": [{"id": "BSG1-136", "qty": 1}]}
    said = check(client, {**body, "format": "standard-2006"}).json()

    assert (said["deck"]["bases"], said["deck"]["counts"]) == (["BSG1-002"], {"BSG1-164": 5})
    assert (said["deck"]["considering"], said["deck"]["format"]) == ({"BSG1-136": 1}, "standard-2006")
    assert [problem["code"] for problem in said["legality"]["problems"]] == ["too_few_cards", "too_many_copies"]
    assert check(client, {**body, "text": "4 Stims"}).json()["code"] == "no_list"
    assert check(client, {**body, "format": "nothing"}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        b'{"text": 4}',
        b'{"text": "x", "picks": 3}',
        b'{"text": "x", "picks": {"1": 2}}',
        b'{"text": "x"',
        b"\xff\xfe",
        b"[" * 100_000,
        json.dumps({"text": "4 Stims\n" * 600}).encode(),
    ],
)
def test_what_is_wrong_is_refused_in_json(all_cards: None, client: Client, body: bytes) -> None:
    answer = check(client, body)

    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json()


def test_too_large_a_body_is_not_read(all_cards: None, client: Client) -> None:
    assert check(client, b'{"text": "' + b"x" * MAX_BODY + b'"}').status_code == 413


def test_other_forms_are_refused(all_cards: None, client: Client) -> None:
    assert client.post(CHECK, {"text": "4 Stims"}).status_code == 400
    assert client.get(CHECK).status_code == 405


@pytest.mark.parametrize("text", ["\ud800 4 Stims", "\x00", "𝔊alactica", "4 Stims #\ud800x", "# \ud800"])
def test_odd_characters_make_no_error(all_cards: None, client: Client, text: str) -> None:
    answer = check(client, {"text": text})

    assert answer.status_code == 200
    assert answer.json()["lines"]


def test_it_works_before_the_first_import(client: Client, db: None) -> None:
    said = check(client, {"text": "Base: Galactica\n4 Stims"}).json()

    assert [line["kind"] for line in said["lines"]] == ["unknown", "unknown"]
    assert not said["legality"]["legal"]


@pytest.mark.parametrize("name", ["", "  \u200b ", "a" * 81])
def test_a_name_that_no_deck_can_have_is_refused_as_such(deck: Deck, as_alice: Client, name: str) -> None:
    address = f"/api/v1/decks/{deck.uid}/"

    refused = as_alice.patch(address, json.dumps({"name": name}), content_type="application/json")

    assert (refused.status_code, refused.json()["code"], refused.json()["parameter"]) == (400, "wrong_value", "name")
    deck.refresh_from_db()
    assert deck.name == "Viper Wing"
