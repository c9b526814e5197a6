"""Legality of stored decks follows the cards and the formats, through the outbox."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from cards_data.imports import import_sets
from ccg.outbox import sweeps
from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.rules.authoring.card_files import SETS
from decks import background, services
from decks.models import Deck, DeckVersion, FormatEdition

pytestmark = pytest.mark.django_db(transaction=True)

NEW_SET = "code: NEW\nname: New\nyear: 2030\n"
NEW_CARD = (
    "- {number: 1, title: New Ship, type: ship, rarity: common, cost: {security: 1}, "
    "power: 1, threat: 1, mystic: 1, produces: security}\n"
)


@pytest.fixture
def decks(all_cards: None, alice: Any, legal_list: str) -> list[Deck]:
    """Five legal decks, with the cards imported and all background work done."""
    made = [services.create_from_text(alice, legal_list) for _ in range(5)]
    drain()
    return made


def new_cards(folder: Path) -> None:
    folder = folder / "new"
    folder.mkdir()
    (folder / "set.yaml").write_text(NEW_SET)
    (folder / "ships.yaml").write_text(NEW_CARD)
    import_sets([folder])


def test_after_an_import_every_version_is_looked_at_anew(decks: list[Deck], tmp_path: Path) -> None:
    DeckVersion.objects.update(legal=False, problems=[{"code": "stale"}])

    new_cards(tmp_path)
    assert not DeckVersion.objects.filter(legal=True).exists()
    drain()

    assert set(DeckVersion.objects.values_list("legal", "checked_with")) == {(True, 2)}


def test_it_goes_in_batches_and_each_is_asked_for_once(
    decks: list[Deck], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "BATCH", 2)

    new_cards(tmp_path)
    drain()

    jobs = Job.objects.filter(key__startswith=f"{background.TASK}:cards-2:")
    assert jobs.count() == 4  # two, two, one, and the one that finds nothing more
    assert set(jobs.values_list("state", flat=True)) == {"done"}
    for job in list(jobs):  # a worker that died after its work does it again
        background.handle(job.payload)
    assert jobs.count() == 4
    assert set(DeckVersion.objects.values_list("legal", "checked_with")) == {(True, 2)}


def test_an_import_that_changes_nothing_asks_for_nothing(decks: list[Deck]) -> None:
    before = Job.objects.count()

    import_sets([SETS])

    assert Job.objects.count() == before


def test_a_changed_format_is_looked_at_too(decks: list[Deck]) -> None:
    edition = FormatEdition.objects.create(format=decks[0].format, starts=date(2010, 1, 1), sets=["BSG2"])
    drain()
    assert not DeckVersion.objects.filter(legal=True).exists()

    edition.delete()
    drain()
    assert not DeckVersion.objects.filter(legal=False).exists()


def test_legality_follows_the_days_on_which_formats_begin_and_end(
    decks: list[Deck], monkeypatch: pytest.MonkeyPatch
) -> None:
    today, day = timezone.localdate(), timedelta(days=1)
    FormatEdition.objects.create(format=decks[0].format, starts=today + day, ends=today + 3 * day, sets=["BSG2"])

    def on(then: date) -> tuple[set[bool], int]:
        monkeypatch.setattr(timezone, "localdate", lambda: then)
        look_around_anew()
        rounds = drain()
        return set(DeckVersion.objects.values_list("legal", flat=True)), rounds

    drain()
    assert on(today) == ({True}, 0)
    assert on(today + day) == ({False}, 2)
    assert on(today + 2 * day) == ({False}, 0)
    assert on(today + 3 * day) == ({True}, 2)
    assert on(today + 9 * day) == ({True}, 0)


def look_around_anew() -> None:
    """Call what looks for work every few minutes, whenever it was called last."""
    sweeps._sweeps["decks.days"].look()


def test_tabs_that_save_at_the_same_time_get_versions_of_their_own(decks: list[Deck], legal_list: str) -> None:
    """Each save locks the deck, so no version is lost and no number is given twice."""
    deck, saves = decks[0], 6

    def save(number: int) -> None:
        try:
            services.new_version(Deck.objects.get(pk=deck.pk), legal_list.replace("3 CAG", f"3 CAG #tab{number}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(saves) as threads:
        list(threads.map(save, range(saves)))

    assert sorted(deck.versions.values_list("number", flat=True)) == list(range(1, saves + 2))
    deck.refresh_from_db()
    assert deck.head
    assert deck.head.number == saves + 1
