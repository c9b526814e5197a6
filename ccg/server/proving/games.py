"""Random games over all sets: the rules hold after every choice, all games end, and saved ones go on the same.

The games and their checks are those of the soak (:mod:`ccg.rules.soak`), with decks of every kind at tables of two and
more. What fails is kept as a file, shrunk to the moves that it needs: mended, it moves to ``tests/rules/kept``.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ccg import native

from .inside import call
from .proof import Figure, Options, Proof

SIZES = (2, 3, 2, 4, 2)
"""How many play, in games after each other; that is no divisor of the kinds of decks, which go round as well."""
SLICE = 500
"""Games that one process plays before it begins anew."""
KEPT = "soak-failures"
MOST_SHRUNK, SHRINK_SECONDS = 3, 60.0
"""Failures of a slice that are shrunk and kept; of the others only the numbers are told."""


class Played(Struct):
    """What came of some games."""

    games: int = 0
    choices: int = 0
    longest: int = 0
    tables: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Played) -> None:
        """Count other games as well."""
        self.games, self.choices = self.games + other.games, self.choices + other.choices
        self.longest = max(self.longest, other.longest)
        self.tables += other.tables
        self.failures += other.failures


def prove(options: Options) -> Proof:
    """Play; then a few games with each rule that is broken on purpose."""
    games, processes = options.number("games", 100_000, 10), options.number("processes", 2)
    env = {"VAR_DIR": str(options.folder / "var")}
    keep = str(Path(options.more.get("keep", KEPT)).absolute())
    asked = [
        {"from": begin, "to": min(begin + SLICE, games), "seed": options.seed, "keep": keep}
        for begin in range(0, games, SLICE)
    ]
    all_of_it = Played()
    with ThreadPoolExecutor(processes) as pool:
        for part in pool.map(lambda one: call(f"{__name__}:play", one, env), asked):
            all_of_it.add(read(part))
    env[native.CHOICE] = "pure"  # compiled modules call each other without looking up what was replaced
    broken = {"from": 0, "to": 6, "seed": options.seed, "keep": ""}
    planted = {
        name.replace("_", " "): bool(read(call(f"{__name__}:play", broken, env, f"{__name__}:{name}")).failures)
        for name in PLANTS[: 1 if options.short else None]
    }
    figures: dict[str, Figure] = {
        "games": all_of_it.games,
        "choices": all_of_it.choices,
        "longest_turns": all_of_it.longest,
        "tables": {f"of {size}": count for size, count in sorted(all_of_it.tables.items())},
        "failures": len(all_of_it.failures),
        "examples": [*all_of_it.failures[:5]],
    }
    return Proof(
        goal=f"{games} random games over all sets: after every choice each card is in one place, somebody can choose,"
        " and a game that is saved and read back is the same; every game ends, and its record leads to the same state",
        passed=all_of_it.games == games and not all_of_it.failures,
        figures=figures,
        planted=planted,
    )


def play(asked: dict[str, Any]) -> dict[str, Any]:
    """Play the games with these numbers; return what came of them, as :func:`read` reads it."""
    from ccg.rules.authoring.card_files import read_catalog
    from ccg.rules.soak.playing import MIXED, Plan, soak
    from ccg.rules.soak.shrinking import shrink

    catalog, played = read_catalog(), Played()
    for number in range(asked["from"], asked["to"]):
        plan = Plan(asked["seed"], number, SIZES[number % len(SIZES)], MIXED)
        story = soak(plan, catalog)
        played.games, played.choices = played.games + 1, played.choices + len(story.moves)
        played.longest = max(played.longest, story.turns)
        played.tables[plan.players] += 1
        if story.broken:
            played.failures.append(f"game {number} of {plan.players}, {plan.kind}: {story.message}")
            if asked["keep"] and len(played.failures) <= MOST_SHRUNK:
                folder = Path(asked["keep"])
                folder.mkdir(parents=True, exist_ok=True)
                name = f"{plan.decks}-{plan.players}-{plan.seed}-{plan.number}.json"
                (folder / name).write_bytes(shrink(story, catalog, SHRINK_SECONDS).to_json())
    return {**{name: getattr(played, name) for name in Played.__struct_fields__}, "tables": [*played.tables.items()]}


def read(found: dict[str, Any]) -> Played:
    """Return what :func:`play` has found in another process."""
    return Played(**{**found, "tables": Counter(dict(found["tables"]))})


# -- planted faults


def a_discarded_card_is_lost() -> None:
    """Let cards that are discarded vanish."""
    from ccg.rules.core import zones

    setattr(zones, "to_discard", lambda engine, cards: None)  # noqa: B010


def a_reading_forgets() -> None:
    """Let a game that is read back have forgotten whose turn it is."""
    from ccg.rules import saving

    real = saving.load

    def load(*args: Any, **more: Any) -> Any:
        engine = real(*args, **more)
        engine.state.turn += 1
        return engine

    setattr(saving, "load", load)  # noqa: B010


def nobody_can_pay() -> None:
    """Offer no stack to pay with."""
    from ccg.rules.rulebook import payment

    setattr(payment, "useful_stacks", lambda *anything: [])  # noqa: B010


PLANTS = ("a_discarded_card_is_lost", "a_reading_forgets", "nobody_can_pay")
"""The functions that break something."""
