"""Decks are searched for in the language of cards, with fields of their own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from cards_data.search.errors import QueryError
from decks import services
from decks.models import Deck, DeckVersion
from decks.searching import search
from decks.social import opinions
from tests.decks.conftest import LEGAL_LIST

EVERY = [
    "Base Star Raid", "Caprica Holds Out", "Chain of Command", "Familiar Faces", "Quorum Business", "Viper Wing",
    "Zwölf Späher",
]  # fmt: skip


@pytest.fixture
def zwolf(starters: None, alice: Any) -> Deck:
    """A public deck of Alice's that is not legal: twelve Raptors and no base, last changed in May 2024."""
    deck = services.create_from_text(alice, "12 Raptor 227", name="Zwölf Späher", visibility="public")
    Deck.objects.filter(pk=deck.pk).update(changed=datetime(2024, 5, 17, 12, tzinfo=UTC))
    return deck


def test_names_have_no_case_in_any_alphabet(zwolf: Deck, alice: Any, bob: Any) -> None:
    """SQLite itself knows the case of A to Z alone."""
    alice.display_name = "Änne"
    alice.save()
    assert found("owner:ÄNNE") == ["Zwölf Späher"]
    assert Client().get("/decks/by/änne/").context["person"] == alice
    assert Client().get("/players/änne/").context["person"] == alice
    assert opinions.block(bob, "ÄNNE") == alice


def found(text: str) -> list[str]:
    return sorted(deck.name for deck in search.find(search.read(text), Deck.objects.all()))


def without(*names: str) -> list[str]:
    return [name for name in EVERY if name not in names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", EVERY),
        ("spaher", ["Zwölf Späher"]),
        ("!viper", []),
        ('!"viper wing" or faces', ["Familiar Faces", "Viper Wing"]),
        ('name="zwolf spaher"', ["Zwölf Späher"]),
        ("base:galactica", ["Chain of Command", "Viper Wing"]),
        ("base=galactica", ["Chain of Command"]),
        ("base!=galactica", without("Chain of Command", "Zwölf Späher")),
        ("-base=galactica", without("Chain of Command")),
        ("-has:base", ["Zwölf Späher"]),
        ('card:"raptor 227" -has:base', ["Zwölf Späher"]),
        ("legal:now", without("Zwölf Späher")),
        ("-legal:standard-2006", ["Zwölf Späher"]),
        ("-legal:standard", ["Zwölf Späher"]),
        ("legal:standard format:standard", without("Zwölf Späher")),
        ("legal:standard-2006 format:standard-2006", without("Zwölf Späher")),
        ("owner:ALICE", ["Zwölf Späher"]),
        ("-owner:alice", without("Zwölf Späher")),
        ("owner!=alice", []),
        ("-has:owner", without("Zwölf Späher")),
        ("owner:nobody", []),
        ("updated:2024", ["Zwölf Späher"]),
        ("updated:2024-05-17", ["Zwölf Späher"]),
        ("updated<2024-05-17", []),
        ("updated<=2024-05", ["Zwölf Späher"]),
        ("-updated>2024-12-31", ["Zwölf Späher"]),
        ("winrate<50", []),
        ("-winrate>=0", EVERY),
        ("games>=0", EVERY),
        ("played>=1", []),
    ],
)
def test_what_decks_are_found_by(zwolf: Deck, text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_a_card_is_found_in_the_decks_that_have_it_now(zwolf: Deck) -> None:
    for card, name in (("BSG1-136", "starbuck hotshot pilot"), ("BSG1-164", "raptor 227")):
        having = sorted(v.deck.name for v in DeckVersion.objects.select_related("deck") if card in v.counts)
        assert found(f'card="{name}"') == having
        others = [one for one in EVERY if one not in having]
        assert found(f'-card="{name}"') == found(f'card!="{name}"') == others
    services.new_version(zwolf, "12 Raptor 312")
    assert "Zwölf Späher" not in found('card="raptor 227"')
    services.new_version(zwolf, "Base: Galactica")
    assert "Zwölf Späher" in found('-card="raptor 227"')
    assert "Zwölf Späher" not in found('card!="raptor 227"'), "no card is no other card"


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("bsae:galactica", "unknown field", "base"),
        ("base:galactcia", "unknown value", "galactica"),
        ("card:a", "too many cards", ""),
        ("card:♥", "nothing to find", ""),
        ("updated>yesterday", "no date", ""),
        ("updated:2024-13", "no date", ""),
        ("updated:0000", "no date", ""),
        ("updated:9999", "no date", ""),
        ("legal:vintage", "unknown value", ""),
        ("legal!=now", "unknown operator", ":"),
        ("owner:\0", "nothing to find", ""),
        ("(order:name)", "not inside", ""),
    ],
)
def test_what_cannot_be_read_says_why(zwolf: Deck, text: str, code: str, suggestion: str) -> None:
    with pytest.raises(QueryError) as caught:
        search.read(text)
    assert (caught.value.code, caught.value.suggestion) == (code, suggestion)


def test_the_order_can_be_asked_for(zwolf: Deck) -> None:
    names = [deck.name for deck in search.find(search.read("order:name dir:desc"), Deck.objects.all())]
    assert names == EVERY[::-1]
    assert search.find(search.read("dir:asc"), Deck.objects.all())[0] == zwolf


def test_the_pages_search_and_say_what_is_wrong(as_alice: Client, zwolf: Deck) -> None:
    page = as_alice.get("/decks/?q=base:galactica").content.decode()
    assert "Viper Wing" in page and "Familiar Faces" not in page and "Späher" not in page
    page = as_alice.get("/decks/?q=-has:base").content.decode()
    assert "Späher" in page and "Viper Wing" not in page
    answer = as_alice.get("/decks/?q=bsae:galactica&last=-has:base")
    assert answer.status_code == 400
    assert "<mark>bsae</mark>" in answer.content.decode() and "Späher" in answer.content.decode()
    assert "Späher" in as_alice.get("/decks/mine/?q=spaher").content.decode()
    assert "No deck of yours is like that" in as_alice.get("/decks/mine/?q=wombat").content.decode()


def test_private_decks_are_found_by_their_owner_alone(as_alice: Client, as_bob: Client, deck: Deck) -> None:
    assert deck.get_absolute_url() in as_alice.get("/decks/mine/?q=viper").content.decode()
    for client in (as_alice, as_bob, Client()):
        assert deck.get_absolute_url() not in client.get("/decks/?q=owner:alice").content.decode()


def test_the_help_has_every_field_and_every_example_can_be_asked(client: Client, zwolf: Deck) -> None:
    page = client.get(reverse("decks:search_help")).content.decode()
    for field in search.LANGUAGE.fields:
        assert f'id="field-{field.name}"' in page
        search.read(field.example)


def test_every_form_that_the_help_and_the_api_show_can_be_asked_of_decks(client: Client, zwolf: Deck) -> None:
    page = client.get(reverse("decks:search_help")).content.decode()
    forms = client.get("/api/v1/search/decks/").json()["forms"]
    assert forms
    for form in forms:
        search.read(form["query"])
        assert escape(form["query"]) in page
        assert "cards" not in form["finds"]


def test_a_renamed_deck_is_found_by_its_new_name(deck: Deck) -> None:
    services.rename(deck, "Éclair")
    assert found("eclair") == ["Éclair"]
    services.new_version(deck, "# Tempête\n" + LEGAL_LIST.partition("\n")[2])
    assert found("tempete") == ["Tempête"]


def test_a_list_costs_as_many_queries_however_many_decks_there_are(
    as_alice: Client, zwolf: Deck, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(14):
        as_alice.get("/decks/?q=card:starbuck base:galactica")
