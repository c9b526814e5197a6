"""A table as it was: the game of an earlier version, played again from the moves that led to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccg.rules import Catalog, Game, digest_of
from matches.clocks import standing as standings
from matches.clocks import tempo as tempos
from matches.clocks.at import Earlier
from matches.models import TABLE, TAKEBACK, Match, Move


def versions_to(moves: Sequence[str], version: int | None = None) -> list[int]:
    """Return the versions made by the moves of the game that lead to ``version`` (None: the last one).

    ``moves`` are all of a record, the first of which made version 1: also those that changed nothing in the game, and
    returns to an earlier version. What was taken back is left out.
    """
    at = len(moves) if version is None else version
    line: list[int] = []
    while at > 0:
        move = moves[at - 1]
        if move.startswith(TAKEBACK):
            at = int(move[len(TAKEBACK) :])
            continue
        if not move.startswith(TABLE):
            line.append(at)
        at -= 1
    return line[::-1]


def table_at(
    match_pk: int, players: int, version: int, catalog: Catalog, known: Mapping[int, bytes] | None = None
) -> Earlier:
    """Return the game and what stood at the table at ``version``. Reads the match, and plays it again.

    It is played from the newest game on the way there that is ``known``, as it is saved, by its version, and not from
    the beginning: a long match takes a tenth of a second, on the thread that all tables share, and takebacks can be
    asked for again and again. A game that is not the one that is stored is passed over.
    """
    stored = Move.objects.filter(match=match_pk, seq=version).values_list("standing", flat=True).first()
    game = _game_at(match_pk, version, catalog, known or {})
    if stored is not None:
        return Earlier(version, game, standings.read(bytes(stored), players, version))
    match = Match.objects.get(pk=match_pk)
    computers = frozenset(seat.number for seat in match.seats.all() if seat.policy)
    return Earlier(version, game, standings.begin(game, players, tempos.read(match.tempo), computers, 0))


# -- inside


def _game_at(match_pk: int, version: int, catalog: Catalog, known: Mapping[int, bytes]) -> Game:
    """Return the game at ``version``, which nobody may change.

    Without a known one it is played from its first move, as no state before it is stored: a match keeps its newest one,
    and those at the beginning of turns (matches.watching) are kept of rated matches alone, in which nothing is taken
    back. The rules need a fraction of a millisecond for a move that is known to be legal; to keep states would cost
    every move more.
    """
    at, line = version, list[Move]()
    for start in [*sorted((one for one in known if 0 < one <= version), reverse=True), 0]:
        if at < start:
            continue  # the way back, over what was taken back, does not come by here
        rows = Move.objects.filter(match=match_pk, seq__gte=start, seq__lte=at)
        moves = {row.seq: row for row in rows.only("seq", "seat", "kind", "option", "digest")}
        while at > start:
            recorded = moves[at].as_recorded()
            if recorded.startswith(TAKEBACK):
                at = int(recorded[len(TAKEBACK) :])
                continue
            if not recorded.startswith(TABLE):
                line.append(moves[at])
            at -= 1
        if start and at == start and digest_of(known[start]) == moves[start].digest:
            return _played(Game.load(known[start], catalog), line)
    match = Match.objects.get(pk=match_pk)
    return _played(Game.start(match.seats_at_start(catalog), catalog, bytes(match.seed)), line)


def _played(game: Game, line: Sequence[Move]) -> Game:
    """Return ``game`` after the moves of ``line``, of which the last one was made first."""
    for row in reversed(line):
        game.move(row.as_recorded(), known=True, seat=row.seat)
    return game
