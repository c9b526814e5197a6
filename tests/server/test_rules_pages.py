"""The rules under /rules/: every chapter opens, and every clause that it names can be looked up."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from ccg.rules.scenario.coverage import read_proofs
from ccg.server.rules_pages import clauses, guide, rulings
from ccg.server.texts import DOCS
from tests.reading import own_cards

pytestmark = pytest.mark.django_db

SLUGS = [chapter.slug for chapter in guide()]


def test_the_contents_lead_to_every_chapter(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    assert all(f'href="/rules/{slug}/"' in page for slug in SLUGS)
    assert "/rules/clauses/" in page
    assert "/rules/rulings/" in page


def test_the_guide_says_what_a_unit_does_as_soon_as_it_is_in_play() -> None:
    """Its text and its Cylon threat count in reserve as well (EFF-2, CYLON-1)."""
    body = next(chapter.body for chapter in guide() if chapter.slug == "playing")
    enters = next(line for line in body.splitlines() if "enters play face up" in line)
    assert "Cylon threat" in enters and "at once" in enters


@pytest.mark.parametrize("slug", SLUGS)
def test_a_chapter_leads_nowhere_that_is_not_there(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}/").content.decode()
    body = next(chapter.body for chapter in guide() if chapter.slug == slug)
    known = {clause.id for clause in clauses()}
    assert set(re.findall(r"/rules/clauses/#([\w-]+)", body)) <= known
    assert all(f'id="{name}"' in rulings() for name in re.findall(r"/rules/rulings/#([\w-]+)", body))
    assert "{" not in body, "a mark that nobody has understood"
    assert set(re.findall(r'data-card="([^"]+)"', body)) <= {card.id for card in own_cards()}
    for other, anchor in re.findall(r'href="/rules/([a-z]+)/#([\w-]+)"', body):
        if other in SLUGS:
            assert f'id="{anchor}"' in next(chapter.body for chapter in guide() if chapter.slug == other)
    assert f"{body}" in page


def test_pictures_of_cards_are_cards(client: Client) -> None:
    assert (
        '<ccg-card card="BSG1-007" size="thumbnail"><a class="card-name"'
        in client.get("/rules/table/").content.decode()
    )


def test_every_clause_has_its_anchor_and_its_proofs(client: Client) -> None:
    page = client.get(reverse("rules_clauses")).content.decode()
    assert all(f'id="{clause.id}"' in page for clause in clauses())
    assert [clause.id for clause in clauses() if not clause.shown] == []


def test_the_proofs_are_read_from_the_data_and_not_from_a_page() -> None:
    proofs = read_proofs(DOCS / "rules" / "coverage.json")
    assert {clause.id: clause.shown for clause in clauses()} == proofs.clauses
    assert {proof.path.partition("/")[0] for clause in clauses() for proof in clause.shown} <= {"ccg", ""}


def test_the_guide_tells_most_of_the_clauses() -> None:
    told = [clause for clause in clauses() if clause.chapters]
    assert len(told) > len(clauses()) * 3 // 4


def test_rulings_have_their_numbers_as_anchors(client: Client) -> None:
    page = client.get(reverse("rules_rulings")).content.decode()
    assert ".yaml" not in page, "players are told nothing of files"
    assert ".md" not in page, "players are told nothing of files"
    assert all(f'id="ruling-{number}"' in page for number in range(1, 51))


def test_each_ruling_leads_to_where_it_is_played(client: Client) -> None:
    page = client.get(reverse("rules_rulings")).content.decode()
    items = re.findall(r'<li id="(ruling-\d+)">(.*?)</li>', page, re.DOTALL)
    assert len(items) > 50
    for name, item in items:
        assert re.findall(r'aria-label="See it played: (ruling-\d+)"', item) in ([name], []), name
    assert sum("See it played" in item for _, item in items) > 50


def test_a_chapter_that_is_not_there(client: Client) -> None:
    assert client.get("/rules/nothing/").status_code == 404


def test_how_to_play_leads_to_the_rules(client: Client) -> None:
    assert 'href="/rules/"' in client.get("/how-to-play/").content.decode()


def test_how_to_play_does_not_call_a_unit_in_reserve_useless(client: Client) -> None:
    page = client.get("/how-to-play/").content.decode()
    arrive = next(line for line in page.splitlines() if "arrive in" in line)
    assert "text works at once" in arrive and "of use" not in arrive
