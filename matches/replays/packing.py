"""Packing the positions of an archived match, in the background: the last time that an engine is needed for it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from cards_data.catalog import UnknownVersion
from ccg.companion import Companion
from ccg.outbox.services import post
from ccg.rules import Game, RulesError
from ccg.rules.saving import ENGINE_VERSION
from matches.models import TABLE, TAKEBACK, Archive
from matches.playing.archive import POSITIONS_TASK as TASK
from matches.playing.archive import MatchRecord, game_at, read_record, started
from matches.replays import chances, positions
from matches.replays.models import Film
from matches.replays.positions import Position, Writer
from matches.storage import database

log = logging.getLogger(__name__)


class CannotPack(Exception):
    """The positions of a match cannot be made: its engine or its cards are gone, or its moves do not fit."""


def handle(payload: dict[str, Any]) -> None:
    """Handle a row of the outbox: pack the positions of an archived match, once."""
    archive = Archive.objects.filter(match__public_id=payload["match"], film=None).first()
    if archive is None:
        return
    try:
        pack(archive)
    except CannotPack as error:
        log.warning("the positions of match %s cannot be packed: %s", payload["match"], error)


def pack(archive: Archive) -> Film:
    """Store the positions of ``archive``, unless they are there, and return them. Raises :class:`CannotPack`.

    A server that does its background work itself has them made by a process beside it.
    """
    content = _made_beside(archive.pk) if settings.OUTBOX_THREADS else content_of(archive)
    row = {"form": positions.FORM, "content": content, "digest": positions.hash_of(content)}
    return database.write(lambda: Film.objects.get_or_create(archive=archive, defaults=row)[0])


def content_of(archive: Archive) -> bytes:
    """Return the positions of ``archive`` as they are stored. Raises :class:`CannotPack`."""
    return positions.packed(list(made(read_record(archive))))


MADE, NOT_MADE = b"+", b"-"
"""How an answer of the companion begins: before the positions as they are stored, and before why there are none."""

_companion = Companion(__name__)


def _made_beside(archive_pk: int) -> bytes:
    said = _companion.ask(str(archive_pk).encode())
    if not said.startswith(MADE):
        raise CannotPack(said[1:].decode())
    return said[1:]


def answer(question: bytes) -> bytes:
    """Make the positions of the archive whose id is asked for. Called in the companion."""
    try:
        return MADE + content_of(Archive.objects.get(pk=int(question)))
    except CannotPack as error:
        return NOT_MADE + str(error).encode()


def made(record: MatchRecord) -> Iterator[Position]:
    """Play a match again and yield its positions. Raises :class:`CannotPack`."""
    game = begun(record)
    writer = Writer(game)
    yield writer.first(chances.beginning(game))
    for version, move in enumerate(record.moves, 1):
        try:
            if move.move.startswith(TAKEBACK):
                yield writer.outside(move.move, move.seat, game_at(record, version))
            elif move.move.startswith(TABLE):
                yield writer.outside(move.move, move.seat, writer.game)
            else:
                yield writer.move(move.move, move.seat)
        except RulesError as error:
            raise CannotPack(f"move {version} does not fit: {error.message}") from error
        if writer.game.digest() != move.digest:
            raise CannotPack(f"move {version} leads to another state than it did")


def begun(record: MatchRecord) -> Game:
    """Return the game of ``record`` before its first move. Raises :class:`CannotPack`."""
    try:
        return started(record)
    except (UnknownVersion, RulesError) as error:
        raise CannotPack(str(error)) from error


def post_missing() -> int:
    """Have the positions packed of every archive that has none and could have them; return how many there are."""
    when = f"{timezone.now():%Y%m%d%H%M%S}"  # the first time it was posted may have been before now, and in vain
    archives = Archive.objects.filter(film=None, match__engine_version=str(ENGINE_VERSION))
    found = list(archives.values_list("match__public_id", flat=True))
    for match_id in found:
        database.write(partial(post, TASK, {"match": match_id}, key=f"{TASK}:{match_id}:{when}"))
    return len(found)
