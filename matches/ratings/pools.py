"""Pools: matches whose ratings can be compared, as they have as many players and the same tempo."""

from __future__ import annotations

from msgspec import Struct

from matches.clocks import tempo as tempos
from matches.models import Match


class Pool(Struct, frozen=True):
    """A pool, by its code; ``settles_after`` matches a rating in it is no longer provisional.

    At a table of several each match compares its player with more than one other, so that takes fewer.
    """

    code: str
    name: str
    settles_after: int


_SIZES = (("two", "Two players", 10), ("table", "Three and more", 6))
_TEMPOS = (("live", "live"), ("correspondence", "by correspondence"), ("untimed", "without clocks"))

POOLS: dict[str, Pool] = {
    f"{size}-{tempo}": Pool(f"{size}-{tempo}", f"{name}, {played}", settles_after)
    for tempo, played in _TEMPOS
    for size, name, settles_after in _SIZES
}
"""All pools by their codes."""

USUAL = POOLS["two-live"]
"""That of the ranked queue."""


def pool_of(match: Match) -> Pool:
    """Return the pool in which ``match`` counts."""
    return POOLS[f"{'two' if match.players == 2 else 'table'}-{tempos.read(match.tempo).kind}"]
