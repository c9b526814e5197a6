"""Matches and the card data: a match goes on with the cards it began with, whatever is imported meanwhile."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from cards_data import catalog, importing
from cards_data.imports import import_sets
from cards_data.models import Card, DataVersion
from ccg.rules.authoring.card_files import SETS
from decks import services as decks
from decks import table_decks
from decks.table_decks import NotLegal, TableDeck
from matches.lobby import services as lobby
from matches.models import Match
from matches.playing import archive, match_cache
from matches.table import table_view
from tests.matches.conftest import Table


def import_other_cards(folder: Path) -> None:
    """Import the base set with stronger personnel and without any event: other numbers, withdrawn cards."""
    shutil.copytree(SETS / "bsg1", folder / "bsg1")
    personnel = folder / "bsg1" / "personnel.yaml"
    personnel.write_text(
        personnel.read_text(encoding="utf-8").replace("  power: 2\n", "  power: 9\n"), encoding="utf-8"
    )
    (folder / "bsg1" / "events.yaml").write_text("[]", encoding="utf-8")
    import_sets([folder / "bsg1"])


def restart() -> None:
    """Forget everything that a process knows."""
    match_cache.clear()
    match_cache.catalog_of.cache_clear()
    catalog._kept.clear()


def seen_by(table: Table) -> tuple[bytes, Any]:
    """What decides how a match goes on: its state, and everything that its cards say."""
    _, game, cards = table_view.current_game(table.row)
    return game.save(), cards.cards


def test_a_running_match_goes_on_with_the_cards_it_began_with(table: Table, tmp_path: Path) -> None:
    table.play(moves=20)
    before, fingerprint = seen_by(table), catalog.current().fingerprint

    import_other_cards(tmp_path)
    assert catalog.current().fingerprint != fingerprint
    assert table.row.catalog == fingerprint
    assert seen_by(table) == before
    restart()
    assert seen_by(table) == before
    table.play(moves=20)

    importing.roll_back(1, None)
    assert catalog.current().fingerprint == fingerprint
    restart()
    table.play()
    row = table.row
    assert (row.state, row.catalog) == (Match.State.FINISHED, fingerprint)
    assert archive.replay(row).difference is None
    out = StringIO()
    call_command("replay", table.id, stdout=out)
    assert "every digest equal" in out.getvalue()


def test_a_match_begun_after_an_import_goes_on_after_going_back(
    cards: None, alice: Any, bob: Any, tmp_path: Path, legal_now: Any
) -> None:
    import_other_cards(tmp_path)
    deck = legal_now()
    table = Table(lobby.join(lobby.invite(alice, deck, 2), bob, deck))
    fingerprint = catalog.version(2).fingerprint
    importing.roll_back(1, None)
    restart()
    table.play()
    assert (table.row.state, table.row.catalog) == (Match.State.FINISHED, fingerprint)
    assert archive.replay(table.row).difference is None
    assert DataVersion.objects.get(number=3).restores == 1


@pytest.fixture
def legal_now() -> Any:
    """Make a deck without events, as a match keeps it."""

    def make() -> TableDeck:
        base = next(card.id for card in catalog.current() if card.type == "base" and card.id.startswith("BSG1-"))
        units = [card.id for card in catalog.current() if card.is_unit and card.id.startswith("BSG1-")]
        return TableDeck(base=base, cards=tuple(sorted(units[:15] * 4)), label="Units", version="units")

    return make


def test_new_matches_take_the_newest_cards_and_no_withdrawn_ones(
    table: Table, alice: Any, bob: Any, deck: TableDeck, tmp_path: Path
) -> None:
    events = {card for card in deck.cards if catalog.current()[card].type == "event"}
    assert events
    starter = decks.Deck.objects.starters()[0]
    open_match = lobby.invite(alice, deck, 2)
    import_other_cards(tmp_path)

    with pytest.raises(NotLegal, match="has been withdrawn from its set"):
        table_decks.take_to_table(None, starter.uid)
    with pytest.raises(lobby.LobbyError):
        lobby.join(open_match, bob, deck)
    assert Card.objects.filter(pk__in=events, withdrawn=True).count() == len(events)
    table.play()
    assert table.row.state == Match.State.FINISHED
