"""Downloading one's own data: all that is stored about a person, nothing of others, nothing that opens something."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from cards_data.models import SavedSearch
from ccg.server.accounts import own_data
from ccg.server.api import tokens
from decks import owning, services, table_decks
from decks.models import Deck
from decks.social import opinions
from matches.lobby import services as lobby
from matches.pairing import services as queues
from matches.pairing.models import QueueEntry
from matches.pairing.queues import CASUAL
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given
from tests.decks.conftest import LEGAL_LIST
from tests.people import signed_in
from tests.server.test_leaving import person

PAGE = "/accounts/data/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def kara(starters: None) -> Any:
    """Somebody with a bit of everything."""
    kara, lee = person("kara", email="kara@example.org"), person("lee")
    deck = services.create_from_text(kara, LEGAL_LIST, name="Wing", visibility="unlisted")
    opinions.describe(deck, "How I fly", "vipers")
    services.new_version(deck, LEGAL_LIST.replace("3 CAG", "2 CAG"), note="one less")
    other = services.create_from_text(lee, LEGAL_LIST, name="Other", visibility="public")
    opinions.like(kara, other)
    opinions.comment(kara, other, "Not bad, ‘Lee’")
    opinions.comment(lee, other, "Thank you")
    opinions.block(kara, "lee")
    owning.take_in(kara, {"BSG1-101": 3}, "replace")
    SavedSearch.objects.create(owner=kara, about="cards", name="Cheap", query="cost<2")
    tokens.make(kara, "for a program")
    lobby.invite(kara, table_decks.take_to_table(kara, Deck.objects.starters()[0].ref), 2)
    return kara


def downloaded(browser: Client) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of the file that ``browser`` is sent."""
    answer = browser.post(PAGE)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'attachment; filename="ragtag-fleet-my-data.zip"'
    assert "no-store" in answer["Cache-Control"]
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as file:
        assert file.testzip() is None
        return {name.removesuffix(".json"): json.loads(file.read(name)) for name in file.namelist()}


def test_the_file_has_all_that_is_stored(kara: Any) -> None:
    tables = downloaded(signed_in(kara))
    [account] = tables["account"]
    assert (account["username"], account["display_name"], account["email"]) == ("kara", "kara", "kara@example.org")
    [deck] = tables["decks"]
    assert (deck["name"], deck["visibility"], deck["write_up"], deck["version"]) == (
        "Viper Wing",
        "unlisted",
        "How I fly",
        2,
    )
    assert tables["deck_tags"] == [{"deck": deck["uid"], "tag": "vipers"}]
    first, second = tables["deck_versions"]
    assert (first["number"], second["number"], second["note"]) == (1, 2, "one less")
    assert sum(first["counts"].values()) == sum(second["counts"].values()) + 1
    assert [comment["text"] for comment in tables["comments"]] == ["Not bad, ‘Lee’"]
    assert len(tables["likes"]) == 1
    assert [block["person"] for block in tables["people_you_block"]] == ["lee"]
    assert [row["counts"] for row in tables["collection"]] == [{"BSG1-101": 3}]
    assert tables["saved_searches"] == [{"about": "cards", "name": "Cheap", "query": "cost<2"}]
    assert [token["name"] for token in tables["tokens"]] == ["for a program"]
    [match] = tables["matches"]
    assert match["players"] == 2
    assert len(match["cards"]) >= 60


def test_the_file_has_nothing_of_others_and_nothing_that_opens_something(kara: Any) -> None:
    tables = downloaded(signed_in(kara))
    said = json.dumps(tables)
    deck = Deck.objects.get(owner=kara)
    for secret in (kara.password, kara.api_tokens.get().hash, deck.link_nonce, deck.link_hash, "Thank you"):
        assert secret and secret not in said
    [row] = downloaded(signed_in(person("gaius")))["account"]
    assert row["username"] == "gaius"
    assert not any(rows for name, rows in downloaded(signed_in(person("six"))).items() if name != "account")


def test_who_waits_in_a_queue_has_their_words_and_nobody_hears_that_an_opponent_waits(kara: Any) -> None:
    lee = get_user_model().objects.get(username="lee")
    deck = table_decks.take_to_table(kara, Deck.objects.starters()[0].ref)
    queues.join(kara, CASUAL, deck, given=Given(shuffles.commit(), "the words of kara"))
    QueueEntry.objects.filter(user=kara).update(last_opponent=lee)
    [entry] = downloaded(signed_in(kara))["queue"]
    assert (entry["words"], entry["last_opponent"]) == ("the words of kara", "lee")
    assert entry["joined"] not in json.dumps(downloaded(signed_in(lee)))


def test_guests_have_data_as_well_and_visitors_none(kara: Any) -> None:
    guest = get_user_model().objects.create_guest()
    [account] = downloaded(signed_in(guest))["account"]
    assert account["is_guest"] is True
    for method in ("get", "post"):
        answer = getattr(Client(), method)(PAGE)
        assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={PAGE}")


def test_the_page_asks_first_and_tells_who_has_had_enough(kara: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = signed_in(kara)
    assert "Download my data" in browser.get(PAGE).content.decode()
    assert PAGE in browser.get("/accounts/me/").content.decode()
    assert PAGE in browser.get("/accounts/delete/").content.decode()
    monkeypatch.setattr("ccg.server.accounts.views.FILES_AN_HOUR", 2)
    for _ in range(2):
        downloaded(browser)
    refused = browser.post(PAGE)
    assert refused.status_code == 429
    assert "Please come back later" in refused.content.decode()


def test_more_rows_take_no_more_queries(kara: Any, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(len(own_data.TABLES)):
        own_data.archive(kara).close()


def test_moves_are_looked_for_among_the_matches_of_the_person(kara: Any) -> None:
    plan = own_data.TABLES["moves"].rows(kara).explain()
    assert "SEARCH matches_move USING INDEX" in plan
    assert "MULTI-INDEX OR" not in plan, "PostgreSQL has no such plan: it would look through the moves of everybody"


def test_every_model_that_points_at_a_person_is_told() -> None:
    """A new model, or another way to point at a person, has to be thought of here."""
    user = get_user_model()
    told = {table.rows(user(pk=1)).model for table in own_data.TABLES.values()}
    missing = [
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is user and model not in told
    ]
    assert not missing, f"ccg/server/accounts/own_data.py does not tell: {missing}"


def test_every_column_of_a_person_is_told_or_secret() -> None:
    secret = {"id", "password", "is_active", "name_key", "look_key"}  # the last two say what the display name says
    told = set(own_data.TABLES["account"].columns)
    assert told | secret == {field.name for field in get_user_model()._meta.concrete_fields}
