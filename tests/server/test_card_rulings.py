"""Rulings on the pages of the cards that they concern."""

from __future__ import annotations

from django.test import Client

from cards_data import catalog
from ccg.server.card_rulings import concerning, rulings


def numbers(card: str) -> dict[int, str]:
    data = catalog.data()
    return {one.ruling.number: one.why for one in concerning(data.catalog[card], data)}


def called(name: str) -> list[str]:
    return [card.id for card in catalog.data().catalog if name in (card.name, card.title)]


def test_a_card_is_named_by_its_whole_name_or_the_title_of_all_its_versions(all_cards: None) -> None:
    (apollo,) = called("Apollo, Lee Adama")
    assert numbers(apollo)[41] == "names it"
    assert all(41 not in numbers(other) for other in called("Apollo") if other != apollo)
    assert all(numbers(one)[73] == "names it" for one in called("Saul Tigh"))


def test_rulings_about_its_keywords_concern_a_card_too(all_cards: None) -> None:
    snipers = [card.id for card in catalog.data().catalog if "sniper" in card.keywords]
    assert snipers
    for card in snipers:
        assert numbers(card)[24] == "about Sniper"


def test_so_do_those_that_a_scenario_shows_with_it(all_cards: None) -> None:
    cards = [card.id for card in catalog.data().catalog]
    assert any("shown with it in a scenario" in numbers(card).values() for card in cards)


def test_the_page_tells_them_with_their_place(client: Client, all_cards: None) -> None:
    (apollo,) = called("Apollo, Lee Adama")
    page = client.get(f"/cards/{apollo}/").content.decode()
    assert '<a href="/rules/rulings/#ruling-41">Ruling 41</a>, names it' in page
    assert rulings()[41].html in page
    quiet = next(card.id for card in catalog.data().catalog if not numbers(card.id))
    assert 'id="rulings"' not in client.get(f"/cards/{quiet}/").content.decode()


def test_every_ruling_is_one_that_the_page_of_rulings_has(client: Client) -> None:
    page = client.get("/rules/rulings/").content.decode()
    assert rulings()
    for number in rulings():
        assert f'id="ruling-{number}"' in page


def test_the_search_finds_what_a_ruling_concerns(client: Client, all_cards: None) -> None:
    data = catalog.data()
    ids = {card.id for card in data.catalog if concerning(card, data)}
    assert 0 < len(ids) < len(data.catalog)
    answer = client.get("/api/v1/cards/", {"q": "has:ruling", "page_size": "400"}).json()
    assert {card["id"] for card in answer["results"]} == ids
    assert set(client.get("/decks/new/").context["start"]["ruled"]) == ids
