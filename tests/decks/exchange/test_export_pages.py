"""Decks on their way out of the site: rights as on the deck page, files that come back in, pages for the printer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from cards_data.catalog import current_number
from decks import links, services
from decks.exchange import registry
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST

OUT = [f"export/{form.code}/" for form in registry.FORMS] + ["print/", "proxies/", "qr.svg"]


@pytest.mark.parametrize("page", OUT)
@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 404), ("public", 200)])
def test_rights_are_those_of_the_deck(
    deck: Deck, client: Client, as_alice: Client, page: str, visibility: str, status: int
) -> None:
    services.set_visibility(deck, visibility)

    for address in (f"/decks/{deck.uid}/{page}", f"/decks/{deck.uid}/v1/{page}"):
        assert as_alice.get(address).status_code == 200
        assert client.get(address).status_code == status
    assert client.get(f"/decks/{deck.uid}/v9/{page}").status_code == 404


@pytest.mark.parametrize("page", OUT)
def test_the_link_of_an_unlisted_deck_opens_them_and_no_cache_keeps_them(deck: Deck, client: Client, page: str) -> None:
    services.set_visibility(deck, "unlisted")
    link = links.address_of(deck)

    answer = client.get(f"{link}{page}")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert f"{link}export/text/" in client.get(link).content.decode()


@pytest.mark.parametrize("form", registry.FORMS, ids=lambda form: form.code)
def test_an_exported_file_is_imported_again(deck: Deck, as_alice: Client, form: Any) -> None:
    answer = as_alice.get(f"/decks/{deck.uid}/export/{form.code}/")
    assert answer["Content-Type"].startswith(form.media_type)
    assert f'filename="viper-wing.{form.extension}"' in answer["Content-Disposition"]

    text, _ = registry.to_text(registry.text_of_file(answer.content), services.current_names())
    again = services.read_text(text)
    assert not again.undecided
    assert deck.head
    assert (again.deck.bases, again.deck.counts) == (deck.head.bases, deck.head.counts)


def test_there_is_no_other_form(deck: Deck, as_alice: Client) -> None:
    assert as_alice.get(f"/decks/{deck.uid}/export/pdf/").status_code == 404


def test_the_deck_page_offers_every_form(deck: Deck, as_alice: Client) -> None:
    page = as_alice.get(deck.get_absolute_url()).content.decode()

    for form in registry.FORMS:
        address = f"/decks/{deck.uid}/export/{form.code}/"
        assert f'data-copy="{address}"' in page
        assert f'href="{address}" download' in page
    for name in ("print/", "proxies/", "qr.svg"):
        assert f"/decks/{deck.uid}/{name}" in page


def test_an_older_version_goes_out_as_it_was(deck: Deck, as_alice: Client) -> None:
    services.new_version(deck, "# Other\n4 Stims")

    old = as_alice.get(f"/decks/{deck.uid}/v1/export/text/").content.decode()
    assert services.read_text(old).deck.counts == services.read_text(LEGAL_LIST).deck.counts
    page = as_alice.get(f"/decks/{deck.uid}/v1/").content.decode()
    assert f"/decks/{deck.uid}/v1/export/json/" in page


def test_json_says_which_version_it_is(deck: Deck, as_alice: Client) -> None:
    services.new_version(deck, "# Other\n4 Stims", note="Only Stims")

    first, second = (as_alice.get(f"/decks/{deck.uid}/v{number}/export/json/").json() for number in (1, 2))
    assert (first["version"], first["parent"], first["notes"]) == (1, None, "")
    assert (second["version"], second["parent"], second["notes"]) == (2, 1, "Only Stims")
    assert second["data_version"] == current_number()


def test_the_printed_list_names_every_card(deck: Deck, as_alice: Client) -> None:
    page = as_alice.get(f"/decks/{deck.uid}/print/").content.decode()

    assert deck.head
    for card in deck.head.counts:
        assert f"<span>{card}</span>" in page
    assert deck.head.short_hash in page


def test_proxies_are_there_copy_by_copy(deck: Deck, as_alice: Client) -> None:
    page = as_alice.get(f"/decks/{deck.uid}/proxies/").content.decode()

    assert deck.head
    for card, count in deck.head.counts.items():
        assert len(re.findall(f'<ccg-card card="{card}" size="full">', page)) == count
    assert page.count("<ccg-card") == 61
    assert page.count('class="proxy is-landscape"') == 1


def test_proxies_are_bounded(deck: Deck, as_alice: Client) -> None:
    services.new_version(deck, "\n".join(["99 Raptor 227"] * 10))

    page = as_alice.get(f"/decks/{deck.uid}/proxies/").content.decode()
    assert page.count("<ccg-card") == 200


def test_the_schema_is_published(client: Client) -> None:
    answer = client.get("/schema/deck.json")

    assert answer.json()["$schema"].endswith("2020-12/schema")
    assert answer["Access-Control-Allow-Origin"] == "*"
