"""Playing on from a point of a match that is over: a new match against the computer, which begins with its moves.

The new match has the same decks, seed and first moves, so it is a match like others: it can be played again from its
moves, archived and replayed. Nobody's record counts it, and nothing was committed to for it. What will be drawn is what
was drawn then, which is the point: one finds out what another choice would have led to.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from msgspec import structs

from ccg.rules import Game, RulesError, Seat
from ccg.rules.saving import ENGINE_VERSION
from matches.clocks import standing as standings
from matches.clocks.earlier import versions_to
from matches.clocks.tempo import UNTIMED
from matches.lobby import seating
from matches.lobby.errors import LobbyError
from matches.models import Match, MatchSeat, Move
from matches.playing import archive, consequences
from matches.playing.archive import ArchivedMove, MatchRecord
from matches.replays import packing
from matches.replays.models import Film
from matches.replays.packing import CannotPack
from matches.replays.showing import Access
from matches.seats.rated import PLAYED_ON
from matches.seats.stand_ins import COMPUTER_NAME, name_of
from matches.storage import database, stored_events

CONCEDES = "concede "


def can_play_on(access: Access) -> bool:
    """Return whether somebody may play on: they may see all, and this engine has played the match."""
    return access.sees_all and access.match.engine_version == str(ENGINE_VERSION) and not access.match.lesson


def check(access: Access, film: Film, move: int, seat: int) -> None:
    """Raise LobbyError where :func:`play_on` would, whoever asks; it costs as much."""
    record = _record(access, film, move, seat)
    game, _ = _made_again(record, list(access.seats), move)
    _refuse_end(game, seat)


def play_on(user: Any, access: Access, film: Film, move: int, seat: int, policy: str) -> Match:
    """Begin a match of ``user`` in this seat, against computers in all others, at the position after ``move``.

    Raises LobbyError where that cannot be: not for everybody to see, played with an older engine, no such move or seat,
    or nothing left to play.
    """
    record = _record(access, film, move, seat)
    people = [_seat(one, user if one.number == seat else None, policy, len(access.seats)) for one in access.seats]
    game, made = _made_again(record, people, move)
    _refuse_end(game, seat)

    def begin() -> Match:
        seating.refuse_more(user)
        match = _match(record, game, len(made), frozenset(range(len(people))) - {seat})
        for one in people:
            one.match = match
        for row in made:
            row.match = match
        MatchSeat.objects.bulk_create(people)
        Move.objects.bulk_create(made)
        return match

    return database.write(begin)


def _record(access: Access, film: Film, move: int, seat: int) -> MatchRecord:
    """Return the match; raises LobbyError if it is not to be played on, or has no such move or seat."""
    if not can_play_on(access):
        raise LobbyError("play_on", "This match cannot be played on.")
    record = archive.read_record(film.archive)
    if not 0 <= move <= len(record.moves) or not 0 <= seat < len(record.seats):
        raise LobbyError("move", "There is no such move or seat in this match.")
    return record


def _refuse_end(game: Game, seat: int) -> None:
    """Raise LobbyError if this seat has nothing left to do."""
    if game.result is not None or game.engine.state.players[seat].lost:
        raise LobbyError("over", "At this point nothing is left to play in that seat. Go back some moves.")


def _seat(old: MatchSeat, user: Any, policy: str, players: int) -> MatchSeat:
    """Return the seat of a new match for ``old``: of ``user``, or of a computer where that is None."""
    computer = f"{COMPUTER_NAME} {old.number + 1}" if players > 2 else COMPUTER_NAME
    return MatchSeat(
        number=old.number,
        kind=MatchSeat.Kind.COMPUTER if user is None else MatchSeat.Kind.PERSON,
        user=user,
        joined=True,
        policy=policy if user is None else "",
        name=computer if user is None else name_of(user),
        base=old.base,
        cards=list(old.cards),
        deck_label=old.deck_label if user is not None and old.user_id == user.pk else "",  # others do not tell theirs
        deck_private=old.deck_private,
    )


def _made_again(record: MatchRecord, people: list[MatchSeat], version: int) -> tuple[Game, list[Move]]:
    """Return the game after the first moves of the record, made by ``people``, and the rows of these moves."""
    seats = [Seat(one.name, one.base, tuple(one.cards)) for one in people]
    try:
        game = packing.begun(structs.replace(record, seats=seats))
        line = versions_to([made.move for made in record.moves], version)
        return game, [_made(game, number, record.moves[at - 1], len(seats)) for number, at in enumerate(line, 1)]
    except (CannotPack, RulesError) as error:
        raise LobbyError("play_on", "This match cannot be played on.") from error


def _made(game: Game, number: int, made: ArchivedMove, players: int) -> Move:
    """Make a move of the record again, and return it as a row of a new match."""
    events = game.move(made.move, known=True, seat=made.seat)
    kind, option = Move.Kind.CHOOSE, made.move
    if made.move == "back":
        kind, option = Move.Kind.BACK, ""
    elif made.move.startswith(CONCEDES):
        kind, option = Move.Kind.CONCEDE, made.move.removeprefix(CONCEDES)
    return Move(
        seq=number,
        seat=made.seat,
        kind=kind,
        option=option,
        action_id=f"before-{number}",
        digest=game.digest(),
        events=stored_events.pack(game, events, players),
    )


def _match(record: MatchRecord, game: Game, version: int, computers: frozenset[int]) -> Match:
    """Inside a transaction: store a match that runs at this version of ``game``, and what follows from that."""
    columns = consequences.match_columns(game, computers)
    standing = standings.written(standings.begin(game, len(record.seats), UNTIMED, computers, 0))
    match = Match.objects.create(
        players=len(record.seats),
        watchable=False,
        unrated_why=PLAYED_ON,
        catalog=record.catalog,
        engine_version=record.engine,
        seed=record.seed,
        saved=game.save(),
        digest=game.digest(),
        version=version,
        state=Match.State.RUNNING,
        started=timezone.now(),
        deciders=columns["deciders"],
        standing=standing,
        computer_to_move=columns["computer_to_move"],
    )
    more = consequences.follow_up(match.public_id, version, game, computers)
    if more is not None:
        more()
    transaction.on_commit(partial(consequences.tell, match.public_id, version, game, standing))
    return match
