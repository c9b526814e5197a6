"""What decks and formats have to say on the page of a card."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from decks import services
from decks.models import Deck, FormatEdition
from decks.searching import card_pages

RAPTOR = "/cards/BSG1-164/"


def page(client: Client, address: str = RAPTOR) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def decks_on(text: str) -> list[str]:
    return re.findall(r'<a href="/decks/[\w-]{22}/">([^<]+)</a>', text.partition('id="decks"')[2])


def make(owner: Any, name: str, text: str = "4 Raptor 227", visibility: str = "public", **facts: int) -> Deck:
    deck = services.create_from_text(owner, text, name=name, visibility=visibility)
    Deck.objects.filter(pk=deck.pk).update(**facts)
    return deck


def test_legality_is_told_with_dates_past_and_announced(client: Client, all_cards: None) -> None:
    client.get("/api/v1/formats/")
    FormatEdition.objects.update(ends=None)
    old = FormatEdition.objects.get()
    soon = timezone.localdate() + timedelta(days=30)
    FormatEdition.objects.create(format=old.format, starts=date(2020, 1, 1), sets=old.sets, copies_of={"BSG1-164": 20})
    FormatEdition.objects.create(format=old.format, starts=soon, sets=old.sets, banned=["BSG1-164"])
    text = re.sub(r"<[^>]+>", "", page(client))
    assert "Legal, up to 20 copies" in text
    assert "From 1 January 2006 until 1 January 2020: 4 copies at most." in text
    assert f"From 1 January 2020 until {soon:%-d %B %Y}: 20 copies at most." in text
    assert f"Announced for {soon:%-d %B %Y}: It is banned." in text
    said = client.get("/api/v1/cards/BSG1-164/legality/").json()["formats"][0]
    assert (said["allowed"], said["copies"], said["reason"]) == (True, 20, "")
    assert [one["copies"] for one in said["standings"]] == [4, 20, 0]


def test_decks_that_play_it_are_shown_those_played_most_first(client: Client, all_cards: None, alice: Any) -> None:
    make(alice, "Liked", liked=9)
    make(alice, "Played", "2x Raptor 227", played=3)
    make(alice, "Without", "4 Fury")
    make(alice, "Private", visibility="private")
    make(alice, "Unlisted", visibility="unlisted")
    text = page(client)
    assert decks_on(text) == ["Played", "Liked"]
    assert ">2×</b>" in text
    assert "3 matches" in text
    assert "9 likes" in text


def test_a_base_is_found_by_the_decks_on_it(client: Client, starters: None) -> None:
    text = page(client, "/cards/BSG1-007/")
    assert decks_on(text) == ["Chain of Command"]
    found = re.search(r'href="(/decks/\?q=[^"]+)">Search among', text)
    assert found
    listed = page(client, found[1])
    assert "Chain of Command" in listed
    assert "Viper Wing" not in listed


def test_there_are_six_and_the_search_has_them_all(client: Client, all_cards: None, alice: Any) -> None:
    for number in range(8):
        make(alice, f"Deck {number}")
    text = page(client)
    assert len(decks_on(text)) == card_pages.SHOWN
    found = re.search(r'href="(/decks/\?q=[^"]+)">All decks with Raptor 227', text)
    assert found
    assert len(set(re.findall(r">Deck \d<", page(client, found[1])))) == 8


def test_the_number_of_decks_makes_no_more_queries(
    client: Client, all_cards: None, alice: Any, django_assert_max_num_queries: Any
) -> None:
    page(client)  # what is remembered is remembered
    for number in range(20):
        make(alice, f"Deck {number}")
    with django_assert_max_num_queries(13):
        page(client)


def test_of_many_decks_those_played_most_are_looked_through(
    client: Client, all_cards: None, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_pages, "AMONG", 2)
    for number in range(3):
        make(alice, f"Deck {number}", played=number)
    assert decks_on(page(client)) == ["Deck 2", "Deck 1"]


def test_a_withdrawn_card_is_told_of_without_formats(client: Client, all_cards: None) -> None:
    from ccg.rules.cards.definitions import CardDef

    assert card_pages.legality(CardDef(id="GONE-1", type="ship", title="Gone")) == {}
