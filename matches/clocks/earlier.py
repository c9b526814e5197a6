"""A table as it was: the game of an earlier version, played again from the moves that led to it."""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules import Catalog, Game
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


def table_at(match_pk: int, players: int, version: int, catalog: Catalog, known: Game | None = None) -> Earlier:
    """Return the game and what stood at the table at ``version``. Reads the match, and plays it again.

    Where the game is ``known``, it is compared with what is stored, and nothing is played: a long match takes a tenth
    of a second, on the thread that all tables share, and takebacks can be asked for again and again.
    """
    last = Move.objects.filter(match=match_pk, seq=version).values_list("digest", "standing").first()
    if last is not None and known is not None and known.digest() == last[0]:
        return Earlier(version, known, standings.read(bytes(last[1]), players, version))
    # From its first move, as no state before it is stored: a match keeps its newest one, and those at the beginning of
    # turns (matches.watching) are kept of rated matches alone, in which nothing is taken back. The rules need
    # a fraction of a millisecond for a move that is known to be legal; to keep states would cost every move more.
    match = Match.objects.get(pk=match_pk)
    rows = Move.objects.filter(match=match_pk, seq__lte=version).order_by("seq")
    stored = list(rows.only("seat", "kind", "option"))
    game = Game.start(match.seats_at_start(catalog), catalog, bytes(match.seed))
    recorded = [row.as_recorded() for row in stored]
    for at in versions_to(recorded):
        game.move(recorded[at - 1], known=True, seat=stored[at - 1].seat)
    if last is not None:
        return Earlier(version, game, standings.read(bytes(last[1]), players, version))
    computers = frozenset(seat.number for seat in match.seats.all() if seat.policy)
    return Earlier(version, game, standings.begin(game, players, tempos.read(match.tempo), computers, 0))
