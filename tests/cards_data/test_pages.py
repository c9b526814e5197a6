"""The pages of the card database, as they come from the server, without JavaScript."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from cards_data import catalog, importing
from cards_data.export import public_version
from cards_data.imports import import_sets
from cards_data.models import Card
from cards_data.wording import words_of
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.language import step
from tests.cards_data.conftest import APOLLO, RAPTOR, WriteSet


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def cards_on(page: str) -> list[str]:
    """The ids of the cards that a page links to in its results, in order."""
    results = page.partition('id="results"')[2]
    return list(dict.fromkeys(re.findall(r'href="/cards/([A-Z0-9]+-\d+)/"', results)))


def names_for(client: Client, query: str) -> list[str]:
    return [Card.objects.get(pk=one).name for one in cards_on(shown(client, f"/cards/?{query}"))]


def test_the_list_shows_all_cards_page_by_page(client: Client, all_cards: None) -> None:
    page = shown(client, reverse("cards_data:list"))
    assert "351 cards" in page
    assert "Page 1 of 6" in page
    found: list[str] = []
    for number in range(1, 7):
        found += cards_on(shown(client, f"/cards/?page={number}"))
    assert len(found) == len(set(found)) == 351
    assert '<ccg-card card="BSG1-001" size="thumbnail">' in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=hotshot", ["Starbuck, Hotshot Pilot"]),
        ("q=STARBUCK+pilot&set=BSG1", ["Starbuck, Hotshot Pilot", "Starbuck, Risk Taker"]),
        ("q=d%27anna", ["D'Anna Biers, Fleet News Service", "D'Anna Biers, Reporter"]),
        ("q=raptor+227", ["Raptor 227"]),
        ("q=vulnerable&type=ship", ["Raptor 312"]),
        ("type=base&resource=security&set=BSG1", ["Battlestar Galactica", "Galactica"]),
        ("trait=Capital+Ship", ["Galactica, Defender of the Fleet", "Galactica, Launch Platform"]),
        ("set=BSG1L&q=boomer", ["Boomer, Sharon Valerii"]),
        ("set=BSG1L&q=hotshot", ["Starbuck, Hotshot Pilot"]),
        ("set=bsg1p&set=BSG1L&type=base", ["Captain's Quarters", "Operations Room", "Hangar Bay"]),
        ("type=ship&trait=Transport&sort=cost&q=one", [
            "Colonial One, Administration Headquarters", "Colonial One, The President's Ship",
        ]),
    ],
)  # fmt: skip
def test_filters_in_the_address_choose_the_cards(
    client: Client, all_cards: None, query: str, expected: list[str]
) -> None:
    assert names_for(client, query) == expected


def test_a_trait_is_found_as_a_whole_word_only(client: Client, all_cards: None) -> None:
    assert all("Political" in Card.objects.get(name=name).traits for name in names_for(client, "trait=Political"))


def test_numbers_that_are_not_printed_come_last(client: Client, all_cards: None) -> None:
    assert names_for(client, "q=galactica&sort=cost")[-1].endswith("Galactica")


def test_the_list_view_says_the_facts_as_text(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?view=list&q=hotshot")
    assert "<table" in page
    assert 'aria-label="security"' in page
    assert "ccg-card" not in page.partition('id="results"')[2]


def test_filters_in_force_can_be_taken_away(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?type=ship&trait=Scout&q=raptor&sort=power")
    assert 'href="?q=raptor&amp;trait=Scout&amp;sort=power"' in page
    assert 'href="?type=ship&amp;trait=Scout&amp;sort=power"' in page
    assert re.search(r'name="trait" value="Scout" checked', page)


def test_what_is_not_known_is_said_and_left_out(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?type=starship&trait=%3Cscript%3E&page=99&sort=shine")
    assert "Not known, and left out" in page
    assert "starship" in page
    assert "<script>" not in page
    assert "351 cards" in page


@pytest.mark.parametrize("query", ["q=%00", "q=%27%22%3C", "q=%F0%9F%9A%80", "q=" + "x" * 5_000, "trait=|", "page=-1"])
def test_odd_addresses_are_answered(client: Client, all_cards: None, query: str) -> None:
    shown(client, f"/cards/?{query}")


def test_nothing_found_says_what_to_do(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?q=nothing+is+called+this")
    assert "0 cards" in page
    assert "Show all cards" in page


def test_before_any_import_the_pages_say_so(client: Client, db: None) -> None:
    assert "No cards yet" in shown(client, "/cards/")
    assert "No sets yet" in shown(client, "/sets/")
    assert client.get("/cards/BSG1-001/").status_code == 404
    assert client.get("/sets/BSG1/").status_code == 404


def test_a_card_page_says_every_fact_as_text(client: Client, all_cards: None) -> None:
    page = shown(client, reverse("cards_data:card", args=["BSG1-130"]))
    for expected in (
        "Number Six", "Agent Provocateur", "Cylon", "Vision", "Neither challenges nor defends.",
        "more actions after this.", "Revealed as a Cylon threat:", "exhausts their base.",
        "Base Set", "Limited Editions", "BSG1L-09", "Rare",
        '<ccg-card card="BSG1-130" size="full">', "Personnel", "Mystic value", "Cylon threat", "logistics",
    ):  # fmt: skip
        assert expected in page, expected
    assert 'rel="prev" href="/cards/BSG1-129/"' in page
    assert 'rel="next" href="/cards/BSG1-131/"' in page
    assert 'href="/cards/BSG2-122/"' in page  # another Number Six


def test_the_words_on_a_card_are_shown_with_icons_and_as_its_description(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/BSG1-130/")
    assert '<span class="icon-word"><svg class="icon icon-commit"' in page
    assert "</svg>Commit</span> and <span" in page
    assert "Commit and sacrifice: take 2 more actions after this. Each player exhausts their base." in page
    page = shown(client, "/cards/BSG1-099/")
    assert 'other <b class="card-trait">Pilots</b> get +1 <svg class="icon icon-power"' in page
    assert 'role="img" aria-label="power"' in page


def test_a_card_without_abilities_has_no_words(client: Client, all_cards: None) -> None:
    assert "card-words-told" not in shown(client, "/cards/BSG1-146/")


def test_a_card_that_cannot_be_told_does_not_take_the_others_away(caplog: pytest.LogCaptureFixture) -> None:
    odd = CardDef(id="X-1", type="ship", title="A", abilities=(Ability(do=[step(defeat="target wombats")]),))
    assert words_of(odd).plain == ""
    assert "X-1" in caplog.text


def test_a_card_that_is_not_yet_played_says_so(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set(cards=RAPTOR + "  ability_pending: true\n")])
    assert "Ability not yet played" in shown(client, "/cards/TST-02/")


def test_a_mission_says_what_it_needs(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/BSG1-090/")
    assert "2 Pilots and 2 ships" in page


def test_an_expedite_card_says_its_cost(client: Client, all_cards: None) -> None:
    assert "2 persuasion is enough" in shown(client, "/cards/BSG1-014/")


def test_a_card_with_nothing_but_keywords_has_no_notice(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/BSG2-146/")
    assert "Sniper" in page
    assert "Strafe" in page
    assert "not yet played" not in page


@pytest.mark.parametrize(
    ("given", "own"), [("BSG1L-09", "BSG1-130"), ("bsg1-130", "BSG1-130"), ("bsg2-121", "BSG1L-10")]
)
def test_other_ids_of_a_card_lead_to_its_page(client: Client, all_cards: None, given: str, own: str) -> None:
    answer = client.get(f"/cards/{given}/")
    assert answer.status_code == 301
    assert answer["Location"] == f"/cards/{own}/"


def test_every_card_has_a_page(client: Client, all_cards: None) -> None:
    for card in Card.objects.filter(id__startswith="BSG1L"):
        shown(client, card.get_absolute_url())
    for kind in ("base", "event", "mission", "personnel", "ship"):
        for card in Card.objects.filter(type=kind)[:5]:
            shown(client, card.get_absolute_url())


@pytest.mark.parametrize(
    "address", ["/cards/BSG1-999/", "/cards/x/", "/sets/NOPE/", "/cards/%00/", "/sets/%00/", "/api/cards/%00/"]
)
def test_what_is_not_there_is_a_404(client: Client, all_cards: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_sets_and_their_cards(client: Client, all_cards: None) -> None:
    page = shown(client, reverse("cards_data:sets"))
    for expected in ("Base Set", "Betrayal", "Exclusives", "Limited Editions", "351 cards in 4 sets", "165"):
        assert expected in page
    page = shown(client, reverse("cards_data:set", args=["BSG2"]))
    assert len(re.findall(r'class="number quiet">\d+<', page)) == 165
    assert "reprint of BSG1L-10" in page
    assert client.get("/sets/bsg2/")["Location"] == "/sets/BSG2/"


def test_a_withdrawn_card_keeps_its_page_and_leaves_the_list(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set(cards=APOLLO + RAPTOR)])
    import_sets([write_set(cards=APOLLO)])
    assert "has been withdrawn" in shown(client, "/cards/TST-02/")
    assert cards_on(shown(client, "/cards/")) == ["TST-01"]
    assert "Raptor 9" not in shown(client, "/sets/TST/")


def test_names_from_files_are_never_markup(
    client: Client, db: None, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "<script>alert(1)</script>"
    # The first guard has failed.
    monkeypatch.setattr("ccg.rules.authoring.card_entries._name_problems", lambda raw: iter(()))
    import_sets([write_set(cards=APOLLO.replace("Test Pilot", f'"{name}"'), head=None)])
    for address in ("/cards/", "/cards/?view=list", "/cards/TST-01/", "/sets/TST/"):
        assert name not in shown(client, address)


def test_a_list_costs_few_queries(client: Client, all_cards: None, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        shown(client, "/cards/?type=ship")
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        shown(client, "/sets/BSG1/")


def test_a_withdrawn_card_is_drawn_from_the_last_version_that_had_it(
    client: Client, db: None, write_set: WriteSet
) -> None:
    import_sets([write_set(cards=APOLLO + RAPTOR)])
    with_it = public_version(catalog.data(1))
    import_sets([write_set(cards=APOLLO)])
    import_sets([write_set(cards=APOLLO.replace("power: 2", "power: 4"))])
    newest = public_version()
    assert f'content="{with_it}"' in client.get("/cards/TST-02/").content.decode()
    assert f'content="{newest}"' in client.get("/cards/TST-01/").content.decode()
    assert "TST-02" in client.get(f"/api/cards/catalog.json?v={with_it}").json()["cards"]


def test_a_set_that_is_gone_leaves_the_lists_and_keeps_its_page(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set("ONE", cards=APOLLO)])
    import_sets([write_set("TWO", cards=RAPTOR)])
    importing.roll_back(1, None)
    assert "/sets/TWO/" not in client.get("/sets/").content.decode()
    assert "/sets/TWO/" not in client.get("/sets/ONE/").content.decode()
    assert "This set is empty" in client.get("/sets/TWO/").content.decode()
    assert "has been withdrawn" in client.get("/cards/TWO-02/").content.decode()
