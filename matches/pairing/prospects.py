"""Why somebody who waits in a queue is not paired with those who wait there too, in words for their page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from matches.pairing import kept_apart, services
from matches.pairing.choosing import Waiting, pair_of, seconds_until_near
from matches.pairing.models import QueueEntry
from matches.pairing.queues import CORRESPONDENCE, LIVE, QUEUES, Queue

MOST_EXPLAINED = 20
"""Where more wait, somebody is found in a moment, and why it is not this one is nobody's question."""


def words(entry: QueueEntry, now: datetime) -> str:
    """Return in sentences who else waits in the queue of ``entry`` at ``now``, and why none of them is paired with it.

    Nobody learns who blocks them: those who are kept apart by that do not wait for each other.
    """
    count = services.count_waiting(entry.queue, now)
    if count - 1 > MOST_EXPLAINED:
        return _too(count - 1)
    waiting = services.who_waits(entry.queue, now)
    strangers = kept_apart.blocked([one.user for one in waiting]) if len(waiting) > 1 else set()
    own = next((one for one in waiting if one.entry == entry.pk), None)
    others = [one for one in waiting if one.entry != entry.pk and pair_of(entry.user_id, one.user) not in strangers]
    if not others:
        return "Nobody else waits yet whom you could meet."
    if own is None:
        return _too(len(others))
    return _explained(QUEUES[entry.queue], own, others, now)


def _explained(queue: Queue, own: Waiting, others: Sequence[Waiting], now: datetime) -> str:
    """Return why ``own`` is paired with none of ``others``; only how many they are, if somebody will do."""
    people = [own, *others]
    users = [one.user for one in people]
    again = kept_apart.just_played(people, now)
    playing = kept_apart.playing_now(users) if queue.kind == CORRESPONDENCE else set()
    often = kept_apart.met_often(users, now) if queue.rated else set()
    played: list[timedelta] = []
    far: list[timedelta] = []
    counts = {"playing": 0, "often": 0}
    for other in others:
        pair = pair_of(own.user, other.user)
        if pair in playing:
            counts["playing"] += 1
        elif pair in often:
            counts["often"] += 1
        elif pair in again:
            played.append(again[pair] - now)
        elif (seconds := seconds_until_near(own, other)) > 0:
            far.append(timedelta(seconds=seconds * queue.slower))
        else:
            return _too(len(others))
    sooner = "once both of you have played somebody else, or " if queue.kind == LIVE else ""
    reasons = [
        (counts["playing"], "you play already: no second match is begun beside it."),
        (counts["often"], "you have played as often within a day as counts: not again today."),
        (len(played), f"you have just played: you can be paired again {sooner}in {_soonest(played)}."),
        (len(far), f"{'is' if len(far) == 1 else 'are'} far from your strength: paired with you in {_soonest(far)}."),
    ]
    return " ".join(
        [
            f"{len(others)} other{'s wait' if len(others) > 1 else ' waits'}, but you are not paired yet.",
            *(f"{_some(count, len(others))} {why}" for count, why in reasons if count),
        ]
    )


def _too(count: int) -> str:
    return f"{count} other{'s wait' if count > 1 else ' waits'} too."


def _some(count: int, of: int) -> str:
    """Return the beginning of a sentence about some of those who wait."""
    if of == 1:
        return "This one"
    return "All of them" if count == of else f"{count} of them"


def _soonest(spans: Sequence[timedelta]) -> str:
    """Return the shortest of some spans of time in words, rounded up."""
    seconds = max(1, -int(-min(spans, default=timedelta()).total_seconds() // 1))
    for size, name in ((3600, "hour"), (60, "minute")):
        if seconds > size:
            return f"{-(-seconds // size)} {name}s"
    return f"{seconds} second{'s' if seconds > 1 else ''}"
