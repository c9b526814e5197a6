"""``python -m ccg.rules.soak``: see :mod:`ccg.rules.soak`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

from ccg.rules.cardfiles import read_catalog
from ccg.rules.cards import Catalog
from ccg.rules.soak import dealing
from ccg.rules.soak.playing import Plan, Story, soak
from ccg.rules.soak.shrinking import retold, shrink

SHRINK_SECONDS = 60.0
MOST_SHRUNK = 3
"""Failures that are shrunk and told at length; of the rest only the seeds are."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, or replay a failure; the exit code is 0 if nothing is broken."""
    told = _parser().parse_args(arguments)
    if told.replay:
        return replay(told.replay)
    return run(
        [Plan(told.seed, number, told.players, told.decks) for number in range(told.games)], told.jobs, told.keep
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ccg.rules.soak", description="Random games, checked all over.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, default=2, choices=range(2, 9))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", choices=dealing.KINDS, default="legal")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, default=Path("soak-failures"), help="folder for the games that fail")
    parser.add_argument("--replay", type=Path, help="play a kept game again instead")
    return parser


@lru_cache(maxsize=1)
def _catalog() -> Catalog:
    return read_catalog()


def _soak(plan: Plan) -> Story:
    return soak(plan, _catalog())


def _stories(plans: Sequence[Plan], jobs: int) -> Iterator[Story]:
    if jobs == 1:
        yield from map(_soak, plans)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_soak, plans, chunksize=4)


def run(plans: Sequence[Plan], jobs: int, keep: Path) -> int:
    """Soak every game of ``plans``, tell what broke, and give the exit code."""
    begun = time.monotonic()
    say = partial(print, flush=True)
    choices = turns = 0
    kinds: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for plan, story in zip(plans, _stories(plans, jobs), strict=True):
        choices += len(story.moves)
        turns = max(turns, story.turns)
        kinds.update(story.kinds)
        if story.broken:
            broken[story.broken] += 1
            say(f"FAILED game {plan.number} (seed {plan.seed}, {plan.players} players, {plan.decks}): {story.message}")
            if broken.total() <= MOST_SHRUNK:
                say(_kept(plan, shrink(story, _catalog(), SHRINK_SECONDS), keep))
    seconds = time.monotonic() - begun
    say(
        f"{len(plans)} games, {choices} choices, longest {turns} turns, in {seconds:.0f} s "
        f"({choices / max(seconds, 0.001):.0f} choices a second, every one checked)"
    )
    say("decisions: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    say(f"{broken.total()} failures" + "".join(f"; {check}: {count}" for check, count in broken.items()))
    return 1 if broken else 0


def _kept(plan: Plan, story: Story, keep: Path) -> str:
    keep.mkdir(parents=True, exist_ok=True)
    path = keep / f"{plan.decks}-{plan.players}-{plan.seed}-{plan.number}.json"
    path.write_bytes(story.to_json())
    moves = "\n".join(f"  {move}" for move in story.moves)
    again = f"again: python -m ccg.rules.soak --replay {path}"
    return f"{story.message}\nshrunk to {len(story.moves)} moves:\n{moves}\n{again}"


def replay(path: Path) -> int:
    """Play the kept game at ``path`` again and say what breaks."""
    story = Story.from_json(path.read_bytes())
    again = retold(story, story.moves, _catalog())
    print(again.message if again.broken else f"{len(again.moves)} moves, nothing is broken any more")
    return 1 if again.broken else 0


if __name__ == "__main__":
    sys.exit(main())
