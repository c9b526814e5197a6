"""Import: all or nothing, twice is once, every import that changes something is a data version."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Model

from cards_data import catalog
from cards_data.catalog import UnknownVersion
from cards_data.changes import Changes
from cards_data.imports import after_import, import_sets
from cards_data.models import Card, DataVersion, Printing, Set
from ccg.rules.authoring.card_files import SETS, CardFileError, read_catalog, read_sets
from tests.cards_data.conftest import APOLLO, RAPTOR, WriteSet

pytestmark = pytest.mark.django_db


def command(*paths: Path, remove: int = 0) -> str:
    out = StringIO()
    call_command("import_set", *paths, games=0, remove=remove, stdout=out)
    return out.getvalue()


def stored() -> list[Any]:
    """Everything in the tables, to compare before and after."""
    return [list(model.objects.order_by("pk").values()) for model in (Set, Card, Printing, DataVersion)]


@pytest.fixture
def heard() -> Iterator[list[tuple[DataVersion, Changes]]]:
    """What was sent after imports."""
    news: list[tuple[DataVersion, Changes]] = []

    def listen(sender: object, version: DataVersion, changes: Changes, **more: Any) -> None:
        news.append((version, changes))

    after_import.connect(listen)
    yield news
    after_import.disconnect(listen)


def test_all_cards_are_imported_and_the_same_again_changes_nothing(
    heard: list[tuple[DataVersion, Changes]],
) -> None:
    said = command(SETS)
    assert "new cards: 351" in said
    assert "data version 1" in said
    assert (Set.objects.count(), Card.objects.count(), Printing.objects.count()) == (4, 351, 356)
    before = stored()

    assert "Nothing changed: all 351 cards are stored already." in command(SETS)
    assert "Nothing changed: all 164 cards are stored already." in command(SETS / "bsg2")
    assert stored() == before
    assert len(heard) == 1


def test_the_stored_catalogue_is_that_of_the_files() -> None:
    command(SETS)
    from_files = read_catalog()
    assert catalog.current().cards == from_files.cards
    assert catalog.current().fingerprint == from_files.fingerprint == DataVersion.objects.get().fingerprint
    assert catalog.data().first_printings.keys() == from_files.index.keys()


def test_columns_say_what_the_definition_says() -> None:
    command(SETS)
    for row in Card.objects.all():
        card = catalog.current()[row.id]
        assert row.definition == card
        assert (row.name, row.type, list(row.traits)) == (card.name, card.type, list(card.traits))
        assert (row.power, row.threat, row.mystic, row.hand) == (card.power, card.threat, card.mystic, card.hand)
        assert (row.cost is None) == (card.type in ("base", "mission"))
    assert Card.objects.filter(cost__lt=99).count() == 351 - 17 - 80


def test_the_sets_can_be_imported_one_by_one() -> None:
    for code in ("bsg1", "bsg1p", "bsg1l", "bsg2"):
        command(SETS / code)
    assert catalog.current_number() == 4
    assert catalog.current().fingerprint == read_catalog().fingerprint


def test_a_set_whose_first_printings_are_missing_is_refused() -> None:
    with pytest.raises(CommandError, match=r"bsg1l/personnel\.yaml, card 2 .*there is no card 'BSG1-100'"):
        command(SETS / "bsg1l")
    assert not Card.objects.exists()


def test_a_change_is_a_new_version_and_the_old_one_can_still_be_loaded(write_set: WriteSet) -> None:
    command(write_set(cards=APOLLO + RAPTOR))
    said = command(
        write_set(cards=APOLLO.replace("power: 2", "power: 4").replace("[Pilot]", "[Officer, Pilot]") + RAPTOR)
    )
    assert "TST-01 Apollo, Test Pilot: traits Pilot -> Officer, Pilot; power 2 -> 4" in said
    assert "changed: 1, unchanged: 1" in said
    assert (catalog.version(1)["TST-01"].power, catalog.version(2)["TST-01"].power) == (2, 4)
    assert catalog.current() is catalog.version(2)
    assert Card.objects.get(pk="TST-01").power == 4
    old = DataVersion.objects.get(number=1)
    assert catalog.with_fingerprint(old.fingerprint).number == 1
    changed = DataVersion.objects.get(number=2).changes["changed"]
    assert changed[0]["fields"][1] == {"field": "power", "before": "2", "after": "4"}


def test_going_back_to_old_files_is_a_version_of_its_own(write_set: WriteSet) -> None:
    for text in (APOLLO, APOLLO.replace("power: 2", "power: 4"), APOLLO):
        command(write_set(cards=text))
    assert catalog.current_number() == 3
    assert catalog.version(3).fingerprint == catalog.version(1).fingerprint
    assert catalog.with_fingerprint(catalog.current().fingerprint).number == 3


def test_a_card_that_is_gone_stays_for_old_decks_and_can_come_back(write_set: WriteSet) -> None:
    command(write_set(cards=APOLLO + RAPTOR))
    said = command(write_set(cards=APOLLO), remove=1)
    assert "withdrawn (kept for old decks), 1 card of TST: TST-02" in said
    assert "TST-02" not in catalog.current()
    assert "TST-02" in catalog.version(1)
    assert Card.objects.get(pk="TST-02").withdrawn
    assert Printing.objects.get(pk="TST-02").withdrawn
    command(write_set(cards=APOLLO + RAPTOR))
    assert not Card.objects.get(pk="TST-02").withdrawn
    assert not Printing.objects.get(pk="TST-02").withdrawn


def test_a_reprinted_card_cannot_go(write_set: WriteSet) -> None:
    reprint = "- {number: 7, title: Apollo, subtitle: Test Pilot, rarity: limited, reprint_of: ONE-01}\n"
    command(write_set("ONE", cards=APOLLO + RAPTOR), write_set("TWO", cards=reprint))
    with pytest.raises(CommandError, match="TWO-07 reprints ONE-01"):
        command(write_set("ONE", cards=RAPTOR))


def test_a_printing_never_becomes_one_of_another_card(write_set: WriteSet) -> None:
    command(write_set("ONE", cards=APOLLO), write_set("TWO", cards=RAPTOR))
    reprint = "- {number: 2, title: Apollo, subtitle: Test Pilot, rarity: limited, reprint_of: ONE-01}\n"
    with pytest.raises(CommandError, match="TWO-02 was a printing of TWO-02 and cannot become one of ONE-01"):
        command(write_set("TWO", cards=reprint))


def test_a_change_of_printings_alone_is_a_version_with_the_same_cards(write_set: WriteSet) -> None:
    command(write_set(cards=APOLLO))
    said = command(write_set(cards=APOLLO.replace("rarity: rare", "rarity: fixed")))
    assert "new printings: 0, changed: 1" in said
    first, second = DataVersion.objects.order_by("number")
    assert first.fingerprint == second.fingerprint
    assert first.digest != second.digest
    assert Printing.objects.get().rarity == "fixed"


def test_one_bad_file_among_good_ones_imports_nothing(write_set: WriteSet) -> None:
    command(write_set("ONE", cards=APOLLO))
    before = stored()
    good = write_set("TWO", cards=RAPTOR)
    bad = write_set("ONE", cards=APOLLO.replace("power: 2", "powr: 2").replace("mystic: 2", "mystic: -2"))
    with pytest.raises(CommandError) as caught:
        command(good, bad)
    said = str(caught.value)
    assert said.startswith(
        "3 problems found; nothing was imported.\n  one/cards.yaml, card 1 Apollo, Test Pilot (line 2): "
    )
    assert "did you mean 'power'?" in said
    assert "mystic" in said
    assert stored() == before


def test_who_listens_hears_of_changes_and_can_undo_them(
    write_set: WriteSet, heard: list[tuple[DataVersion, Changes]]
) -> None:
    def refuse(**news: Any) -> None:
        raise RuntimeError("no")

    folder = write_set(cards=APOLLO)
    after_import.connect(refuse)
    try:
        with pytest.raises(RuntimeError):
            import_sets([folder])
    finally:
        after_import.disconnect(refuse)
    assert catalog.current_number() == 0
    assert not Card.objects.exists()

    heard.clear()
    import_sets([folder], source="a test")
    [(version, changes)] = heard
    assert (version.number, version.source, changes.new) == (1, "a test", ("TST-01",))


def test_before_the_first_import_the_catalogue_is_empty() -> None:
    assert len(catalog.current()) == 0
    assert catalog.current_number() == 0
    with pytest.raises(UnknownVersion):
        catalog.version(1)
    with pytest.raises(UnknownVersion):
        catalog.with_fingerprint("0123456789abcdef")


def test_the_catalogue_is_read_once_a_version(write_set: WriteSet, django_assert_num_queries: Any) -> None:
    import_sets([write_set(cards=APOLLO)])
    first = catalog.current()
    with django_assert_num_queries(1):
        assert catalog.current() is first


def test_the_import_says_where_there_is_nothing_to_import(tmp_path: Path) -> None:
    with pytest.raises(CardFileError, match=r"no set\.yaml here"):
        import_sets([tmp_path])


def test_models_and_migration_agree() -> None:
    call_command("makemigrations", "cards_data", check=True, dry_run=True, stdout=StringIO())


def test_whatever_is_let_in_fits_its_columns(write_set: WriteSet) -> None:
    """SQLite stores longer texts all the same, PostgreSQL refuses them."""
    traits = [chr(ord("A") + n) + "a" * 29 for n in range(10)]
    keywords = "[manipulate, scramble, sniper, strafe, vision, vulnerable, {expedite: {security: 1}}]"
    unit = RAPTOR.replace("subtitle: Raptor 9", f"title: {'A' * 80}\n  subtitle: {'Ǖ' * 80}")
    unit = unit.replace("[Scout]", f"[{', '.join(traits)}]").replace("[scramble]", keywords)
    mission = (
        "- {number: 9999, subtitle: Long Watch, type: mission, rarity: exclusive, threat: 99, mystic: 99, "
        f"requires: [{', '.join([f'{traits[0]} personnel'] * 20)}]}}\n"
    )
    head = f"{{code: {'T' * 10}, name: {'N' * 60}, year: 2200, digits: 4}}"
    [one] = read_sets([write_set(head=head, cards=unit + mission)])
    rows: list[Model] = [Card.from_definition(card) for card in one.cards]
    rows.append(Set(code=one.code, name=one.name, year=one.year))
    rows += [Printing(id=p.id, card_id=p.card, set_id=p.set, number=p.number, rarity=p.rarity) for p in one.printings]
    for row in rows:
        for field in row._meta.concrete_fields:
            value = field.get_prep_value(field.value_from_object(row))
            most = getattr(field, "max_length", None)
            assert most is None or value is None or len(value) <= most, (field, len(value))
