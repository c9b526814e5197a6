"""How far behind those are who look on: the one place that says which version of a running match they are shown.

A match with a delay of N turns is shown as it stood when the turn began that is N turns before the present one, so
whatever happens is seen N full turns later, and all of a turn at once. The number of the version is the one shown, too:
heartbeats, refusals and answers to whoever has no seat have no newer one. Once the match is over there is no delay.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from ccg.rules import Game
from matches.models import Match
from matches.watching.models import TurnBegan


class Watched(Struct, frozen=True):
    """The version of a match that those who look on are shown, and its saved state."""

    version: int
    saved: bytes


def watched(match_pk: int, delay: int) -> Watched | None:
    """Return what those who look on are shown of a match; None where that is its newest version."""
    if not delay or not _runs(match_pk):
        return None
    # Read at once: as the next turn begins, what is shown before it is forgotten.
    began = list(TurnBegan.objects.filter(match=match_pk).order_by("turn").values_list("turn", "version", "saved"))
    if not began:
        return None
    due = began[-1][0] - delay
    # Before so many turns have begun, it is the setup.
    _, version, saved = next((row for row in reversed(began) if row[0] <= due), began[0])
    return Watched(version, bytes(saved))


def version_for(match_pk: int, delay: int, version: int) -> int:
    """Return the version that those who look on may hear of, where the match is at ``version``."""
    if not delay or not _runs(match_pk):
        return version
    return versions_for([match_pk]).get(match_pk, version)


def versions_for(matches: Iterable[int]) -> dict[int, int]:
    """Return, for those of these matches that run with a delay, the version that those who look on may hear of."""
    began: dict[int, list[tuple[int, int]]] = {}
    delays: dict[int, int] = {}
    rows = TurnBegan.objects.filter(match__in=list(matches), match__state=Match.State.RUNNING)
    for match_pk, turn, version, delay in rows.values_list("match", "turn", "version", "match__delay"):
        began.setdefault(match_pk, []).append((turn, version))
        delays[match_pk] = delay
    shown = {}
    for match_pk, turns in began.items():
        due = max(turns)[0] - delays[match_pk]
        shown[match_pk] = max((version for turn, version in turns if turn <= due), default=min(turns)[1])
    return shown


def keep(match_pk: int, delay: int, turn: int, version: int, saved: bytes) -> None:
    """Inside the transaction that makes ``version``: note that a turn began with it; forget what is shown no more."""
    TurnBegan.objects.get_or_create(match_id=match_pk, turn=turn, defaults={"version": version, "saved": saved})
    TurnBegan.objects.filter(match=match_pk, turn__lt=turn - delay).delete()


def note(match_pk: int, delay: int, before: Game, after: Game, version: int, saved: bytes) -> partial[None] | None:
    """Return what is to be written with a move of a match with a delay; None where no turn began with it."""
    turn = after.engine.state.turn
    if not delay or turn == before.engine.state.turn:
        return None
    return partial(keep, match_pk, delay, turn, version, saved)


def _runs(match_pk: int) -> bool:
    return Match.objects.filter(pk=match_pk, state=Match.State.RUNNING).exists()
