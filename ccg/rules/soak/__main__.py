"""``python -m ccg.rules.soak``: see :mod:`ccg.rules.soak`."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

from ccg.rules.authoring.card_files import read_catalog
from ccg.rules.cards.definitions import Catalog
from ccg.rules.soak import dealing
from ccg.rules.soak.playing import LEAVING, MIXED, Plan, Story, soak
from ccg.rules.soak.shrinking import retold, shrink
from ccg.rules.soak.uses import Watch, csv_lines, missing

SHRINK_SECONDS = 60.0
MOST_SHRUNK = 3
"""Failures that are shrunk and told at length; of the rest only the seeds are."""
LEAST_TOLD = 20
"""Abilities that are told as used least, beside those that were used too seldom."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, or replay a failure; the exit code is 0 if nothing is broken."""
    options = _parser().parse_args(arguments)
    if options.replay:
        return replay(options.replay)
    watch = Watch(_catalog()) if options.uses or options.least else None
    unknown = [card for cards in options.about for card in cards.split("+") if card not in _catalog()]
    if unknown:
        print(f"There is no card {', '.join(unknown)}; nothing was played.", file=sys.stderr)
        return 2
    decks = "focused" if options.about else options.decks
    plans = [
        Plan(options.seed, number, options.players, decks, tuple(options.about), options.leaving, options.lightly)
        for number in range(options.games)
    ]
    code = run(plans, options.jobs, options.keep, watch)
    return code if watch is None else max(code, tell_uses(watch, options.uses, options.least))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ccg.rules.soak", description="Random games, checked all over.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, default=2, choices=range(2, 9))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", choices=(*dealing.KINDS, MIXED), default="legal")
    parser.add_argument(
        "--about",
        nargs="+",
        default=[],
        metavar="CARD[+CARD]",
        help="focused games, each about one of these, or about several that are to meet",
    )
    parser.add_argument(
        "--leaving",
        type=int,
        default=LEAVING,
        metavar="N",
        help="in one game of N everybody concedes, in copies, at every decision (0: in none)",
    )
    parser.add_argument(
        "--lightly", action="store_true", help="check nothing, only show and save the game as a server does: many games"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, default=Path("soak-failures"), help="folder for the games that fail")
    parser.add_argument("--uses", type=Path, help="count what each card did and write the table here, as CSV")
    parser.add_argument(
        "--least", type=int, default=0, help="fail if an ability was used less often, or a branch never"
    )
    parser.add_argument("--replay", type=Path, help="play a kept game again instead")
    return parser


@lru_cache(maxsize=1)
def _catalog() -> Catalog:
    return read_catalog()


@lru_cache(maxsize=1)
def _watch() -> Watch:
    return Watch(_catalog())


Told = tuple[Story, dict[int, int]]
"""A game as it was played, and what its cards did."""


def _soak(plan: Plan) -> Told:
    return soak(plan, _catalog()), {}


def _watched(plan: Plan) -> Told:
    return soak(plan, _catalog(), _watch()), _watch().take()


def _stories(plans: Sequence[Plan], jobs: int, play: Callable[[Plan], Told]) -> Iterator[Told]:
    if jobs == 1:
        yield from map(play, plans)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, plans, chunksize=4)


def run(plans: Sequence[Plan], jobs: int, keep: Path, watch: Watch | None = None) -> int:
    """Soak every game of ``plans``, print what broke, and return the exit code. A ``watch`` gets what cards did."""
    begun = time.monotonic()
    say = partial(print, flush=True)
    choices = turns = 0
    kinds: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    stories = _stories(plans, jobs, _soak if watch is None else _watched)
    for plan, (story, uses) in zip(plans, stories, strict=True):
        if watch is not None:
            watch.add(uses)
        choices += len(story.moves)
        turns = max(turns, story.turns)
        kinds.update(story.kinds)
        if story.broken:
            broken[story.broken] += 1
            say(f"FAILED game {plan.number} (seed {plan.seed}, {plan.players} players, {plan.decks}): {story.message}")
            if broken.total() <= MOST_SHRUNK:
                say(_kept(plan, shrink(story, _catalog(), SHRINK_SECONDS), keep))
    seconds = time.monotonic() - begun
    looked = "told and saved only" if any(plan.lightly for plan in plans) else "every one checked"
    say(
        f"{len(plans)} games, {choices} choices, longest {turns} turns, in {seconds:.0f} s "
        f"({choices / max(seconds, 0.001):.0f} choices a second, {looked})"
    )
    say("decisions: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    say(f"{broken.total()} failures" + "".join(f"; {check}: {count}" for check, count in broken.items()))
    return 1 if broken else 0


def tell_uses(watch: Watch, path: Path | None, least: int) -> int:
    """Write the table of uses to ``path``, print what was used too seldom, and return the exit code."""
    if path is not None:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(csv_lines(watch))
    abilities = sorted((count, row.name) for row, count in watch.table() if not row.branch)
    branches = [count for row, count in watch.table() if row.branch]
    print(f"{len(abilities)} abilities used {sum(count for count, _ in abilities)} times, {len(branches)} branches")
    print("used least: " + "; ".join(f"{name} {count}" for count, name in abilities[:LEAST_TOLD]))
    short = missing(watch, max(1, least))
    for row, count in short:
        print(f"TOO SELDOM {count} x {row.name}")
    print(f"{len(short)} abilities used less than {max(1, least)} times or branches never taken")
    return 1 if least and short else 0


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
