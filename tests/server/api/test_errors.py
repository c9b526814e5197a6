"""What goes wrong: one form everywhere, with what is possible; never a page, never a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client, override_settings

from ccg.server.api import throttles


def error_of(answer: Any, status: int) -> Any:
    assert answer.status_code == status, answer.content[:300]
    assert answer["Content-Type"] == "application/json"
    said = answer.json()
    assert {"code", "detail"} <= said.keys()
    return said


@pytest.mark.parametrize(
    "address",
    [
        "/api/",
        "/api/v2/cards/",
        "/api/decks/x/",
        "/api/v1/cards/%00/",
        "/api/v1/nothing",
        "/api/v1/bulk/%0Asets.json",
        "/api/%0A",
        "/api/v1/cards/..%2f/",
        "/api/x/y",
    ],
)
def test_below_api_there_are_no_pages(db: None, address: str) -> None:
    # As programs are: the tests' own client would pass by the middleware that looks for a form's token.
    client = Client(enforce_csrf_checks=True)
    for verb in (client.get, client.post, client.put, client.patch, client.delete, client.options):
        assert error_of(verb(address), 404)["code"] == "not_found"


def test_the_document_is_asked_for_like_everything_else(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    assert error_of(client.post("/api/v1/schema/"), 405)["code"] == "method_not_allowed"
    assert error_of(client.get("/api/v1/schema/?colour=red"), 400)["parameter"] == "colour"


def test_who_forgets_the_slash_is_told(client: Client, db: None) -> None:
    assert "end in a slash" in error_of(client.get("/api/v1/cards"), 404)["detail"]


@pytest.mark.parametrize(("name", "value"), [("set", "XYZ"), ("card", "BSG1-999"), ("rarity", "mythic")])
def test_values_that_there_are_not_are_refused(client: Client, all_cards: None, name: str, value: str) -> None:
    said = error_of(client.get("/api/v1/printings/", {name: value}), 400)
    assert (said["code"], said["parameter"]) == ("wrong_value", name)
    assert said["expected"]


@pytest.mark.parametrize("query", ["set=BSG1&set=BSG2", "page=2&page=2", "page_size=5&set=BSG1&page_size=6"])
def test_a_parameter_that_stands_there_twice_is_refused(client: Client, all_cards: None, query: str) -> None:
    """One of the two would be passed over without a word."""
    said = error_of(client.get(f"/api/v1/printings/?{query}"), 400)
    assert (said["code"], said["parameter"]) == ("repeated_parameter", query.partition("=")[0])


@pytest.mark.parametrize("about", ["cards", "decks"])
def test_a_field_that_there_is_not_is_answered_with_all_that_there_are(
    client: Client, all_cards: None, about: str
) -> None:
    said = error_of(client.get(f"/api/v1/{about}/", {"q": "colour:red"}), 400)
    fields = client.get(f"/api/v1/search/{about}/").json()["fields"]
    assert said["expected"] == [field["names"][0] for field in fields]


LISTS = ["cards/", "printings/", "sets/", "formats/", "decks/"]


@pytest.mark.parametrize("name", [*LISTS, "", "search/cards/", "cards/BSG1-001/", "cards/catalog.json", "sets/BSG1/"])
def test_parameters_that_there_are_not_are_named(client: Client, all_cards: None, name: str) -> None:
    said = error_of(client.get(f"/api/v1/{name}?colour=red"), 400)
    assert (said["code"], said["parameter"]) == ("unknown_parameter", "colour")
    assert isinstance(said["expected"], list)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("value", ["0", "-1", "401", "1.5", "ten", "", "٣", "9" * 40])
def test_sizes_that_cannot_be_are_told_with_those_that_can(
    client: Client, all_cards: None, name: str, value: str
) -> None:
    said = error_of(client.get(f"/api/v1/{name}", {"page_size": value}), 400)
    assert (said["code"], said["parameter"], said["expected"]) == (
        "wrong_value",
        "page_size",
        ["a number from 1 to 400"],
    )


@pytest.mark.parametrize(
    ("address", "parameter", "expected"),
    [
        ("printings/?rarity=golden", "rarity", "uncommon"),
        ("decks/?mine=perhaps", "mine", "false"),
        ("printings/?card=%00", "card", "text of at most 15 characters"),
        ("printings/?set=" + "x" * 11, "set", "text of at most 10 characters"),
    ],
)
def test_values_that_cannot_be_are_told_with_those_that_can(
    client: Client, all_cards: None, address: str, parameter: str, expected: str
) -> None:
    said = error_of(client.get(f"/api/v1/{address}"), 400)
    assert (said["code"], said["parameter"]) == ("wrong_value", parameter)
    assert expected in said["expected"]


def test_a_page_behind_the_last_is_told(client: Client, all_cards: None) -> None:
    assert error_of(client.get("/api/v1/sets/?page=2"), 404)["code"] == "no_such_page"


def test_pages_lead_on_with_everything_that_was_asked(client: Client, all_cards: None) -> None:
    ids, address = [], "/api/v1/cards/?q=t:ship&page_size=40"
    while address:
        page = client.get(address).json()
        ids += [card["id"] for card in page["results"]]
        address = (page["next"] or "").removeprefix("http://testserver")
    whole = client.get("/api/v1/cards/?q=t:ship&page_size=400").json()
    assert ids == [card["id"] for card in whole["results"]]
    assert len(ids) == whole["count"] > 60


def test_verbs_that_there_are_not(client: Client, db: None) -> None:
    assert error_of(client.post("/api/v1/cards/"), 405)["code"] == "method_not_allowed"
    assert error_of(client.put("/api/v1/legality/"), 405)["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "no_list"),
        (b"\xff", "not_json"),
        (b"[]", "not_an_object"),
        (b"{}", "no_list"),
        (b'{"text": 4}', "wrong_value"),
        (b'{"text": "4 Fury", "colour": 1}', "unknown_field"),
        (b'{"text": "4 Fury", "picks": {"1": 2}}', "wrong_value"),
        (b'{"text": "<deck><section>"}', "unreadable"),
        (json.dumps({"text": "4 Fury\n" * 600}).encode(), "unreadable"),
        (b"[" * 100_000, "not_json"),
        (b'{"\\ud800": 1}', "unknown_field"),
        (b'{"\\uDC00x": 1}', "unknown_field"),
        (b'{"text": "4 Fury", "text": "4 Stims"}', "repeated_field"),
        (b'{"text": "4 Fury", "picks": {"1": "-", "1": "-"}}', "repeated_field"),
        (b'{"\\ud800": 1, "\\ud800": 2}', "repeated_field"),
        (b'{"text": "4 Fury", "text\\ud800": "4 Stims"}', "repeated_field"),
        (b'{"\xed\xa0\x80": 1}', "not_json"),
    ],
)
def test_bodies_that_cannot_be_taken_say_why(client: Client, all_cards: None, body: bytes, code: str) -> None:
    said = error_of(client.post("/api/v1/legality/", body, content_type="application/json"), 400)
    assert said["code"] == code
    assert said["detail"].endswith(".")
    if code == "repeated_field":
        assert said["parameter"] in ("text", "1", "")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
def test_bodies_are_json(client: Client, all_cards: None, kind: str) -> None:
    answer = client.post("/api/v1/legality/", b"--x--\r\n", content_type=kind)
    assert error_of(answer, 415)["code"] == "unsupported_media_type"


def test_text_in_another_codec_is_told_as_json(client: Client, db: None) -> None:
    answer = client.post("/api/v1/legality/", b"{}", content_type="application/json; charset=utf-16")
    assert error_of(answer, 400)["code"] == "bad_request"


def test_a_fault_of_ours_is_told_as_json(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("cards_data.api._sets", broken)
    client.raise_request_exception = False
    assert error_of(client.get("/api/v1/sets/"), 500)["code"] == "server_error"


@override_settings(LIMITS=0.01)
def test_who_asks_too_often_is_told_how_long_to_wait(client: Client, all_cards: None) -> None:
    answers = [client.get("/api/v1/sets/") for _ in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
    assert [answer["RateLimit-Remaining"] for answer in answers[:3]] == ["5", "4", "3"]
    assert answers[0]["RateLimit-Limit"] == "6"
    assert 0 < int(answers[7]["RateLimit-Reset"]) <= throttles.MINUTE
    assert 0 < int(answers[7]["Retry-After"]) <= throttles.MINUTE + 1
    assert error_of(answers[7], 429)["code"] == "too_many_requests"
    other = client.get("/api/v1/sets/", REMOTE_ADDR="203.0.113.9")
    assert other.status_code == 200


@override_settings(LIMITS=0.01)
@pytest.mark.parametrize(
    ("address", "header", "status"),
    [("/api/v1/nothing/", "", 404), ("/api/x", "", 404), ("/api/v1/decks/", f"Bearer rtf_{'A' * 43}", 401)],
)
def test_what_is_refused_is_counted_as_well(
    client: Client, all_cards: None, address: str, header: str, status: int
) -> None:
    headers = {"authorization": header} if header else {}
    answers = [client.get(address, headers=headers) for _ in range(7)]

    assert [answer.status_code for answer in answers] == [status] * 6 + [429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["5", "4", "3", "2", "1", "0", "0"]
    assert error_of(answers[6], 429)["code"] == "too_many_requests"
    assert client.get(address, headers=headers, REMOTE_ADDR="203.0.113.9").status_code == status


@override_settings(LIMITS=0.02)
def test_writing_is_counted_apart_from_reading(client: Client, all_cards: None) -> None:
    checks = [
        client.post("/api/v1/legality/", {"text": "4 Fury"}, content_type="application/json").status_code
        for _ in range(2)
    ]
    assert checks == [200, 429]
    assert client.get("/api/v1/sets/").status_code == 200


@override_settings(LIMITS=0)
def test_without_limits_nothing_is_counted(client: Client, all_cards: None) -> None:
    assert "RateLimit-Limit" not in client.get("/api/v1/sets/")


def test_pages_of_other_sites_may_read_and_nothing_else(client: Client, all_cards: None) -> None:
    for address in ("/api/v1/cards/BSG1-001/", "/api/v1/cards/BSG1-999/", "/api/v1/cards/?colour=red"):
        answer = client.get(address)
        assert answer["Access-Control-Allow-Origin"] == "*", address
        assert "ETag" in answer["Access-Control-Expose-Headers"]
        assert not answer.has_header("Access-Control-Allow-Credentials")
    kept = client.get("/api/v1/cards/BSG1-001/")["ETag"]
    assert client.get("/api/v1/cards/BSG1-001/", headers={"If-None-Match": kept})["Access-Control-Allow-Origin"] == "*"
    for answer in (client.post("/api/v1/decks/", {}), client.options("/api/v1/decks/")):
        assert not answer.has_header("Access-Control-Allow-Origin")
