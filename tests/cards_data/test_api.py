"""The public API of the card database, and the catalogue file that the client lives on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from cards_data import api, catalog
from cards_data.export import public_version
from cards_data.imports import import_sets
from tests.cards_data.conftest import APOLLO, RAPTOR, WriteSet

FACTS = {
    "id", "type", "title", "subtitle", "name", "traits", "cost", "power", "threat", "mystic", "produces", "hand",
    "influence", "keywords", "requires", "pending", "set", "number", "rarity", "reprints", "text", "threat_text",
}  # fmt: skip


def got(client: Client, address: str, **headers: str) -> Any:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, address
    return answer.json()


def test_the_catalogue_file_has_every_card_with_every_fact(client: Client, all_cards: None) -> None:
    file = got(client, "/api/v1/cards/catalog.json")
    assert file["version"] == public_version()
    assert len(file["cards"]) == 351
    assert all(card.keys() == FACTS and card["id"] == key for key, card in file["cards"].items())
    assert file["cards"]["BSG1-014"] == {
        "id": "BSG1-014", "type": "event", "title": "", "subtitle": "Channel The Lords Of Kobol",
        "name": "Channel The Lords Of Kobol", "traits": ["Political"], "cost": {"persuasion": 2}, "power": None,
        "threat": 1, "mystic": 3, "produces": None, "hand": None, "influence": None,
        "keywords": [{"name": "expedite", "cost": {"persuasion": 2}}], "requires": [], "pending": False, "set": "BSG1",
        "number": 14, "rarity": "rare", "reprints": [], "threat_text": "",
        "text": ["When you next reveal a mystic value in a challenge this turn, reveal two and add them."],
    }  # fmt: skip
    assert file["cards"]["BSG2-045"]["keywords"] == [{"name": "link", "link": "personnel"}]
    president = file["cards"]["BSG2-139"]
    assert president["text"] == [
        "This ship cannot challenge.",
        "[[icon:commit|Commit]] this ship: target player gains 1 [[icon:influence|influence]].",
    ]
    assert file["cards"]["BSG1-108"]["threat_text"] == "Each player [[icon:sacrifice|sacrifices]] a unit."
    assert file["cards"]["BSG2-061"]["requires"] == ["Cylon personnel", "Cylon ship"]


def test_a_named_version_may_be_kept_for_ever(client: Client, all_cards: None) -> None:
    answer = client.get(f"/api/v1/cards/catalog.json?v={public_version()}")
    assert "immutable" in answer["Cache-Control"]
    assert "max-age=31536000" in answer["Cache-Control"]
    assert answer.json()["version"] == public_version()


@pytest.mark.parametrize("query", ["", "?v={fingerprint}"])
def test_others_are_asked_for_again_and_not_sent_twice(client: Client, all_cards: None, query: str) -> None:
    address = f"/api/v1/cards/catalog.json{query.format(fingerprint=catalog.current().fingerprint)}"
    answer = client.get(address)
    assert "no-cache" in answer["Cache-Control"]
    again = client.get(address, headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    assert not again.content


def test_it_is_compressed(client: Client, all_cards: None) -> None:
    answer = client.get("/api/v1/cards/catalog.json", headers={"accept-encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert len(answer.content) < 30_000


def test_an_older_version_can_still_be_had(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set(cards=APOLLO)])
    old, fingerprint = public_version(), catalog.current().fingerprint
    import_sets([write_set(cards=APOLLO.replace("power: 2", "power: 5"))])
    assert public_version() != old
    for v, power in ((old, 2), (fingerprint, 2), (public_version(), 5)):
        assert got(client, f"/api/v1/cards/catalog.json?v={v}")["cards"]["TST-01"]["power"] == power


@pytest.mark.parametrize("v", ["nothing", "0123456789abcdef-01234567", "-"])
def test_a_version_that_never_was_is_a_404(client: Client, all_cards: None, v: str) -> None:
    answer = client.get(f"/api/v1/cards/catalog.json?v={v}")
    assert answer.status_code == (200 if v == "-" else 404)


def test_before_any_import_the_catalogue_is_empty(client: Client, db: None) -> None:
    assert got(client, "/api/v1/cards/catalog.json")["cards"] == {}
    assert got(client, "/api/v1/cards/")["count"] == 0


def test_one_card_with_its_printings_and_words(client: Client, all_cards: None) -> None:
    card = got(client, "/api/v1/cards/BSG1-130/")
    assert card.keys() > FACTS
    assert [one["id"] for one in card["printings"]] == ["BSG1-130", "BSG1L-09"]
    assert card["reminders"] == {"vision": "Cannot challenge or defend."}
    assert (card["url"], card["withdrawn"], card["set"]) == ("/cards/BSG1-130/", False, "BSG1")
    assert got(client, "/api/v1/cards/bsg1l-09/") == card
    assert got(client, "/api/v1/cards/BSG1-090/")["requirement"] == "2 Pilots and 2 ships"


def test_a_card_that_is_not_there(client: Client, all_cards: None) -> None:
    answer = client.get("/api/v1/cards/NOPE/")
    assert answer.status_code == 404
    assert json.loads(answer.content)["detail"]


def test_the_list_is_searched_in_the_language_of_the_page(client: Client, all_cards: None) -> None:
    found = got(client, "/api/v1/cards/?q=type:ship+trait:scout+order:pow&page_size=5")
    assert found["count"] == 17
    assert len(found["results"]) == 5
    assert "page=2" in found["next"]
    assert all("Scout" in card["traits"] for card in found["results"])
    powers = [card["power"] for card in got(client, "/api/v1/cards/?q=t:ship+order:pow&page_size=400")["results"]]
    assert powers == sorted(powers, reverse=True)
    assert len(got(client, "/api/v1/cards/?page_size=400")["results"]) == 351


def test_a_query_that_cannot_be_read_is_answered_with_where_and_why(client: Client, all_cards: None) -> None:
    answer = client.get("/api/v1/cards/?q=raptor+pwr:2")
    assert answer.status_code == 400
    told = answer.json()
    assert (told["code"], told["start"], told["end"], told["suggestion"]) == ("unknown_field", 7, 10, "pow")
    assert told["detail"] == "There is no field “pwr”."
    assert "cost" in told["expected"]
    answer = client.get("/api/v1/cards/?type=ship")
    assert (answer.status_code, answer.json()["expected"]) == (400, ["page", "page_size", "q"])


def test_the_list_costs_few_queries(client: Client, all_cards: None, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(6):
        got(client, "/api/v1/cards/?page_size=400")


def test_a_card_of_the_list_is_what_its_own_address_says(client: Client, all_cards: None) -> None:
    for card in got(client, "/api/v1/cards/?q=viper&page_size=400")["results"]:
        assert got(client, f"/api/v1/cards/{card['id']}/") == card


def test_a_long_list_is_made_once(client: Client, all_cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    first = got(client, "/api/v1/cards/?page_size=400")
    monkeypatch.setattr("cards_data.api.card_answer", None)
    assert got(client, "/api/v1/cards/?page_size=400") == first


def test_a_card_that_came_after_the_list_was_made_is_left_for_the_next_answer(
    client: Client, all_cards: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dict(api._prepared(catalog.data()))
    last = before.popitem()[0]
    monkeypatch.setattr(api, "_prepared", lambda data: before)
    ids = [card["id"] for card in got(client, "/api/v1/cards/?page_size=400")["results"]]
    assert len(ids) == 350 and last not in ids


def test_nothing_can_be_written(client: Client, all_cards: None) -> None:
    for address in ("/api/v1/cards/", "/api/v1/cards/BSG1-130/", "/api/v1/cards/catalog.json"):
        assert client.post(address).status_code == 405
        assert client.delete(address).status_code == 405


def test_a_withdrawn_card_says_so(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set(cards=APOLLO + RAPTOR)])
    import_sets([write_set(cards=APOLLO)])
    assert got(client, "/api/v1/cards/TST-02/")["withdrawn"]
    assert got(client, "/api/v1/cards/")["count"] == 1
