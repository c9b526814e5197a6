"""The OpenAPI document: valid, complete, and true of real answers of every operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from cards_data import bulk
from ccg.api.bodies import MAX_BODY
from ccg.api.pages import MOST
from ccg.server.api import throttles
from ccg.server.api.views import VERBS, document
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST

LIST = {"text": LEGAL_LIST}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that can be used by itself."""
    return {**schema, "components": document()["components"]}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, verbs in document()["paths"].items():
        for verb in VERBS:
            if verb in verbs:
                yield path, verb, verbs[verb]


def assert_fits(path: str, verb: str, answer: Any) -> None:
    """Assert that an answer is one of those that the document says."""
    responses = document()["paths"][path][verb]["responses"]
    assert str(answer.status_code) in responses, (path, verb, answer.status_code, answer.content[:300])
    content = responses[str(answer.status_code)].get("content")
    if content is None:
        assert not answer.content
        return
    assert answer["Content-Type"] == "application/json"
    jsonschema.Draft202012Validator(resolved(content["application/json"]["schema"])).validate(answer.json())


def test_it_is_openapi_3_1_and_nothing_was_guessed(db: None) -> None:
    with GENERATOR_STATS.silence():
        GENERATOR_STATS.reset()
        validate_schema(SchemaGenerator().get_schema(public=True))
        warned = [*GENERATOR_STATS._error_cache, *GENERATOR_STATS._warn_cache]
    assert not warned
    assert document()["openapi"].startswith("3.1")


def test_every_address_below_the_version_is_in_it() -> None:
    def walk(resolver: URLResolver, before: str = "") -> Iterator[str]:
        for one in resolver.url_patterns:
            if isinstance(one, URLPattern):
                yield before + str(one.pattern)
            else:
                yield from walk(one, before + str(one.pattern))

    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{route}") for route in walk(get_resolver()) if "api/v1" in route}
    assert routes - {"/api/v1/schema/"} == set(document()["paths"])


def test_operations_say_what_they_do() -> None:
    ids = [one["operationId"] for _, _, one in operations()]
    assert len(ids) == len(set(ids)) >= 20
    for path, verb, one in operations():
        assert one["summary"], (path, verb)
        assert "429" in one["responses"], (path, verb)
        for schema in re.findall(r"#/components/schemas/(\w+)", str(one)):
            assert schema in document()["components"]["schemas"]


def examples(deck: Deck) -> Iterator[tuple[str, str, str, Any]]:
    """What is asked of every operation: its path in the document, verb, address, body."""
    uid = deck.uid
    yield from (
        ("/api/v1/", "get", "/api/v1/", None),
        ("/api/v1/cards/", "get", "/api/v1/cards/?q=t:mission&page_size=30", None),
        ("/api/v1/cards/", "get", "/api/v1/cards/?q=nonsense:4", None),
        ("/api/v1/cards/", "get", "/api/v1/cards/?page=99", None),
        ("/api/v1/cards/", "get", "/api/v1/cards/?page=-1", None),
        ("/api/v1/cards/", "get", "/api/v1/cards/?page_size=400", None),
        ("/api/v1/cards/catalog.json", "get", "/api/v1/cards/catalog.json", None),
        ("/api/v1/cards/catalog.json", "get", "/api/v1/cards/catalog.json?v=nothing", None),
        ("/api/v1/cards/{card_id}/", "get", "/api/v1/cards/BSG1-136/", None),
        ("/api/v1/cards/{card_id}/", "get", "/api/v1/cards/BSG1-999/", None),
        ("/api/v1/cards/{card_id}/legality/", "get", "/api/v1/cards/BSG1-136/legality/", None),
        ("/api/v1/printings/", "get", "/api/v1/printings/?set=BSG2&rarity=rare", None),
        ("/api/v1/printings/", "get", "/api/v1/printings/?rarity=golden", None),
        ("/api/v1/printings/{card_id}/", "get", "/api/v1/printings/BSG1L-09/", None),
        ("/api/v1/sets/", "get", "/api/v1/sets/", None),
        ("/api/v1/sets/{code}/", "get", "/api/v1/sets/BSG1/", None),
        ("/api/v1/search/cards/", "get", "/api/v1/search/cards/", None),
        ("/api/v1/search/decks/", "get", "/api/v1/search/decks/", None),
        ("/api/v1/bulk/", "get", "/api/v1/bulk/", None),
        ("/api/v1/bulk/{name}.json", "get", "/api/v1/bulk/sets.json", None),
        ("/api/v1/bulk/{name}.json", "get", "/api/v1/bulk/nothing.json", None),
        ("/api/v1/formats/", "get", "/api/v1/formats/", None),
        ("/api/v1/formats/{code}/", "get", "/api/v1/formats/standard-2006/", None),
        ("/api/v1/legality/", "post", "/api/v1/legality/", {"text": "4 Starbuck\n5 Raptor 227"}),
        ("/api/v1/legality/", "post", "/api/v1/legality/", {"text": 4}),
        ("/api/v1/decks/", "get", "/api/v1/decks/?mine=true", None),
        ("/api/v1/decks/", "get", "/api/v1/decks/", None),
        ("/api/v1/decks/", "post", "/api/v1/decks/", LIST),
        ("/api/v1/decks/", "post", "/api/v1/decks/", {"text": "4 Starbuck"}),
        ("/api/v1/decks/{uid}/", "get", f"/api/v1/decks/{uid}/", None),
        ("/api/v1/decks/{uid}/", "get", "/api/v1/decks/nothing/", None),
        ("/api/v1/decks/{uid}/", "put", f"/api/v1/decks/{uid}/", {"text": "4 Stims", "note": "fewer"}),
        ("/api/v1/decks/{uid}/", "patch", f"/api/v1/decks/{uid}/", {"name": "Renamed"}),
        ("/api/v1/decks/{uid}/versions/", "get", f"/api/v1/decks/{uid}/versions/", None),
        ("/api/v1/decks/{uid}/versions/{number}/", "get", f"/api/v1/decks/{uid}/versions/1/", None),
        ("/api/v1/matches/{match_id}/", "get", "/api/v1/matches/2222222222222222/", None),
        ("/api/v1/matches/{match_id}/ending/", "get", "/api/v1/matches/2222222222222222/ending/", None),
        ("/api/v1/matches/{match_id}/rating/", "get", "/api/v1/matches/2222222222222222/rating/", None),
        ("/api/v1/matches/{match_id}/replay/", "get", "/api/v1/matches/2222222222222222/replay/", None),
        ("/api/v1/matches/{match_id}/shuffles/", "get", "/api/v1/matches/2222222222222222/shuffles/", None),
        ("/api/v1/statistics/", "get", "/api/v1/statistics/?show=matchups&sort=least", None),
        ("/api/v1/statistics/", "get", "/api/v1/statistics/?show=players", None),
        ("/api/v1/shuffles/commitments/", "post", "/api/v1/shuffles/commitments/", None),
        ("/api/v1/decks/{uid}/", "delete", f"/api/v1/decks/{uid}/", None),
    )


def test_real_answers_fit_what_it_says(deck: Deck, as_alice: Client, client: Client) -> None:
    asked = set()
    bulk.handle({"name": "sets"})
    for path, verb, address, body in examples(deck):
        kwargs = {} if body is None else {"data": body, "content_type": "application/json"}
        without = getattr(client, verb)(address, **kwargs)
        answer = getattr(as_alice, verb)(address, **kwargs)
        assert_fits(path, verb, without)
        assert_fits(path, verb, answer)
        if answer.status_code == 200 and verb == "get":
            again = as_alice.get(address, headers={"if-none-match": answer["ETag"]})
            assert again.status_code == 304, address
        asked.add((path, verb))
    assert asked >= {(path, verb) for path, verb, _ in operations()}


def test_a_running_match_fits_what_it_says(starters: None, client: Client) -> None:
    client.post("/guest/")
    table = client.post("/play/computer/")["Location"]
    answer = client.get(f"/api/v1/matches/{table.strip('/').rpartition('/')[2]}/")

    assert answer.status_code == 200
    assert_fits("/api/v1/matches/{match_id}/", "get", answer)


def test_the_page_shows_every_operation_and_type_without_script_of_its_own(client: Client, db: None) -> None:
    page = client.get("/api/docs/").content.decode()

    for path, verb, one in operations():
        assert f'id="{one["operationId"]}"' in page
        assert f"<b>{verb.upper()}</b> {path}" in page
    for name in document()["components"]["schemas"]:
        assert f'id="type-{name}"' in page
    assert page.count("<script") == client.get("/rules/clauses/").content.decode().count("<script")


def test_the_document_is_served_and_asked_for_again(client: Client, db: None) -> None:
    answer = client.get("/api/v1/schema/")

    assert answer.json() == document()
    assert client.get("/api/v1/schema/", headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_the_start_leads_to_every_list(client: Client, db: None) -> None:
    for address in client.get("/api/v1/").json()["addresses"].values():
        assert client.get(address.removeprefix("http://testserver")).status_code in (200, 405), address


@pytest.mark.parametrize("kind", ["text/html", "application/xml", "*/*", "nonsense", ""])
def test_answers_are_json_whatever_would_be_liked_best(client: Client, db: None, kind: str) -> None:
    assert client.get("/api/v1/sets/", headers={"accept": kind})["Content-Type"] == "application/json"


def test_the_manual_says_what_is_so() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "api.md").read_text(encoding="utf-8")

    assert f"at most {MAX_BODY // 1024} KiB" in text
    assert f"{throttles.READING} requests a minute for reading and {throttles.WRITING} for writing" in text
    assert f"`page_size` goes to {MOST}" in text
    named = {
        re.sub(r"<\w+>", "{}", one)
        for one in re.findall(r"`(?:[A-Z]+ )?([a-z]+/[\w<>/.]*)`", text.partition("## How")[0])
    }
    there = {re.sub(r"{\w+}", "{}", path.removeprefix("/api/v1/")) for path in document()["paths"]} - {""}
    assert named == there
