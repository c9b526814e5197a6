"""Formats in the administration: what is picked is known, and what makes decks illegal is shown before it is kept."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ccg.outbox.models import Job
from decks import formats, judging, services
from decks.models import Deck, FormatEdition
from tests.decks.conftest import LEGAL_LIST
from tests.people import signed_in

pytestmark = pytest.mark.django_db

PAGE = reverse("admin:decks_format_change", args=[formats.STANDARD])
SETS = list(formats.STANDARD_SETS)


@pytest.fixture
def owner(all_cards: None) -> Client:
    return signed_in(get_user_model().objects.create_superuser("adama", password="adama-password-1"))


def fields(**more: Any) -> dict[str, Any]:
    """The form of the standard format with its one edition, as a browser sends it."""
    edition = formats.standard().editions.get()
    said = {
        "name": "Standard 2006",
        "editions-TOTAL_FORMS": "1",
        "editions-INITIAL_FORMS": "1",
        "editions-0-id": edition.pk,
        "editions-0-format": formats.STANDARD,
        "editions-0-starts": "2006-01-01",
        "editions-0-sets": SETS,
        "editions-0-minimum": "60",
        "editions-0-copies": "4",
        "editions-0-copies_of": "",
        "_save": "Save",
    }
    return {**said, **{f"editions-0-{name}": value for name, value in more.items()}}


def second(**more: Any) -> dict[str, Any]:
    """The same form with one more edition."""
    day = (timezone.localdate() + timedelta(days=30)).isoformat()
    new = {"id": "", "format": formats.STANDARD, "starts": day, "sets": SETS, "minimum": "60", "copies": "4", **more}
    return {**fields(), "editions-TOTAL_FORMS": "2", **{f"editions-1-{name}": value for name, value in new.items()}}


def problems(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(re.sub("<[^>]+>", " ", part) for part in re.findall(r"errorlist.*?</ul>", answer.text, re.DOTALL))


def edition() -> FormatEdition:
    return formats.standard().editions.order_by("starts").first()


def test_sets_and_cards_are_picked_by_name(owner: Client) -> None:
    page = owner.get(PAGE).text
    for code in SETS:
        assert f'type="checkbox" name="editions-0-sets" value="{code}"' in page
    assert 'class="selectfilter" data-field-name="cards"' in page
    assert '<option value="BSG1-136">Starbuck, Hotshot Pilot (BSG1-136)</option>' in page


def test_what_is_picked_is_stored(owner: Client) -> None:
    answer = owner.post(
        PAGE, fields(banned=["BSG2-136"], restricted=["BSG1P-4"], copies_of="20 Skirmishing Raider\n2x Fury (BSG1-28)")
    )
    assert answer.status_code == 302
    now = edition()
    raider = next(card.id for card in services.current_names().find("Skirmishing Raider"))
    assert (now.sets, now.banned, now.restricted) == (SETS, ["BSG2-136"], ["BSG1P-4"])
    assert now.copies_of == {raider: 20, "BSG1-028": 2}
    page = owner.get(PAGE).text
    assert "20 Skirmishing Raider\n2 Fury" in page
    assert '<option value="BSG2-136" selected>' in page


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"sets": ["BSG1", "BSG9"]}, "BSG9 is not in the card database. Take it out."),
        ({"sets": []}, "This field is required."),
        ({"banned": ["BSG1-999"]}, "BSG1-999 is not in the card database."),
        ({"restricted": ["Starbuck"]}, "Starbuck is not in the card database."),
        ({"banned": ["BSG1-136"], "restricted": ["BSG1-136"]}, "BSG1-136: banned already."),
        (
            {"copies_of": "3 Viper 442"},
            "Line 1, &#x27;3 Viper 442&#x27;: There is no card of this name. Near: Colonial",
        ),
        ({"copies_of": "3 Starbuck"}, "8 cards can be meant"),
        ({"copies_of": "0 Fury"}, "A quantity is a number from 1 to 99."),
        ({"copies_of": "Ships\n3 Fury"}, "Line 1, &#x27;Ships&#x27;: A line is a number and the name of a card."),
        ({"copies_of": "3 Fury\n4 Fury"}, "Line 2, &#x27;4 Fury&#x27;: this card has a limit already."),
        ({"copies_of": "3 Fury\n" * 501}, "at most; this one has 501."),
        ({"copies_of": '{"BSG1-136": 3}'}, "Line 1"),
        ({"starts": "2006-01-01", "ends": "2005-01-01"}, "An edition ends after it starts."),
        ({"minimum": "-1"}, "greater than or equal to 0"),
    ],
)
def test_what_is_not_known_is_refused_and_changes_nothing(owner: Client, said: dict[str, Any], why: str) -> None:
    before = FormatEdition.objects.values().get()
    assert why in problems(owner.post(PAGE, fields(**said)))
    assert FormatEdition.objects.values().get() == before


def test_what_is_stored_and_no_longer_known_is_seen_and_has_to_go(owner: Client) -> None:
    FormatEdition.objects.update(sets=[*SETS, "LOST"], banned=["LOST-001"])
    page = owner.get(PAGE).text
    assert "LOST: not known, to be taken out" in page
    assert '<option value="LOST-001" selected>' in page
    assert "LOST is not in the card database" in problems(owner.post(PAGE, fields(sets=[*SETS, "LOST"])))
    assert owner.post(PAGE, fields()).status_code == 302
    assert (edition().sets, edition().banned) == (SETS, [])


def test_decks_that_become_illegal_are_counted_before_anything_is_kept(owner: Client, deck: Deck, alice: Any) -> None:
    services.create_from_text(alice, "# Small\nBase: Galactica\n4 Fury")
    banned = min(deck.head.counts)
    before, jobs = FormatEdition.objects.values().get(), Job.objects.count()

    asked = owner.post(PAGE, fields(banned=[banned]))
    said = " ".join(re.sub("<[^>]+>", "", asked.text).split())
    assert "Nothing is saved yet. Of 2 decks made for this format:" in said
    assert "1 that would be legal becomes illegal." in said
    assert deck.name not in asked.text, "decks are their owners' own"
    assert (FormatEdition.objects.values().get(), Job.objects.count()) == (before, jobs)

    form = dict(re.findall(r'<input type="hidden" name="(agreed)" value="([^"]*)"', asked.text))
    assert form == {"agreed": f"{timezone.localdate()}:1"}
    assert f'<input type="hidden" name="editions-0-banned" value="{banned}">' in asked.text
    assert owner.post(PAGE, {**fields(banned=[banned]), **form}).status_code == 302
    assert edition().banned == [banned]
    assert Job.objects.count() > jobs
    assert judging.check_version(deck.head, deck)


def test_what_was_agreed_to_is_what_is_done(owner: Client, deck: Deck, alice: Any) -> None:
    banned = min(deck.head.counts)
    services.create_from_text(alice, LEGAL_LIST, name="One more")
    said = {**fields(banned=[banned]), "agreed": f"{timezone.localdate()}:1"}
    assert "<strong>2</strong> that would be legal become" in owner.post(PAGE, said).text
    assert edition().banned == []


def test_an_edition_to_come_is_looked_at_on_its_day(owner: Client, deck: Deck) -> None:
    asked = owner.post(PAGE, second(sets=["BSG2"]))
    day = timezone.localdate() + timedelta(days=30)
    assert f"from {day.day} {day:%B %Y} on" in asked.text
    assert FormatEdition.objects.count() == 1
    assert owner.post(PAGE, {**second(sets=["BSG2"]), "agreed": f"{day}:1"}).status_code == 302
    assert [one.sets for one in FormatEdition.objects.order_by("starts")] == [SETS, ["BSG2"]]


def test_an_edition_that_is_deleted_is_a_change_too(owner: Client, deck: Deck) -> None:
    FormatEdition.objects.create(format=deck.format, starts=date(2006, 6, 1), sets=["BSG2"])
    assert judging.check_version(deck.head, deck)
    first = FormatEdition.objects.order_by("starts").first()
    later = FormatEdition.objects.order_by("starts").last()
    said = {
        "name": "Standard 2006", "editions-TOTAL_FORMS": "2", "editions-INITIAL_FORMS": "2", "_save": "Save",
        "editions-0-id": first.pk, "editions-0-format": formats.STANDARD, "editions-0-starts": "2006-01-01",
        "editions-0-sets": SETS, "editions-0-minimum": "60", "editions-0-copies": "4",
        "editions-1-id": later.pk, "editions-1-format": formats.STANDARD, "editions-1-starts": "2006-06-01",
        "editions-1-sets": ["BSG2"], "editions-1-minimum": "60", "editions-1-copies": "4", "editions-1-DELETE": "on",
    }  # fmt: skip
    assert owner.post(PAGE, said).status_code == 302, "nothing becomes illegal, so nothing is asked"
    assert not judging.check_version(deck.head, deck)


def test_the_code_of_a_format_stays(owner: Client, deck: Deck) -> None:
    assert owner.post(PAGE, {**fields(), "code": "other"}).status_code == 302
    assert formats.codes() == [formats.STANDARD]


def test_a_new_format_is_made(owner: Client) -> None:
    said = {key.replace("editions-0-format", "x"): value for key, value in fields(sets=["BSG2"]).items()}
    said.update({"code": "second", "name": "Second", "editions-INITIAL_FORMS": "0", "editions-0-id": ""})
    assert owner.post(reverse("admin:decks_format_add"), said).status_code == 302
    assert FormatEdition.objects.get(format="second").sets == ["BSG2"]
