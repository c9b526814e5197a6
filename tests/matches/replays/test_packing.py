"""What is kept of a finished match: every position as everybody saw it, and what chance chose from."""

from __future__ import annotations

import logging
import zlib
from io import StringIO
from typing import Any

import msgspec
import pytest
from django.core.management import call_command

from ccg.outbox.services import drain
from ccg.rules import Game
from matches.models import Archive, Match
from matches.playing import archive, match_cache
from matches.replays import packing, positions, showing
from matches.replays.models import Film
from tests.matches.replays.conftest import Finished, plain, replayed


def film() -> Film:
    return Film.objects.select_related("archive").get()


def test_offers_are_told_by_their_events_and_not_by_the_words_they_are_stored_in() -> None:
    assert positions._outside_options("table offer pause") == ""
    assert positions._outside_options("table seat 1") == "Somebody else plays on"


def test_every_position_is_kept_as_each_viewer_saw_it(finished: Finished, alice: Any, bob: Any) -> None:
    made = positions.unpacked(bytes(film().content))
    assert len(made) == len(finished.shown)
    for viewer in (None, 0, 1):
        kept = list(positions.views(made, positions.stream_of(viewer)))
        assert kept == [shown[viewer] for shown in finished.shown]


def test_each_decision_has_all_legal_options_of_its_seat(finished: Finished, alice: Any) -> None:
    told = replayed(finished, alice, "all")
    for place, move in enumerate(told.moves[1:-1]):
        decision = showing.view_at(told, place)["decision"]
        assert decision["seat"] == move.by
        option = next(one for one in decision["options"] if one["key"] == move.option)
        assert option["text"] == move.does


def test_a_card_by_chance_comes_from_a_pool_that_holds_it(finished: Finished) -> None:
    made = positions.unpacked(bytes(film().content))
    decks = [view["players"] for view in positions.views(made, positions.PUBLIC)]
    drawn = 0
    for place, position in enumerate(made):
        left = {seat: decks[place - 1][seat]["deck"] for seat in (0, 1)} if place else {}
        for chance in position.chances:
            drawn += chance.card is not None
            assert chance.card is None or chance.pool[chance.card] > 0
            if place and chance.kind in ("draw", "mystic", "threat", "mill"):
                assert sum(chance.pool.values()) == left[chance.seat]
                left[chance.seat] -= 1
            elif chance.kind in ("redraw", "reshuffle"):
                left[chance.seat] = sum(chance.pool.values())
    beginning = [chance.kind for chance in made[0].chances]
    assert beginning[:3] == ["shuffle", "shuffle", "first"]
    assert drawn > len([kind for kind in beginning if kind == "draw"])


def test_the_time_that_each_move_took_is_kept(finished: Finished) -> None:
    record = archive.read_record(Archive.objects.get())
    assert all(move.took is not None and move.took >= 0 for move in record.moves)
    assert [one.took for one in replayed(finished).moves] == [None, *(move.took for move in record.moves)]


def test_it_is_made_once_and_its_hash_holds(finished: Finished) -> None:
    before = film()
    packing.handle({"match": finished.id})
    packing.pack(Archive.objects.get())
    assert film().pk == before.pk and film().digest == positions.hash_of(bytes(film().content))


def test_an_archive_of_another_engine_and_other_cards_is_shown_as_it_was(
    finished: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = msgspec.to_builtins(replayed(finished))
    record = archive.read_record(Archive.objects.get())
    old = msgspec.structs.replace(record, engine="1", catalog="forgotten")
    Archive.objects.update(record=zlib.compress(msgspec.json.encode(old)))
    Match.objects.update(engine_version="1", catalog="forgotten", saved=b"of another engine")
    match_cache.clear()
    monkeypatch.setattr(Game, "start", None)
    monkeypatch.setattr(Game, "load", None)
    after = msgspec.to_builtins(replayed(finished))
    assert after == before | {"engine": "1", "catalog": "forgotten"}


def test_archives_from_before_positions_were_kept_are_packed_by_a_command(finished: Finished) -> None:
    record = msgspec.json.decode(zlib.decompress(bytes(Archive.objects.get().record)))
    record["moves"] = [move[:3] for move in record["moves"]]
    Archive.objects.update(record=zlib.compress(msgspec.json.encode(record)))
    kept = bytes(film().content)
    Film.objects.all().delete()
    out = StringIO()
    call_command("pack_archives", stdout=out)
    assert out.getvalue().startswith("1 match")
    drain()
    assert bytes(film().content) == kept
    assert {move.took for move in replayed(finished).moves} == {None}


def test_what_another_engine_played_is_left_alone(finished: Finished, caplog: pytest.LogCaptureFixture) -> None:
    Film.objects.all().delete()
    Archive.objects.update(
        record=zlib.compress(
            msgspec.json.encode(
                {
                    **msgspec.to_builtins(archive.read_record(Archive.objects.get())),
                    "engine": "1",
                }
            )
        )
    )
    with caplog.at_level(logging.WARNING):
        packing.handle({"match": finished.id})
    assert "it was played with engine 1" in caplog.text
    assert not Film.objects.exists()


@pytest.fixture
def beside(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the companion is asked: it answers as it does, in our process and so with our database."""
    asked: list[bytes] = []

    def ask(question: bytes) -> bytes:
        asked.append(question)
        return packing.answer(question)

    settings.OUTBOX_THREADS = 1
    monkeypatch.setattr(packing._companion, "ask", ask)
    return asked


def test_a_server_that_works_alone_has_it_made_beside_it(finished: Finished, beside: list[bytes]) -> None:
    kept = bytes(film().content)
    Film.objects.all().delete()
    packing.handle({"match": finished.id})
    assert bytes(film().content) == kept
    assert beside == [str(Archive.objects.get().pk).encode()]


def test_why_it_cannot_be_made_beside_is_told(
    finished: Finished, beside: list[bytes], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Film.objects.all().delete()
    monkeypatch.setattr(archive, "ENGINE_VERSION", 99)
    with caplog.at_level(logging.WARNING):
        packing.handle({"match": finished.id})
    assert len(beside) == 1
    assert "this is engine 99" in caplog.text
    assert not Film.objects.exists()


def test_moves_that_do_not_lead_where_they_did_are_not_shown(finished: Finished) -> None:
    record = archive.read_record(Archive.objects.get())
    moves = [*record.moves]
    moves[5] = msgspec.structs.replace(moves[5], digest="0" * 32)
    with pytest.raises(packing.CannotPack, match="move 6 leads to another state"):
        list(packing.made(msgspec.structs.replace(record, moves=moves)))


def test_a_view_is_kept_as_it_is_read_back(finished: Finished) -> None:
    game = packing.begun(archive.read_record(Archive.objects.get()))
    assert plain(game.view(0)) == finished.shown[0][0]
