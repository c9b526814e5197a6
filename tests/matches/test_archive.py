"""Archives of finished matches, and matches played again from their moves."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from ccg.outbox.models import Job
from ccg.outbox.services import drain
from ccg.rules import Game, Record
from decks import table_decks
from decks.models import Deck
from decks.table_decks import TableDeck
from matches.lobby import services as lobby
from matches.models import Archive, Match, Move
from matches.playing import archive, match_cache
from matches.protocol.messages import Concede
from matches.storage import stored_events
from tests.matches.conftest import Table


@pytest.fixture
def finished(table: Table) -> Table:
    table.play()
    return table


def replayed(*ids: str) -> str:
    out = StringIO()
    call_command("replay", *ids, stdout=out, stderr=out)
    return out.getvalue()


def test_a_finished_match_comes_out_the_same_hash_for_hash(finished: Table) -> None:
    row = finished.row
    said = replayed(finished.id)
    assert f"{row.version} moves, every digest equal, final {row.digest}, won by" in said


def test_so_does_one_that_is_still_running(table: Table) -> None:
    table.play(moves=15)
    assert "15 moves, every digest equal" in replayed(table.id)
    assert "still running" in replayed("--all")


def test_so_do_moves_taken_back_and_concessions(table: Table) -> None:
    table.play(moves=10)
    table.act(0, Concede(id="c"))
    assert "won by seat 1" in replayed(table.id)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"digest": "0" * 32}, "the digest is"),
        ({"option": "no such option"}, "is refused"),
    ],
)
def test_a_move_that_was_tampered_with_is_found(finished: Table, change: dict[str, Any], what: str) -> None:
    Move.objects.filter(seq=9).update(**change)
    again = archive.replay(finished.row)
    assert again.difference is not None and again.difference.version == 9 and what in again.difference.what
    with pytest.raises(CommandError, match="1 of 1"):
        replayed(finished.id)


def test_a_missing_last_move_is_found(finished: Table) -> None:
    Move.objects.filter(seq=finished.row.version).delete()
    assert archive.replay(finished.row).difference is not None


def test_another_result_is_found(finished: Table) -> None:
    row = finished.row
    row.result["winners"] = [5]
    row.save()
    assert "the result is" in archive.replay(row).difference.what


def test_the_outbox_makes_the_archive_once(finished: Table) -> None:
    drain()
    drain()
    archive.handle({"match": finished.id})
    one = Archive.objects.get()
    row = finished.row
    assert (one.moves, one.digest, one.result) == (row.version, row.digest, row.result)


@pytest.fixture
def older(finished: Table) -> Table:
    """A match that another version of the engine has played, which alone can read its saved state."""
    Match.objects.update(engine_version="1", saved=b"of then")
    return finished


def test_what_an_older_engine_played_is_archived_with_what_was_seen(older: Table) -> None:
    drain()
    record = archive.read_record(Archive.objects.get())
    assert (record.engine, len(record.moves)) == ("1", older.row.version)
    assert [seat.name for seat in record.seats] == [seat.name for seat in older.row.seats.order_by("number")]
    assert not Job.objects.exclude(state=Job.State.DONE).exists()


def test_what_an_older_engine_played_is_not_played_again_and_that_is_said(older: Table) -> None:
    said = StringIO()
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("replay", older.id, stdout=said, stderr=said)
    assert "it was played with engine 1, this is engine" in said.getvalue()
    assert replayed("--all") == "1 of other versions of the engine left out: their moves cannot be made again\n"


def test_a_running_match_is_not_archived(table: Table) -> None:
    table.play(moves=5)
    archive.handle({"match": table.id})
    assert not Archive.objects.exists()


def test_the_archive_alone_is_enough_for_the_engine_and_for_viewers(finished: Table) -> None:
    drain()
    one, row = Archive.objects.get(), finished.row
    record = archive.read_record(one)
    moves = [move.move for move in record.moves]
    game = Game.replay(
        Record(int(record.engine), record.catalog, record.seed, record.seats, moves),
        match_cache.catalog_of(row.catalog),
    )
    assert game.digest() == one.digest
    events = archive.read_events(one)
    stored = Move.objects.order_by("seq")
    for viewer in (0, 1, None):
        assert [stored_events.seen_by(e, viewer) for e in events] == [
            stored_events.seen_by(bytes(m.events), viewer) for m in stored
        ]


def test_a_match_that_has_not_begun_cannot_be_replayed(table: Table) -> None:
    with pytest.raises(CommandError):
        replayed("2" * 16)
    with pytest.raises(CommandError):
        replayed()
    assert not Move.objects.filter(seq__gt=F("seq")).exists()


def other_deck() -> TableDeck:
    return table_decks.take_to_table(None, Deck.objects.starters()[1].uid)


@pytest.mark.django_db(transaction=True)
def test_that_a_deck_is_played_is_told_only_once_the_match_is_over(alice: Any, deck: TableDeck) -> None:
    """The number is public: one that grows as a match begins names the opponent's deck, card by card."""

    def played() -> list[int]:
        return [Deck.objects.get(head__content_hash=one.version).played for one in (deck, other_deck())]

    for past in range(2):
        table = Table(lobby.play_computer(alice, deck, [other_deck()]))
        drain()
        assert played() == [past, 0]
        table.act(0, Concede(id="c"))
        drain()
        assert played() == [past + 1, 0], "the computer's deck does not count"
    archive.handle({"match": table.id})
    assert played() == [2, 0]
