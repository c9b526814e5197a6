"""The pages of the card database, as they come from the server, without JavaScript."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from cards_data import catalog, importing
from cards_data.export import public_version
from cards_data.imports import import_sets
from cards_data.models import Card
from cards_data.search.cards import LANGUAGE
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
    return list(dict.fromkeys(re.findall(r'href="/cards/([A-Z0-9]+-\d+)/[?"]', results)))


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
        ("q=STARBUCK+pilot+set:bsg1", ["Starbuck, Hotshot Pilot"]),
        ("q=d%27anna", ["D'Anna Biers, Fleet News Service", "D'Anna Biers, Reporter"]),
        ("q=raptor+227", ["Raptor 227"]),
        ("q=k:vulnerable+t:ship", ["Raptor 312"]),
        ("q=t:base+makes:security+s:bsg1", ["Battlestar Galactica", "Galactica"]),
        ("q=trait:%22capital+ship%22", ["Galactica, Defender of the Fleet", "Galactica, Launch Platform"]),
        ("q=s:bsg1l+boomer", ["Boomer, Sharon Valerii"]),
        ("q=s:bsg1l+hotshot", ["Starbuck, Hotshot Pilot"]),
        ("q=s:bsg1p|BSG1L+type:base", ["Captain's Quarters", "Operations Room", "Hangar Bay"]),
        ("q=one+t:ship+tr:transport+order:cost", [
            "Colonial One, Administration Headquarters", "Colonial One, The President's Ship",
        ]),
    ],
)  # fmt: skip
def test_filters_in_the_address_choose_the_cards(
    client: Client, all_cards: None, query: str, expected: list[str]
) -> None:
    assert names_for(client, query) == expected


def test_a_trait_is_found_as_a_whole_word_only(client: Client, all_cards: None) -> None:
    assert all("Political" in Card.objects.get(name=name).traits for name in names_for(client, "q=trait:political"))


def test_numbers_that_are_not_printed_come_last(client: Client, all_cards: None) -> None:
    for direction in ("asc", "desc"):
        assert names_for(client, f"q=galactica+order:cost+dir:{direction}")[-1].endswith("Galactica")


def test_the_list_view_says_the_facts_as_text(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?q=hotshot+view:list")
    assert "<table" in page
    assert 'aria-label="security"' in page
    assert "ccg-card" not in page.partition('id="results"')[2]


def test_every_part_of_a_query_can_be_taken_away(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?q=raptor+t:ship+order:pow")
    assert 'href="?q=t%3Aship+order%3Apow"' in page
    assert 'href="?q=raptor+order%3Apow"' in page
    assert 'href="/cards/?q=order%3Apow"' in page  # Clear all
    assert 'aria-label="Without order"' in shown(client, "/cards/?q=order+order:pow")


@pytest.mark.parametrize(
    ("query", "toggle", "then"),
    [
        ("", "type:ship", "type:ship"),
        ("raptor", "type:ship", "raptor type:ship"),
        ("raptor t:ship", "type:ship", "raptor"),
        ("t:ship raptor", "type:mission", "t:ship|mission raptor"),
        ("t:ship|mission raptor", "type:ship", "t:mission raptor"),
        ("tr:officer&pilot", "trait:Capital Ship", 'tr:officer&pilot trait:"capital ship"'),
        ("-t:ship", "type:ship", "-t:ship type:ship"),
        ("viper or raptor", "type:ship", "(viper or raptor) type:ship"),
        ("viper and raptor", "set:BSG2", "viper raptor set:bsg2"),
        ("viper order:cost", "order:pow", "viper order:pow"),
        ("viper", "dir:desc", "viper dir:desc"),
        ("order:pow dir:asc viper", "order:cost", "viper order:cost"),
        ("viper", "in:deck", "viper"),
        ("viper", "t:ship", "viper"),
        ("viper", "type:starship", "viper"),
        ("viper", "wombat:ship", "viper"),
    ],
)
def test_a_chip_changes_the_query(client: Client, all_cards: None, query: str, toggle: str, then: str) -> None:
    answer = client.get("/cards/", {"q": query, "toggle": toggle, "last": ""})
    assert parse_qs(urlsplit(answer["Location"]).query).get("q", [""]) == [then]


def test_chips_show_what_the_query_says(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?q=raptor+t:ship|mission+tr:scout")
    for value, pressed in (
        ("type:ship", "true"),
        ("type:mission", "true"),
        ("type:base", "false"),
        ("trait:Scout", "true"),
    ):
        assert f'value="{value}" aria-pressed="{pressed}"' in page, value


def test_a_wrong_query_is_told_and_the_last_results_stay(client: Client, all_cards: None) -> None:
    answer = client.get("/cards/", {"q": "raptor pwr:<b>", "last": "q:none"})
    assert answer.status_code == 400
    answer = client.get("/cards/", {"q": "raptor pwr:2", "last": '!"Raptor 227"'})
    page = answer.content.decode()
    assert "<mark>pwr</mark>:2" in page
    assert "There is no field “pwr”." in page
    assert 'href="?q=raptor%20pow%3A2"' in page
    assert 'value="raptor pwr:2"' in page
    assert cards_on(page) == ["BSG1-164"]


def test_the_help_has_every_field_and_every_example_can_be_asked(client: Client, starters: None) -> None:
    page = shown(client, reverse("cards_data:search_help"))
    assert reverse("cards_data:search_help") in shown(client, "/cards/")
    for field in LANGUAGE.fields:
        assert f'id="field-{field.name}"' in page
    examples = re.findall(r'href="(/cards/\?q=[^"]+)"', page)
    assert len(examples) > len(LANGUAGE.fields)
    for address in examples:
        assert cards_on(shown(client, address)), address


@pytest.mark.parametrize(
    "query", ["q=%00", "q=%27%22%3C", "q=%F0%9F%9A%80", "trait=|", "page=-1", "q=x&page=99", "toggle=%00"]
)
def test_odd_addresses_are_answered(client: Client, all_cards: None, query: str) -> None:
    assert client.get(f"/cards/?{query}").status_code in (200, 302, 400)


def test_nothing_found_says_what_to_do(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/?q=nothing+is+called+this")
    assert "0 cards" in page
    assert "Show all cards" in page


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("starbuk", "starbuck"),
        ("cost<=3 stabruck kara", ""),  # the words that are right find nothing either
        ("galatica type:base order:name", "galactica type:base order:name"),
        ('"battlestar galatica"', '"battlestar galactica"'),
        ("zzzzzz", ""),
        ("starbuck type:event cost:9", ""),  # no word is wrong
    ],
)
def test_where_a_name_is_misspelt_the_nearest_one_is_offered(
    client: Client, all_cards: None, query: str, meant: str
) -> None:
    page = unescape(shown(client, f"/cards/?{urlencode({'q': query})}"))
    assert "No card is like that" in page
    assert re.findall(r'Did you mean <a href="[^"]+">(.+?)</a>', page) == [meant] * bool(meant)
    if meant:
        assert cards_on(shown(client, f"/cards/?{urlencode({'q': meant})}"))


def test_before_any_import_the_pages_say_so(client: Client, db: None) -> None:
    assert "No cards yet" in shown(client, "/cards/")
    assert "No sets yet" in shown(client, "/sets/")
    assert client.get("/cards/BSG1-001/").status_code == 404
    assert client.get("/sets/BSG1/").status_code == 404


def test_a_card_page_says_every_fact_as_text(client: Client, all_cards: None) -> None:
    page = shown(client, reverse("cards_data:card", args=["BSG1-130"]))
    for expected in (
        "Number Six", "Agent Provocateur", "Cylon", "Vision", "Cannot challenge or defend.",
        "more actions after this one.", "Revealed as a Cylon threat:", "exhausts their base.",
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
    told = "Commit and sacrifice this personnel: take 2 more actions after this one. Each player exhausts their base."
    assert told in page
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
    assert "leaves 2 persuasion over, you may play this card" in shown(client, "/cards/BSG1-014/")


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
    "address", ["/cards/BSG1-999/", "/cards/x/", "/sets/NOPE/", "/cards/%00/", "/sets/%00/", "/api/v1/cards/%00/"]
)
def test_what_is_not_there_is_a_404(client: Client, all_cards: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_sets_and_their_cards(client: Client, all_cards: None) -> None:
    page = shown(client, reverse("cards_data:sets"))
    names = ("Base Set", "Betrayal", "Exclusives", "Limited Editions")
    for expected in (*names, "351 cards in 4 sets: 356 printings", "165"):
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
    for address in ("/cards/", "/cards/?q=view:list", "/cards/TST-01/", "/sets/TST/"):
        assert name not in shown(client, address)


def test_a_list_costs_few_queries(client: Client, all_cards: None, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        shown(client, "/cards/?q=type:ship")
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
    assert "TST-02" in client.get(f"/api/v1/cards/catalog.json?v={with_it}").json()["cards"]


def test_a_set_that_is_gone_leaves_the_lists_and_keeps_its_page(client: Client, db: None, write_set: WriteSet) -> None:
    import_sets([write_set("ONE", cards=APOLLO)])
    import_sets([write_set("TWO", cards=RAPTOR)])
    importing.roll_back(1, None)
    assert "/sets/TWO/" not in client.get("/sets/").content.decode()
    assert "/sets/TWO/" not in client.get("/sets/ONE/").content.decode()
    assert "This set is empty" in client.get("/sets/TWO/").content.decode()
    assert "has been withdrawn" in client.get("/cards/TWO-02/").content.decode()


def steps_on(page: str) -> dict[str, str]:
    return {kind: unescape(address) for kind, address in re.findall(r'rel="(prev|next)" href="(/cards/[^"]+)"', page)}


def test_one_steps_through_what_was_found(client: Client, all_cards: None) -> None:
    query = "q=t%3Abase+order%3Aname"
    found = cards_on(shown(client, f"/cards/?{query}"))
    page = shown(client, f"/cards/{found[0]}/?{query}")
    assert f"1 of {len(found)} for" in page
    walked, here = [found[0]], steps_on(page)
    assert "prev" not in here
    while "next" in here:
        walked.append(here["next"].split("/")[2])
        here = steps_on(shown(client, here["next"]))
    assert walked == found
    assert here["prev"].split("/")[2] == found[-2]


@pytest.mark.parametrize("view", ["grid", "list"])
def test_the_list_leads_to_cards_in_its_result(client: Client, all_cards: None, view: str) -> None:
    page = shown(client, f"/cards/?q=raptor+view:{view}")
    address = re.search(r'href="(/cards/BSG1-\d+/\?q=[^"]+)"', page.partition('id="results"')[2])
    assert address
    assert " of " in shown(client, unescape(address[1])).partition("card-steps-result")[2][:40]


@pytest.mark.parametrize("query", ["t:base", "pwr>2", "(", "x" * 300, "in:deck", "%00", ""])
def test_without_a_result_one_steps_through_the_set(client: Client, all_cards: None, query: str) -> None:
    page = client.get("/cards/BSG1-130/", {"q": query}).content.decode()
    here = steps_on(page)
    assert (here["prev"], here["next"]) == ("/cards/BSG1-129/", "/cards/BSG1-131/")
    assert "card-steps-result" not in page


def test_a_card_has_links_to_copy(client: Client, all_cards: None) -> None:
    page = shown(client, "/cards/BSG1-130/?q=raptor")
    assert 'value="http://testserver/cards/BSG1-130/"' in page
    assert 'value="http://testserver/api/v1/cards/BSG1-130/"' in page
    assert '<link rel="canonical" href="http://testserver/cards/BSG1-130/">' in page


def test_a_filter_is_switched_off_and_on_again_without_being_lost(client: Client, all_cards: None) -> None:
    def switches(page: str) -> dict[str, str]:
        found = re.findall(r'class="filter-switch" href="([^"]+)" aria-label="([^"]+)"', page)
        return {unescape(label): unescape(address) for address, label in found}

    whole = shown(client, "/cards/?q=t:ship+pow>=4+order:cost")
    assert list(switches(whole)) == ["t:ship: on, switch it off", "pow>=4: on, switch it off"]
    off = shown(client, f"/cards/{switches(whole)['pow>=4: on, switch it off']}")
    assert cards_on(off) == cards_on(shown(client, "/cards/?q=t:ship+order:cost")) != cards_on(whole)
    assert list(switches(off)) == ["t:ship: on, switch it off", "pow>=4: off, switch it on"]
    assert cards_on(shown(client, f"/cards/{switches(off)['pow>=4: off, switch it on']}")) == cards_on(whole)
