"""Packing finished matches up, and playing matches again from their record.

The record is seed, seats and moves with the versions of engine and card data they were made with; what
people saw is kept beside it as events, so a replay for viewers needs no engine at all. Playing a record
again move by move and comparing digests is how we know that a match is what its moves make it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
from django.db import transaction
from msgspec import Struct

from ccg.outbox.services import post
from ccg.rules import Game, RulesError, Seat, StateError
from ccg.rules.decoding import Decoder
from ccg.rules.saving import ENGINE_VERSION
from decks import services as decks
from matches.clocks import earlier
from matches.models import TABLE, TAKEBACK, Archive, Match, MatchSeat, result_of
from matches.playing import match_cache
from matches.storage import database

POSITIONS_TASK = "matches.positions"
"""What is to be done with a match once it is archived: its positions are packed."""
COUNT_TASK = "statistics.count"
"""And it is counted for the statistics, which are made of archives."""


class ArchivedMove(Struct, frozen=True, array_like=True):
    """One move of a record, with the digest of the state that it made, and how many milliseconds it took.

    That is the time since the move before, or since the match began; archives of before do not say it (None).
    """

    move: str
    seat: int
    digest: str
    took: int | None = None


class SeatSecret(Struct, frozen=True):
    """What a seat added to the seed: the server's commitment and secret for it (hex), and the player's words."""

    seat: int
    commitment: str
    secret: str
    words: str


class MatchRecord(Struct, frozen=True):
    """Everything a match consists of. Holds the seed: not for anybody's eyes while the match runs."""

    match: str
    engine: str
    catalog: str
    seed: bytes
    seats: list[Seat]
    moves: list[ArchivedMove]
    shuffles: list[SeatSecret] = []
    """What the seed was made of (docs/fair-shuffles.md); empty for lessons, and for matches older than that."""


_RECORD = Decoder(MatchRecord)
_EVENTS = msgspec.msgpack.Decoder(list[bytes])


class Difference(Struct, frozen=True):
    """Where a match and its record part: at which version, and how."""

    version: int
    what: str


class Replayed(Struct, frozen=True):
    """How playing a match again went: how far it came, and the first difference if there was one."""

    moves: int
    digest: str
    result: dict[str, Any] | None
    difference: Difference | None


def record_of(match: Match) -> MatchRecord:
    """Return the record of a match that has begun.

    Raises ``cards_data.catalog.UnknownVersion`` if its card data are gone.
    """
    moves = list(match.moves.order_by("seq").defer("events"))
    times = [match.started or match.created, *(move.created for move in moves)]
    took = [max(0, round((end - start).total_seconds() * 1000)) for start, end in pairwise(times)]
    return MatchRecord(
        match=match.public_id,
        engine=match.engine_version,
        catalog=match.catalog,
        seed=bytes(match.seed),
        seats=_seats(match),
        moves=[
            ArchivedMove(move.as_recorded(), move.seat, move.digest, time)
            for move, time in zip(moves, took, strict=True)
        ],
        shuffles=_secrets(match),
    )


def _seats(match: Match) -> list[Seat]:
    """Return the seats by their names at the beginning; of now, where only another engine can read the saved state."""
    return match.record_seats() if match.outdated else match.seats_at_start(match_cache.catalog_of(match.catalog))


def _secrets(match: Match) -> list[SeatSecret]:
    rows = match.seats.filter(commitment__isnull=False).order_by("number").select_related("commitment")
    return [
        SeatSecret(seat.number, seat.commitment.digest, bytes(seat.commitment.secret).hex(), seat.commitment.words)
        for seat in rows
    ]


def replay(match: Match) -> Replayed:
    """Play the stored moves of ``match`` again with its engine and cards and compare every digest.

    Raises ``ccg.rules.StateError`` for a match of another version of the engine, and
    ``cards_data.catalog.UnknownVersion`` if its card data are gone.
    """
    record = record_of(match)
    done, game, difference = 0, None, None
    for version, game, difference in _again(record):  # noqa: B007 - used below
        if difference is not None:
            break
        done = version
    digest = game.digest() if game is not None else ""
    result = result_of(game) if game is not None else None
    if difference is None and (done, digest) != (match.version, match.digest):
        difference = Difference(done, f"the moves end at {done} {digest}, the match at {match.version} {match.digest}")
    if difference is None and result != match.result:
        difference = Difference(done, f"the result is {result}, stored is {match.result}")
    return Replayed(done, digest, result, difference)


def started(record: MatchRecord) -> Game:
    """Return the game of ``record`` before its first move.

    Raises ``ccg.rules.StateError`` for a record of another version of the engine, another ``RulesError`` for seats that
    no game begins with, and ``cards_data.catalog.UnknownVersion`` if its card data are gone.
    """
    if record.engine != str(ENGINE_VERSION):
        raise StateError("engine", f"it was played with engine {record.engine}, this is engine {ENGINE_VERSION}")
    return Game.start(record.seats, match_cache.catalog_of(record.catalog), record.seed)


def _again(record: MatchRecord) -> Iterator[tuple[int, Game, Difference | None]]:
    game = started(record)
    yield 0, game, None
    for version, stored in enumerate(record.moves, 1):
        try:
            if stored.move.startswith(TAKEBACK):
                game = game_at(record, version)
            elif not stored.move.startswith(TABLE):
                game.move(stored.move, seat=stored.seat)
        except RulesError as error:
            yield version, game, Difference(version, f"{stored.move!r} is refused: {error.message}")
            return
        digest = game.digest()
        wrong = Difference(version, f"after {stored.move!r} the digest is {digest}, stored is {stored.digest}")
        yield version, game, None if digest == stored.digest else wrong


def game_at(record: MatchRecord, version: int) -> Game:
    """Return the game at ``version``, played anew: for a move that brings it back to an earlier one."""
    game = started(record)
    for at in earlier.versions_to([stored.move for stored in record.moves], version):
        made = record.moves[at - 1]
        game.move(made.move, seat=made.seat)
    return game


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: make the archive of a finished match, and have done what is done with archives.

    Done twice, the archive is there once. Its positions are packed after that, as they take longer
    (``matches.replays.packing``).
    """
    match = Match.objects.filter(public_id=payload["match"], state=Match.State.FINISHED).first()
    if match is None or Archive.objects.filter(match=match).exists():
        return
    record = record_of(match)
    events = list(match.moves.order_by("seq").values_list("events", flat=True))
    row = {
        "record": zlib.compress(msgspec.json.encode(record)),
        "events": zlib.compress(msgspec.msgpack.encode([bytes(packed) for packed in events])),
        "moves": match.version,
        "digest": match.digest,
        "result": match.result,
    }

    def keep() -> None:
        _, new = Archive.objects.get_or_create(match=match, defaults=row)
        if new:
            match.standing_orders.all().delete()
            # Only once it is over: a number that grows as a match begins tells the opponent, of all public decks,
            # the one that they face, card by card.
            transaction.on_commit(partial(decks.count_match, _lists_of_people(match)), robust=True)
            for task in (POSITIONS_TASK, COUNT_TASK):
                post(task, {"match": match.public_id}, key=f"{task}:{match.public_id}")

    database.write(keep)


def _lists_of_people(match: Match) -> set[str]:
    """Return the content hashes of the public lists that people played in ``match``; those of lessons have none.

    Not of decks that were not public: whoever shows a list that they guess would learn from its number whether it was.
    """
    people = match.seats.filter(kind=MatchSeat.Kind.PERSON, deck_public=True)
    return set(people.values_list("deck_version", flat=True)) - {""}


def read_record(archive: Archive) -> MatchRecord:
    """Return the record in an archive."""
    return _RECORD.from_json(zlib.decompress(bytes(archive.record)))


def read_events(archive: Archive) -> list[bytes]:
    """Return the packed events of an archive, one entry a move, for ``matches.storage.stored_events.seen_by``."""
    return _EVENTS.decode(zlib.decompress(bytes(archive.events)))
