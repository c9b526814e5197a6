"""What the search for cards asks of formats and decks, on the page of cards and in the API."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cards_data import catalog
from cards_data.search import cards
from cards_data.search.errors import QueryError
from cards_data.search.known import told
from decks import formats, services
from decks.models import Deck, Format, FormatEdition
from decks.searching import card_search

APOLLO, ARTICLE, RAPTOR = "BSG1-099", "BSG1-059", "BSG1-164"


def found(text: str) -> set[str]:
    data = catalog.data()
    known = told(data)
    query = cards.read(text, data, known)
    ids = set(cards.find(query, known).values_list("pk", flat=True))
    assert ids == {card.id for card in cards.in_memory(data).matching(query.node, known)}
    return ids


def edition(code: str, starts: date, **rules: Any) -> None:
    made, _ = Format.objects.get_or_create(code=code, defaults={"name": code})
    FormatEdition.objects.create(format=made, starts=starts, **{"sets": ["BSG1"], **rules})


@pytest.fixture
def some_formats(all_cards: None) -> None:
    formats.standard()
    today = timezone.localdate()
    edition("core", today - timedelta(days=9), banned=[RAPTOR])
    edition("core", today - timedelta(days=2), banned=[APOLLO], restricted=[ARTICLE], copies_of={RAPTOR: 0})
    edition("core", today + timedelta(days=1), sets=["BSG2"])
    edition("over", today - timedelta(days=9), ends=today, sets=["BSG2"], banned=[ARTICLE])


def test_what_a_format_allows_today_is_found(some_formats: None) -> None:
    printed = found("s:bsg1")
    assert found("legal:core") == printed - {APOLLO, RAPTOR}
    assert ARTICLE in found("legal:core"), "one copy of what is restricted may be played"
    assert found("banned:core") == {APOLLO}
    assert found("legal:over") == found("banned:over") == set(), "it has ended"


def test_now_is_any_format_of_today(some_formats: None) -> None:
    assert found("-legal:now") == found("-legal:standard-2006 -legal:core") == set()
    assert found("banned:now") == {APOLLO}
    Format.objects.filter(code=formats.STANDARD).delete()
    edition(formats.STANDARD, date(2006, 1, 1), sets=["BSG2"])
    assert found("-legal:now") == found("-legal:core -s:bsg2")


def test_a_format_can_be_named_by_its_short_word_where_it_means_no_other(some_formats: None) -> None:
    assert found("legal:standard") == found("legal:standard-2006") != set()
    edition("standard-2027", date(2026, 1, 1), sets=["BSG2"])
    with pytest.raises(QueryError, match="nothing that"):
        found("legal:standard")


def test_a_card_is_allowed_where_it_was_printed_again(some_formats: None) -> None:
    edition("promos", date(2006, 1, 1), sets=["BSG1P"])
    assert found("legal:promos") == found("s:bsg1p")


def test_what_is_in_decks_with_a_card_is_found(deck: Deck) -> None:
    listed = services.as_list(deck, deck.head)
    card = next(iter(listed.counts))
    name = catalog.current()[card].name
    assert found(f'with="{name}"') == set(), "a private deck is nobody's business"
    services.set_visibility(deck, "public")
    assert found(f'with="{name}"') == {*listed.counts, *listed.bases}
    assert found(f'with="{name}" -with="{name}"') == set()
    services.set_visibility(deck, "unlisted")
    assert found(f'with="{name}"') == set()


def test_a_bounded_number_of_decks_is_looked_into(
    deck: Deck, alice: Any, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    services.set_visibility(deck, "public")
    services.create_from_text(alice, "4 Raptor 227\n1 Article 23", visibility="public")
    monkeypatch.setattr(card_search, "DECKS_ASKED", 1)
    assert found('with="article 23"') == {RAPTOR, ARTICLE}
    assert found('with="article 23"|"raptor 227"') == {RAPTOR, ARTICLE}
    data = catalog.data()
    with django_assert_num_queries(2):
        known = told(data)
        read = cards.read("with:apollo or with:raptor or -with:boomer", data, known)
        cards.in_memory(data).matching(read.node, known)


def test_only_a_search_that_asks_looks_at_formats_and_decks(all_cards: None, django_assert_num_queries: Any) -> None:
    data = catalog.data()
    with django_assert_num_queries(0):
        cards.read("t:ship cost<=3", data, told(data))


def test_page_help_and_api_know_the_formats(client: Client, some_formats: None) -> None:
    assert client.get("/cards/", {"q": "legal:core apollo"}).status_code == 200
    answer = client.get("/api/v1/cards/", {"q": "banned:now"}).json()
    assert [card["id"] for card in answer["results"]] == [APOLLO]
    wrong = client.get("/api/v1/cards/", {"q": "legal:cor"})
    assert wrong.status_code == 400
    assert wrong.json()["suggestion"] == "core"
    for field in client.get("/api/v1/search/cards/").json()["fields"]:
        if field["names"][0] == "legal":
            assert field["words"] == ["now", "core", "over", '"standard 2006"', "standard"]
    assert "over" in client.get("/cards/search/").content.decode()


def test_what_only_the_builder_knows_is_refused_with_a_sentence(client: Client, all_cards: None) -> None:
    for query in ("fits:deck", "-in:deck"):
        answer = client.get("/api/v1/cards/", {"q": query})
        assert (answer.status_code, answer.json()["code"]) == (400, "no_deck")
        assert "deck builder" in answer.json()["detail"]
