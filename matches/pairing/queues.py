"""The queues: what is played for in each, and at which tempo. No Django."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct

from matches.clocks import tempo as tempos
from matches.clocks.tempo import Tempo
from matches.ratings.pools import POOLS, Pool

LIVE, CORRESPONDENCE = "live", "correspondence"
"""The kinds of tempo that queues have."""


class Queue(Struct, frozen=True):
    """A queue, by its code."""

    code: str
    name: str
    rated: bool
    tempo: Tempo
    """How much time the players have: nobody waits for a stranger without end."""
    slower: float = 1.0
    """How many times longer than in a live queue one waits until the same distance in strength is near enough."""

    @property
    def kind(self) -> str:
        """The kind of its tempo."""
        return self.tempo.kind

    @property
    def pool(self) -> Pool:
        """The pool of ratings by which people are paired."""
        return POOLS[f"two-{self.kind}"]


RANKED, CASUAL = "ranked", "casual"
RANKED_DAYS, CASUAL_DAYS = "ranked-correspondence", "casual-correspondence"

_DAYS = tempos.CORRESPONDENCE[1]
_SLOWER = timedelta(hours=6) / timedelta(seconds=45)
"""In a queue by correspondence anybody will do after six hours, where live it is 45 seconds."""

QUEUES: dict[str, Queue] = {
    queue.code: queue
    for queue in (
        Queue(RANKED, "Ranked", True, tempos.LIVE[1]),
        Queue(CASUAL, "For fun", False, tempos.LIVE[2]),
        Queue(RANKED_DAYS, "Ranked, by correspondence", True, _DAYS, _SLOWER),
        Queue(CASUAL_DAYS, "For fun, by correspondence", False, _DAYS, _SLOWER),
    )
}
"""All queues by their codes."""
