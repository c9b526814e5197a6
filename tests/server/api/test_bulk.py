"""Whole collections as files: made in the background, once for each change, and true of what the lists say."""

from __future__ import annotations

import gzip
import json
from typing import Any

import jsonschema
import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from cards_data import bulk
from cards_data.imports import import_sets
from cards_data.models import BulkFile
from ccg.api import document as types
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.rules.authoring.card_files import SETS
from ccg.server.api.views import document
from decks import services
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST

BULK = "/api/v1/bulk/"


def made(name: str, client: Client) -> Any:
    bulk.handle({"name": name})
    return json.loads(client.get(f"{BULK}{name}.json").content)


def due_now() -> None:
    """Let what waits for more changes be done now."""
    Job.objects.filter(task=bulk.TASK).update(due=timezone.now())
    drain()


@pytest.mark.slow
def test_an_import_makes_the_files(db: None, client: Client) -> None:
    assert client.get(BULK).json()["files"] == []
    assert client.get(f"{BULK}cards.json").status_code == 404

    import_sets([SETS])
    drain()

    files = {file["name"]: file for file in client.get(BULK).json()["files"]}
    assert set(files) == set(bulk.KINDS) == {"cards", "printings", "sets", "decks"}
    assert (files["cards"]["count"], files["printings"]["count"]) == (351, 356)
    for file in files.values():
        answer = client.get(file["address"].removeprefix("http://testserver"))
        assert len(answer.content) == file["bytes"]


@pytest.mark.parametrize(("name", "listed"), [("cards", "cards/"), ("printings", "printings/"), ("sets", "sets/")])
def test_a_file_has_what_the_list_has(all_cards: None, client: Client, name: str, listed: str) -> None:
    file = made(name, client)
    rows = client.get(f"/api/v1/{listed}?page_size=400").json()

    assert file["count"] == rows["count"] == len(file["results"])
    assert sorted(file["results"], key=str) == sorted(rows["results"], key=str)


@pytest.mark.parametrize("name", ["cards", "printings", "sets", "decks"])
def test_rows_are_of_the_type_that_is_told(starters: None, client: Client, name: str) -> None:
    kind = types.schema_of(bulk.KINDS[name].row)
    schema = {**kind, "components": {"schemas": {**document()["components"]["schemas"], **types._types}}}
    for row in made(name, client)["results"]:
        jsonschema.Draft202012Validator(schema).validate(row)


def test_it_is_sent_packed_to_who_takes_that_and_asked_for_again(all_cards: None, client: Client) -> None:
    bulk.handle({"name": "cards"})
    plain = client.get(f"{BULK}cards.json")
    packed = client.get(f"{BULK}cards.json", headers={"accept-encoding": "gzip, br"})

    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 4
    assert client.get(f"{BULK}cards.json", headers={"if-none-match": plain["ETag"]}).status_code == 304


def test_a_file_that_was_being_made_as_something_changed_is_no_older_than_the_change(
    deck: Deck, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker has made it again meanwhile, and what this one had read before is written last."""
    kind = bulk.KINDS["decks"]
    decks, late = list(kind.rows()), []

    def slow() -> list[Any]:
        if not late:
            late.append(True)
            services.set_visibility(deck, "public")
            due_now()
            return decks
        return list(kind.rows())

    monkeypatch.setitem(bulk.KINDS, "decks", msgspec.structs.replace(kind, rows=slow))
    bulk.handle({"name": "decks"})
    due_now()
    assert json.loads(client.get(f"{BULK}decks.json").content)["count"] == 1


def test_private_decks_are_in_no_file(deck: Deck, client: Client) -> None:
    for visibility, there in (("private", 0), ("unlisted", 0), ("public", 1), ("private", 0)):
        services.set_visibility(deck, visibility)
        due_now()
        assert json.loads(client.get(f"{BULK}decks.json").content)["count"] == there, visibility

    services.set_visibility(deck, "public")
    due_now()
    deck.delete()
    due_now()
    assert json.loads(client.get(f"{BULK}decks.json").content)["count"] == 0


def test_however_many_changes_ask_for_one_file(deck: Deck) -> None:
    due_now()  # what the import has asked for
    services.set_visibility(deck, "public")
    for number in range(1, 5):
        services.new_version(deck, f"{LEGAL_LIST}\n{number} Stims")
        services.rename(deck, f"Name {number}")
    assert Job.objects.filter(task=bulk.TASK, state="waiting").count() == 1

    due_now()
    services.rename(deck, "Once more")
    assert Job.objects.filter(task=bulk.TASK, state="waiting").count() == 1


def test_a_change_while_the_file_is_being_made_asks_for_another(
    deck: Deck, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = bulk.KINDS["decks"]
    services.set_visibility(deck, "public")

    def renamed_meanwhile() -> Any:
        rows = list(kind.rows())
        monkeypatch.setitem(bulk.KINDS, "decks", kind)
        services.rename(deck, "Renamed meanwhile")
        return rows

    monkeypatch.setitem(bulk.KINDS, "decks", bulk.Kind(kind.told, kind.row, renamed_meanwhile))
    due_now()
    due_now()

    assert json.loads(client.get(f"{BULK}decks.json").content)["results"][0]["name"] == "Renamed meanwhile"


def test_decks_that_nobody_sees_ask_for_nothing(deck: Deck) -> None:
    due_now()  # what the import has asked for
    services.new_version(deck, f"{LEGAL_LIST}\n1 Stims")
    services.rename(deck, "Other")
    assert not Job.objects.filter(task=bulk.TASK, state="waiting").exists()


def test_files_of_another_release_are_left_alone(db: None, client: Client) -> None:
    bulk.handle({"name": "gone"})
    BulkFile.objects.create(name="gone", built=timezone.now())
    assert client.get(BULK).json()["files"] == []
    assert client.get(f"{BULK}gone.json").status_code == 404
