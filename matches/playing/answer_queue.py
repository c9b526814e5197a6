"""Matches in which the site may have to answer for a player, as this process hears of them after a commit.

Only a hint, like all others: ``Match.answer_due`` says the same, and a sweep finds what a process that died, or one
that answers nothing, has left.
"""

from __future__ import annotations

import queue

matches: queue.SimpleQueue[str | None] = queue.SimpleQueue()
"""Their ids; None ends who listens."""

MOST = 10_000
"""More than these are left to the sweep: nobody listens here, or not fast enough."""


class Listening:
    """Whether somebody in this process takes matches from the queue."""

    now = False


def request(match_id: str) -> None:
    """Have the site look at the question of this match. Call it after the commit, from any thread."""
    if Listening.now and matches.qsize() < MOST:
        matches.put(match_id)
