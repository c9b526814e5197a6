"""See it played: every scenario that proves something can be watched, from every place that names what it proves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ccg.rules import Catalog
from ccg.rules.scenario import Scenario, run_scenario
from ccg.rules.scenario.clearness import effort
from ccg.server.played.library import proofs, shipped, showing
from ccg.server.played.recording import Recording, acting, kept, record
from tests.reading import scenarios_in

pytestmark = pytest.mark.django_db

EVERY = 45
"""Of so many scenarios one is looked at where looking at all takes long."""


def scenario_at(address: str) -> Scenario:
    one = shipped()[address]
    return next(each for each in scenarios_in(one.path) if each.name == one.name)


def sees_all(recording: Recording, address: str) -> None:
    """Whether what is shown of a scenario is what it says, from its beginning to its end."""
    tables = [moment.table for moment in recording.moments]
    assert [table.version for table in tables] == list(range(len(tables))), address
    assert [moment.by is None for moment in recording.moments] == [place == 0 for place in range(len(tables))], address
    for before, moment in zip(recording.moments, recording.moments[1:], strict=False):
        decision = before.table.view.decision
        assert moment.does, address
        assert moment.does == "Concede" or (decision is not None and len(decision.options) == 1), address
        assert moment.does == "Concede" or decision is None or decision.seat == moment.by, address
    last = tables[-1].view.decision
    assert last is None or last.options == [], address
    assert any(moment.expects for moment in recording.moments), address
    for table in tables:
        assert all(len(player.hand_cards) == player.hand for player in table.view.players), address


@pytest.mark.parametrize("address", sorted(shipped())[::EVERY])
def test_a_scenario_is_shown_as_it_is_played(address: str, catalog: Catalog) -> None:
    scenario = scenario_at(address)
    recording = record(scenario, catalog)
    sees_all(recording, address)
    game = run_scenario(scenario, catalog)
    assert recording.moments[-1].table.view.phase == game.view(None).phase
    assert recording.moments[-1].table.view.threats == game.view(None).threats


@pytest.mark.ci
@pytest.mark.slow
def test_every_scenario_can_be_shown(catalog: Catalog) -> None:
    for address in shipped():
        sees_all(record(scenario_at(address), catalog), address)


def test_every_clause_ruling_and_card_has_a_scenario_or_a_test() -> None:
    known = proofs()
    for kind in (known.clauses, known.rulings, known.cards):
        for name, found in kind.items():
            assert [one.name for one in showing(name)] == [proof.name for proof in found if proof.path]
            assert found, name


def test_no_two_scenarios_share_an_address() -> None:
    known = proofs()
    shown = {
        proof for kind in (known.clauses, known.rulings, known.cards) for found in kind.values() for proof in found
    }
    assert len(shipped()) == len([proof for proof in shown if proof.path])


def test_the_clearest_scenario_comes_first() -> None:
    for name in ("WIN-1", "ruling-24", "BSG1-023"):
        efforts = [effort(scenario_at(one.address)) for one in showing(name)]
        assert efforts == sorted(efforts)
        assert efforts


@pytest.mark.parametrize("address", sorted(shipped())[::EVERY])
def test_a_page_tells_the_story_in_words_and_where_its_positions_are(client: Client, address: str) -> None:
    page = client.get(f"/rules/played/{address}/")
    text = page.content.decode()
    one = shipped()[address]
    assert page.status_code == 200
    assert f"v={kept(one).mark}" in text
    assert text.count("<li>") >= len(kept(one).recording.moments)
    assert all(name in text for name in one.rules)


def test_the_positions_are_messages_of_the_table(client: Client) -> None:
    (one, *_) = showing("WIN-1")
    answer = client.get(reverse("played_data", args=[one.address]))
    moments: list[dict[str, Any]] = json.loads(answer.content)["moments"]
    assert [moment["table"]["type"] for moment in moments] == ["table"] * len(moments)
    assert moments[-1]["table"]["over"]
    assert "Ana wins the game." in moments[-1]["expects"]


def test_positions_are_kept_by_their_mark_and_asked_for_again_without_it(client: Client) -> None:
    (one, *_) = showing("WIN-1")
    address = reverse("played_data", args=[one.address])
    marked = client.get(f"{address}?v={kept(one).mark}")
    plain = client.get(address)
    assert "immutable" in marked["Cache-Control"]
    assert "no-cache" in plain["Cache-Control"]
    assert "no-cache" in client.get(f"{address}?v=older")["Cache-Control"]
    again = client.get(address, headers={"if-none-match": plain["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "address",
    ["nothing", "../../../etc/passwd", "rules/winning/twenty-wins", "cards/%00", "rules//x", "é", "a" * 3000],
)
@pytest.mark.parametrize("end", ["", "positions.json"])
def test_an_address_without_a_scenario_is_not_found(client: Client, address: str, end: str) -> None:
    assert client.get(f"/rules/played/{address}/{end}").status_code == 404


def test_it_is_shown_from_the_seat_that_acts() -> None:
    seats = {acting(scenario_at(address)) for address in shipped()}
    assert seats >= {0, 1}
    assert acting(scenario_at(showing("WIN-1")[0].address)) == kept(showing("WIN-1")[0]).recording.seat


def test_pages_ask_the_database_no_more_where_there_is_more_to_tell(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    longest = max(shipped().values(), key=lambda one: len(one.rules) + len(one.cards))
    for address in (f"/rules/played/{longest.address}/", "/rules/played/?shows=CHAL-1", "/rules/played/"):
        with django_assert_max_num_queries(4):
            assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("what", "named"), [("WIN-1", "WIN-1"), ("ruling-24", "Ruling 24"), ("BSG1-023", "Distraction")]
)
def test_what_shows_a_rule_is_listed(client: Client, what: str, named: str) -> None:
    page = client.get("/rules/played/", {"shows": what}).content.decode()
    assert named in page
    assert all(one.url in page for one in showing(what))


@pytest.mark.parametrize("what", ["X-1", "ruling-9999", "ruling-x", "<b>", "\0", "x" * 5000])
def test_what_nothing_shows_is_said_to_be_so(client: Client, what: str) -> None:
    page = client.get("/rules/played/", {"shows": what})
    assert page.status_code == 200
    assert "No scenario shows" in page.content.decode()


def test_everything_that_can_be_seen_played_is_listed(client: Client) -> None:
    page = client.get("/rules/played/").content.decode()
    assert all(f"?shows={what}" in page for what in ("WIN-1", "ruling-24", "BSG1-023"))


def test_what_can_be_seen_played_is_searched_by_its_words(client: Client) -> None:
    page = client.get("/rules/played/", {"q": " distraction "}).content.decode()
    assert "?shows=BSG1-023" in page
    assert "?shows=WIN-1" not in page
    named = next(one for one in shipped().values() if "Distraction" in one.name)
    assert named.url in page


def test_a_search_that_finds_nothing_says_so(client: Client) -> None:
    page = client.get("/rules/played/", {"q": "<nowhere>"}).content.decode()
    assert "Nothing has all of “&lt;nowhere&gt;”" in page


def leads(page: str, what: str) -> bool:
    """Whether ``page`` leads to the clearest scenario that shows ``what``."""
    return f'href="{showing(what)[0].url}"' in page


def test_every_clause_that_a_scenario_shows_leads_to_the_clearest(client: Client) -> None:
    page = client.get("/rules/clauses/").content.decode()
    names = [name for name in proofs().clauses if showing(name)]
    assert len(names) > 100
    assert [name for name in names if not leads(page, name)] == []


def test_every_ruling_leads_to_the_clearest(client: Client) -> None:
    page = client.get("/rules/rulings/").content.decode()
    names = [name for name in proofs().rulings if showing(name)]
    assert len(names) > 50
    assert [name for name in names if not leads(page, name)] == []


def test_the_page_of_a_card_leads_to_where_it_and_its_rulings_are_played(client: Client, all_cards: None) -> None:
    for card in list(proofs().cards)[::EVERY]:
        assert leads(client.get(f"/cards/{card}/").content.decode(), card), card
    assert leads(client.get("/cards/BSG1-023/").content.decode(), "BSG1-023")


def test_the_contents_of_the_rules_lead_there(client: Client) -> None:
    assert 'href="/rules/played/"' in client.get("/rules/").content.decode()
