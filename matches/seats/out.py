"""Who is out of a game in which other people play on: it is over for them, and not for the site."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ccg.rules import Game
from matches.models import MatchSeat


def note(match_pk: int, version: int, before: Game, after: Game, people: frozenset[int]) -> Callable[[], object] | None:
    """Return what is to be written with the move that made ``version``; None where it has put no person out.

    Where computers alone are left nothing is: they are soon done, and whoever began it is to wait for that.
    """
    playing, still = (people & frozenset(game.engine.seats(0)) for game in (before, after))
    if after.result is not None or not still or playing == still:
        return None
    return partial(_write, match_pk, version, playing - still)


def _write(match_pk: int, version: int, seats: frozenset[int]) -> None:
    MatchSeat.objects.filter(match=match_pk, number__in=seats).update(out_at=version)
