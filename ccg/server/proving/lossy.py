"""Hints between servers and sockets that are lost, doubled and late: everybody sees the right table all the same."""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Sequence
from typing import Any

from .client.seat import Seat, by_hash
from .client.visits import Visitor, guest
from .proof import Options, Proof
from .systems import running_system

DROPPED, DOUBLED, DELAYED = 0.10, 0.05, 0.10
MARK = "hints lost, doubled, delayed:"
WITHIN = 6.0
"""Seconds after the last choice: a heartbeat comes every five."""


def prove(options: Options) -> Proof:
    """Play over hints that cannot be relied on, stop, and compare what everybody sees with what is."""
    matches = options.number("matches", 100, 4)
    watchers = options.number("watchers", 8, 2)
    seconds = options.number("seconds", 60, 3)
    plant = f"{__name__}:unreliable"
    with running_system(options.profile, options.room("site"), workers=0, plant=plant) as system:
        late, clients, choices = asyncio.run(_played(system.urls, options.seed, matches, watchers, seconds))
        lost = _last_count(system.said())
    with running_system("embedded", options.room("broken"), plant=f"{__name__}:deaf") as broken:
        seen, *_ = asyncio.run(_played(broken.urls, options.seed, 3, 2, 3))
    return Proof(
        goal=f"10% of all hints lost, 5% doubled, 10% late: {clients} of {clients} clients have the right view within"
        f" {WITHIN:.0f} s of the last choice",
        passed=not late and sum(lost) > 0,
        figures={
            "clients": clients, "choices": choices, "wrong_or_late": len(late), "examples": [*late[:5]],
            "hints_lost": lost[0], "hints_doubled": lost[1], "hints_delayed": lost[2],
        },
        planted={"no hints, no heartbeats": bool(seen)},
    )  # fmt: skip


async def _played(
    urls: Sequence[str], seed: int, matches: int, watchers: int, seconds: float
) -> tuple[list[str], int, int]:
    """Play for some seconds; return who did not see the right table in time, of how many, after how many choices."""
    choices = 0

    def note(kind: str, message: object) -> None:
        nonlocal choices
        choices += kind == "acked"

    at: list[tuple[Visitor, Seat]] = []
    for number in range(matches):
        here = urls[number % len(urls)]
        people = [await asyncio.to_thread(guest, url) for url in (here, urls[-1])]
        match, link = await asyncio.to_thread(people[0].invite)
        await asyncio.to_thread(people[1].accept, link)
        looking = [Visitor(urls[n % len(urls)]) for n in range(watchers)]
        policy = by_hash(f"{seed}:{number}")
        at += [(one, Seat([one.url], one.cookie_header, match, policy, note, pace=0.3)) for one in (*people, *looking)]
    running = [asyncio.create_task(seat.run()) for _, seat in at]
    await asyncio.sleep(seconds)
    for _, seat in at:
        seat.choosing = False
    await asyncio.sleep(WITHIN + 1)  # a choice may still have been on its way
    tables = [seat.table for _, seat in at]
    behind = [await _behind(one, seat.match, table) for (one, seat), table in zip(at, tables, strict=True)]
    for _, seat in at:
        seat.stop()
    await asyncio.wait(running, timeout=10)
    for task in running:
        task.cancel()
    return [what for what in behind if what], len(at), choices


async def _behind(visitor: Visitor, match: str, seen: dict[str, Any] | None) -> str:
    """Return what is wrong with what this client saw last, compared with what the site says over HTTP."""
    now = await asyncio.to_thread(visitor.table, match)
    if seen is None or seen["version"] != now["version"]:
        return f"{match}: at version {seen and seen['version']}, not {now['version']}"
    same = all(seen[name] == now[name] for name in ("view", "you", "over", "people"))
    return "" if same else f"{match}: another view of version {now['version']}"


def _last_count(log: str) -> tuple[int, int, int]:
    """Return how many hints were lost, doubled and delayed, over all processes."""
    best: dict[str, tuple[int, int, int]] = {}
    for pid, *numbers in re.findall(rf"(\d+) {MARK} (\d+) (\d+) (\d+)", log):
        best[pid] = (int(numbers[0]), int(numbers[1]), int(numbers[2]))
    return (sum(b[0] for b in best.values()), sum(b[1] for b in best.values()), sum(b[2] for b in best.values()))


# -- what is done to the servers


def unreliable() -> None:
    """Lose, double and delay hints on their way to sockets, by chance."""
    from matches.hints.listeners import listeners

    real, rng, counts = type(listeners).tell, random.Random(os.getpid()), [0, 0, 0]

    def tell(self, hint):  # type: ignore[no-untyped-def]
        luck = rng.random()
        if luck < DROPPED:
            counts[0] += 1
        elif luck < DROPPED + DELAYED:
            counts[2] += 1
            asyncio.get_running_loop().call_later(rng.uniform(0.05, 1.0), real, self, hint)
        else:
            real(self, hint)
            if luck > 1 - DOUBLED:
                counts[1] += 1
                real(self, hint)
        print(os.getpid(), MARK, *counts, flush=True)

    setattr(type(listeners), "tell", tell)  # noqa: B010


def deaf() -> None:
    """Lose every hint, and the heartbeat that would make up for it."""
    from matches.hints.listeners import listeners

    from .plants import unheard

    setattr(type(listeners), "tell", lambda self, hint: None)  # noqa: B010
    unheard("heartbeat")()
