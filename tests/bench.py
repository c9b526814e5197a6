"""What the engine costs: ``make bench``. Prints figures; fails on nothing, as machines differ."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from ccg.rules import Catalog, Game
from ccg.rules.cardfiles import read_catalog
from ccg.rules.soak import dealing

GAMES = 30
LOOK_EVERY = 25
"""Choices between two looks at copying, saving and viewing."""

T = TypeVar("T")


def timed(times: list[float], work: Callable[[], T]) -> T:
    """Do the work and note how long it took."""
    began = time.perf_counter()
    done = work()
    times.append(time.perf_counter() - began)
    return done


def play(number: int, catalog: Catalog, times: dict[str, list[float]], sizes: list[int]) -> None:
    """One game of two by chance, with looks at what else is done to a state."""
    rng = random.Random(f"bench {number}")
    game = timed(
        times["start"], lambda: Game.start(dealing.seats("legal", 2, catalog, rng), catalog, b"bench seed 0000")
    )
    for step in range(5000):
        decision = game.decision
        if decision is None:
            return
        if step % LOOK_EVERY == 0:
            timed(times["copy"], game.copy)
            saved = timed(times["save"], game.save)
            timed(times["load"], lambda saved=saved: Game.load(saved, catalog))  # type: ignore[misc]
            timed(times["view"], lambda seat=decision.seat: game.view(seat))  # type: ignore[misc]
            sizes.append(len(saved))
        option = rng.choice(decision.options)
        timed(times["choose"], lambda option=option: game.choose(option))  # type: ignore[misc]


def main() -> int:
    """Play, and tell."""
    catalog = read_catalog()
    times: dict[str, list[float]] = {name: [] for name in ("start", "choose", "copy", "save", "load", "view")}
    sizes: list[int] = []
    began = time.perf_counter()
    for number in range(GAMES):
        play(number, catalog, times, sizes)
    seconds = time.perf_counter() - began
    choices = len(times["choose"])
    print(
        f"{GAMES} games by chance, {choices} choices in {seconds:.1f} s: {choices / sum(times['choose']):,.0f} a second"
    )
    for name, taken in times.items():
        ordered = sorted(taken)
        print(
            f"{name:7} median {statistics.median(ordered) * 1e6:8,.0f} µs,"
            f" 99 of 100 under {ordered[len(ordered) * 99 // 100] * 1e6:8,.0f} µs, slowest {ordered[-1] * 1e3:6.1f} ms"
        )
    print(f"a saved state has {statistics.median(sizes):,.0f} bytes (most {max(sizes):,})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
