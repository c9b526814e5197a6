"""Decks by program: what everybody may read, what a token may write, and what is the owner's alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from cards_data.models import Card
from decks import api, links, services
from decks.exchange.registry import BY_CODE
from decks.models import Deck, Format, FormatEdition
from tests.decks.conftest import LEGAL_LIST
from tests.people import signed_in

DECKS = "/api/v1/decks/"


def send(client: Client, verb: str, address: str, body: Any, **headers: str) -> Any:
    return getattr(client, verb)(address, body, content_type="application/json", headers=headers)


@pytest.fixture
def other_format(db: None) -> str:
    made = Format.objects.create(code="all-sets", name="All sets")
    FormatEdition.objects.create(format=made, starts="2006-01-01", sets=["BSG1", "BSG2"])
    return made.code


def test_lists_hold_what_everybody_sees(starters: None, deck: Deck, client: Client, as_alice: Client) -> None:
    count = client.get(DECKS).json()["count"]
    assert deck.uid not in client.get(DECKS).content.decode()

    services.set_visibility(deck, "public")
    rows = client.get(DECKS).json()
    assert rows["count"] == count + 1
    assert rows["results"][0]["uid"] == deck.uid
    assert as_alice.get(DECKS).json() == rows


def test_filters_choose_and_orders_order(starters: None, deck: Deck, client: Client) -> None:
    services.set_visibility(deck, "public")
    assert deck.head
    card = next(iter(deck.head.counts))

    def found(query: str) -> list[str]:
        return [row["name"] for row in client.get(DECKS, {"q": query}).json()["results"]]

    everything = found("")
    assert found("owner:Alice") == ["Viper Wing"]
    assert found("format:standard-2006") == everything
    assert found("order:name") == sorted(everything)
    assert found("order:name dir:desc") == sorted(everything, reverse=True)
    assert len(found("legal:now")) + len(found("-legal:now")) == len(everything)
    name = Card.objects.get(pk=card).name
    with_card = Deck.objects.filter(name__in=found(f'card="{name}"'))
    assert with_card
    assert all(card in one.head.counts for one in with_card)


def test_a_search_that_cannot_be_read_says_where(client: Client, db: None) -> None:
    told = client.get(DECKS, {"q": "viper bse:galactica"}).json()
    assert (told["code"], told["parameter"], told["start"], told["end"]) == ("unknown_field", "q", 6, 9)
    assert told["suggestion"] == "base"


def test_ones_own_are_for_a_token(deck: Deck, client: Client, as_alice: Client, as_bob: Client) -> None:
    assert client.get(f"{DECKS}?mine=true").status_code == 401
    assert client.get(f"{DECKS}?mine=true")["WWW-Authenticate"] == "Bearer"
    answer = as_alice.get(f"{DECKS}?mine=true")
    assert [row["uid"] for row in answer.json()["results"]] == [deck.uid]
    assert "no-store" in answer["Cache-Control"]
    assert as_bob.get(f"{DECKS}?mine=true").json()["count"] == 0


def test_a_deck_is_made_read_changed_and_deleted(all_cards: None, as_alice: Client, client: Client) -> None:
    made = send(as_alice, "post", DECKS, {"text": LEGAL_LIST})
    assert made.status_code == 201
    address = made["Location"].removeprefix("http://testserver")
    read = as_alice.get(address)
    assert read.json() == made.json()
    assert (read.json()["visibility"], read.json()["version"]) == ("private", 1)
    assert client.get(address).status_code == 404

    changed = send(as_alice, "put", address, {"text": f"{LEGAL_LIST}\n1 Stims", "note": "one more"})
    assert (changed.json()["version"], changed.json()["notes"]) == (2, "one more")
    renamed = send(as_alice, "patch", address, {"name": "  Other   name ", "visibility": "public"})
    assert (renamed.json()["name"], renamed.json()["visibility"]) == ("Other name", "public")
    versions = client.get(f"{address}versions/").json()
    assert [row["number"] for row in versions["results"]] == [2, 1]
    assert client.get(f"{address}versions/1/").json()["hash"] == made.json()["hash"]
    assert client.get(f"{address}versions/9/").status_code == 404

    assert as_alice.delete(address).status_code == 204
    assert as_alice.get(address).status_code == 404
    assert not Deck.objects.exists()


def test_what_was_read_can_be_sent_again(deck: Deck, as_alice: Client) -> None:
    services.new_version(deck, "# Marked\nBase: Galactica #home\n4 Fury #core\n99 Stims")
    read = as_alice.get(f"{DECKS}{deck.uid}/").json()

    sent = {name: read[name] for name in ("name", "format", "base", "base_tags", "cards", "considering")}
    again = send(as_alice, "put", f"{DECKS}{deck.uid}/", sent).json()
    assert (again["version"], again["hash"]) == (read["version"], read["hash"])
    made = send(as_alice, "post", DECKS, sent).json()
    for name in sent:
        assert made[name] == read[name], name


def test_lines_that_are_not_clear_are_asked_about(all_cards: None, as_alice: Client) -> None:
    answer = send(as_alice, "post", DECKS, {"text": "# Try\n4 Starbuck\n4 Fury"})
    assert (answer.status_code, answer.json()["code"], answer.json()["lines"]) == (400, "undecided", [2])
    assert not Deck.objects.exists()

    picked = send(as_alice, "post", DECKS, {"text": "# Try\n4 Starbuck\n4 Fury", "picks": {"2": "BSG1-136"}})
    assert picked.json()["cards"][1] == {"id": "BSG1-136", "qty": 4, "tags": []}


@pytest.mark.parametrize("picks", [{"3": "-"}, {"3": "BSG1-136"}, {"1": "-"}, {"9": "-"}, {"x": "-"}, {"": "-"}])
def test_a_pick_that_no_line_asks_for_is_not_passed_over(
    all_cards: None, as_alice: Client, deck: Deck, picks: dict[str, str]
) -> None:
    """Who wants a clear line left out, or counts lines otherwise, would get another deck than the one meant."""
    body = {"text": "# Try\n4 Starbuck\n4 Fury", "picks": {"2": "BSG1-136", **picks}}
    for verb, address in (("post", DECKS), ("put", f"{DECKS}{deck.uid}/"), ("post", "/api/v1/legality/")):
        answer = send(as_alice, verb, address, body)
        assert (answer.status_code, answer.json()["code"]) == (400, "wrong_value"), answer.content
        assert answer.json()["parameter"] == "picks"
    assert list(Deck.objects.values_list("pk", "head__number")) == [(deck.pk, 1)]


def test_other_forms_are_taken_as_text(deck: Deck, as_bob: Client) -> None:
    for form in ("octgn", "code", "csv"):
        written = BY_CODE[form].write(services.as_list(deck, deck.head), services.current_names())
        made = send(as_bob, "post", DECKS, {"text": written, "name": form})
        assert (made.status_code, made.json()["hash"]) == (201, deck.head.content_hash), made.content


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "no_list"),
        ({"text": "4 Fury", "cards": [{"id": "BSG1-061", "qty": 1}]}, 400, "no_list"),
        ({"text": "4 Fury", "visibility": "secret"}, 400, "wrong_value"),
        ({"text": "4 Fury", "colour": "red"}, 400, "unknown_field"),
        ({"cards": [{"id": "BSG1-061", "qty": 0}]}, 400, "wrong_value"),
        ({"cards": [{"id": "BSG9-061", "qty": 1}]}, 400, "undecided"),
        ({"text": "// nothing"}, 400, "empty_list"),
        ({"text": "Base: Galactica\nBase: Colonial One"}, 400, "many_bases"),
        ({"text": "{}"}, 400, "unreadable"),
        ({"text": "4 Fury\n" * 600}, 400, "unreadable"),
    ],
)
def test_what_cannot_be_stored_is_said(all_cards: None, as_alice: Client, body: Any, status: int, code: str) -> None:
    answer = send(as_alice, "post", DECKS, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Deck.objects.exists()


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_only_its_owner_changes_a_deck(deck: Deck, client: Client, as_bob: Client, visibility: str) -> None:
    services.set_visibility(deck, visibility)
    refs = [deck.uid, links.address_of(deck).strip("/").rpartition("/")[2] or deck.uid]

    for ref in refs:
        address = f"{DECKS}{ref}/"
        for verb, body in (("put", {"text": "4 Stims"}), ("patch", {"name": "Mine"}), ("delete", {})):
            assert send(client, verb, address, body).status_code == 401
            assert send(as_bob, verb, address, body).status_code == 404
    deck.refresh_from_db()
    assert (deck.name, deck.head.number) == ("Viper Wing", 1)


@pytest.mark.parametrize(("verb", "body"), [("put", {"text": "4 Fury"}), ("patch", {"name": "Faster"})])
def test_a_deck_that_is_made_private_meanwhile_stays_private(
    deck: Deck, as_alice: Client, monkeypatch: pytest.MonkeyPatch, verb: str, body: dict[str, Any]
) -> None:
    services.set_visibility(deck, "public")
    honest = api._locked

    def after_another(request: Any, changed: Deck) -> Any:
        services.set_visibility(Deck.objects.get(pk=changed.pk), "private")
        return honest(request, changed)

    monkeypatch.setattr(api, "_locked", after_another)
    answer = send(as_alice, verb, f"{DECKS}{deck.uid}/", body)
    assert (answer.status_code, answer.json()["visibility"]) == (200, "private")


@pytest.mark.parametrize("sent", [{"text": "4 Fury"}, {"cards": [{"id": "BSG1-028", "qty": 4}]}])
def test_what_is_said_beside_a_list_holds_in_either_form(
    all_cards: None, other_format: str, as_alice: Client, sent: dict[str, Any]
) -> None:
    beside = {"name": "Fast", "format": other_format, "note": "The first one."}
    made = send(as_alice, "post", DECKS, sent | beside)
    assert made.status_code == 201, made.content
    assert {key: made.json()[key] for key in ("name", "format", "notes")} == {
        "name": "Fast", "format": other_format, "notes": "The first one.",
    }  # fmt: skip

    address = f"{DECKS}{made.json()['uid']}/"
    more = {"name": "Faster", "format": "standard-2006"}
    changed = send(as_alice, "put", address, sent | more).json()
    assert {key: changed[key] for key in more} == more
    kept = send(as_alice, "put", address, sent).json()
    assert {key: kept[key] for key in more} == more

    refused = send(as_alice, "put", address, sent | {"format": "standart-2006"})
    assert (refused.status_code, refused.json()["parameter"]) == (400, "format")
    assert set(refused.json()["expected"]) == {"standard-2006", other_format}
    assert send(as_alice, "post", DECKS, sent | {"format": "standart-2006"}).status_code == 400


def test_a_list_is_sent_in_one_form(all_cards: None, as_alice: Client) -> None:
    for more in ({"considering": [{"id": "BSG1-164", "qty": 1}]}, {"base_tags": ["home"]}, {"base": "BSG1-007"}):
        assert send(as_alice, "post", DECKS, {"text": "4 Fury"} | more).json()["code"] == "no_list"
    only_considered = send(as_alice, "post", DECKS, {"considering": [{"id": "BSG1-164", "qty": 1}]})
    assert only_considered.status_code == 201


def test_who_sends_cards_is_told_of_cards_and_of_no_lines(all_cards: None, as_alice: Client) -> None:
    wrong = {"base": "BSG1-007", "cards": [{"id": "BSG1-028", "qty": 4}, {"id": "BSG9-061", "qty": 1}]}
    told = send(as_alice, "post", DECKS, wrong).json()
    assert (told["code"], told["parameter"]) == ("undecided", "cards")
    assert "BSG9-061" in told["detail"]
    assert "lines" not in told

    told = send(as_alice, "post", DECKS, {"base": "BSG1-028"}).json()
    assert "Fury (BSG1) 28" in told["detail"]
    told = send(as_alice, "post", DECKS, {"cards": [{"id": "BSG1-028", "qty": 0}]}).json()
    assert told["parameter"] == "cards[0].qty"
    assert "expected" not in told


@pytest.mark.parametrize("verb", ["put", "patch"])
def test_a_change_of_which_a_part_is_refused_changes_nothing(deck: Deck, as_alice: Client, verb: str) -> None:
    services.take_down(deck)
    body = {"name": "Another", "visibility": "public", **({"text": "4 Stims"} if verb == "put" else {})}
    answer = send(as_alice, verb, f"{DECKS}{deck.uid}/", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "deck_error")
    deck.refresh_from_db()
    assert (deck.name, deck.head.number, deck.visibility) == ("Viper Wing", 1, "private")


def test_a_change_can_say_on_what_it_is_based(deck: Deck, as_alice: Client) -> None:
    address = f"{DECKS}{deck.uid}/"
    mark = as_alice.get(address)["ETag"]

    first = send(as_alice, "put", address, {"text": "4 Stims"}, **{"if-match": mark})
    assert first.status_code == 200
    late = send(as_alice, "put", address, {"text": "3 Stims"}, **{"if-match": mark})
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert as_alice.delete(address, headers={"if-match": mark}).status_code == 412
    assert send(as_alice, "put", address, {"text": "3 Stims"}, **{"if-match": first["ETag"]}).status_code == 200


def test_a_page_of_another_site_cannot_write_with_the_session(deck: Deck) -> None:
    browser = signed_in(deck.owner, strict=True)

    assert browser.get(f"{DECKS}{deck.uid}/").status_code == 200
    answer = browser.generic("POST", DECKS, json.dumps({"text": "4 Fury"}), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert Deck.objects.count() == 1


def test_a_card_in_every_format(all_cards: None, client: Client) -> None:
    card = client.get("/api/v1/cards/bsg1-136/legality/").json()
    always = {"starts": "2006-01-01", "ends": None, "copies": 4, "reason": ""}
    today = {"format": "standard-2006", "name": "Standard 2006", "allowed": True, "copies": 4, "reason": ""}
    assert card["formats"] == [{**today, "standings": [always]}]
    for change, copies, reason in (
        ({"banned": ["BSG1-136"]}, 0, "It is banned."),
        ({"banned": [], "restricted": ["BSG1-136"]}, 1, "It is restricted."),
        ({"restricted": [], "sets": ["BSG2"]}, 0, "It is in none of the format's sets."),
    ):
        FormatEdition.objects.update(**change)
        (said,) = client.get("/api/v1/cards/BSG1-136/legality/").json()["formats"]
        assert (said["copies"], said["reason"], said["allowed"]) == (copies, reason, copies > 0)
    assert client.get("/api/v1/cards/BSG1-999/legality/").status_code == 404


def test_lists_ask_the_database_as_often_whatever_their_length(
    deck: Deck, client: Client, django_assert_max_num_queries: Any
) -> None:
    for _ in range(20):
        services.create_from_text(deck.owner, LEGAL_LIST, visibility="public")
    with django_assert_max_num_queries(4):
        assert client.get(f"{DECKS}?page_size=400").json()["count"] == 20
