"""A deck is tested while people play: how long all games take, and how soon the tables are answered meanwhile."""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from .client.load import Crowd, Measured
from .client.visits import VisitError, Visitor, guest
from .load import quantiles
from .proof import Figure, Options, Proof
from .systems import System, running_system

PACE = 2.0
LOOK_SECONDS = 0.5


class Bounds(Struct, frozen=True):
    """What is promised: ``seconds`` for all games, milliseconds to an answer at the tables (99 of 100)."""

    seconds: float
    answer_ms: float | None


PROMISED = Bounds(90, 100)
SHORT = Bounds(300, None)
"""For the short form, which may run on a machine that has much else to do."""


class PlaytestRun(Struct, frozen=True):
    """How a playtest went: games played of how many, those that did not end, and the seconds it took."""

    played: int
    of: int
    stopped: int
    seconds: float


def prove(options: Options) -> Proof:
    """Have one deck tested against all starter decks, while a crowd plays at its tables."""
    matches = options.number("matches", 50, 4)
    games = options.number("games", 200, 2)
    bounds = SHORT if options.short else PROMISED
    with running_system(options.profile, options.room("site"), env=_settings(games)) as system:
        tested, measured = asyncio.run(_tested(system, matches, options.seed, bounds.seconds))
    misses = missed(tested, measured, bounds)
    figures: dict[str, Figure] = {
        "matches": matches,
        "games": tested.played,
        "of": tested.of,
        "stopped": tested.stopped,
        "seconds": round(tested.seconds, 1),
        "choices": len(measured.answered),
        "answer_ms": {**quantiles(measured.answered)},
        "missed": [*misses],
    }
    return Proof(
        goal=f"{games} games against each starter deck within {bounds.seconds:g} s, while {matches} matches are"
        f" answered within {bounds.answer_ms or 'any number of'} ms (99 of 100)",
        passed=not misses,
        figures=figures,
        planted={"idle": _noticed(options, "idle")},
    )


def missed(tested: PlaytestRun, measured: Measured, bounds: Bounds) -> list[str]:
    """Return what of the promise was not kept."""
    slow = quantiles(measured.answered).get("p99", 0.0)
    wrong = ["games"] if tested.played < tested.of or not tested.of else []
    wrong += ["stopped"] if tested.stopped else []
    wrong += ["seconds"] if tested.seconds > bounds.seconds else []
    wrong += ["choices"] if not measured.answered or measured.lost or measured.refused else []
    wrong += ["answer_ms"] if bounds.answer_ms is not None and slow > bounds.answer_ms else []
    return wrong


def _noticed(options: Options, plant: str) -> bool:
    place = f"{__name__}:{plant}"
    with running_system("embedded", options.room(plant), env=_settings(1), plant=place) as system:
        return "stopped" in missed(*asyncio.run(_tested(system, 2, options.seed, 60)), SHORT)


def _settings(games: int) -> dict[str, str]:
    return {"PLAYTEST_GAMES": str(games)}


async def _tested(system: System, matches: int, seed: int, most: float) -> tuple[PlaytestRun, Measured]:
    """Seat a crowd, have a deck tested, and return how that went and what the tables measured meanwhile."""
    crowd = Crowd(system.urls, matches, PACE, seed)
    await crowd.sit_down()
    await asyncio.sleep(PACE)
    crowd.measured.counting = True
    with ThreadPoolExecutor(1) as thread:
        tested = await asyncio.get_running_loop().run_in_executor(thread, _test, system.urls[0], most)
    # Even where all games are over at once, every table has been answered.
    await asyncio.sleep(2 * PACE)
    crowd.measured.counting = False
    await crowd.stop()
    return tested, crowd.measured


def _test(url: str, most: float) -> PlaytestRun:
    """Ask for the test of the first starter deck, and look until it is over or ``most`` seconds are more than over."""
    visitor = guest(url, address="127.9.9.9")
    deck = re.search(r'href="(/decks/[\w-]{22}/)"', visitor.get("/decks/").text)
    if deck is None:
        raise VisitError("no decks")
    began = time.monotonic()
    page = visitor.post(f"{deck[1]}test/").location
    if not page.startswith("/playtests/"):
        raise VisitError(f"no playtest: {page}")
    while True:
        shown = visitor.get(page).text
        seconds = time.monotonic() - began
        going_on = re.search(r"(\d+) of (\d+) games played", shown)
        if going_on is None or seconds > 2 * most:
            return _over(visitor, shown, seconds)
        time.sleep(LOOK_SECONDS)


def _over(visitor: Visitor, shown: str, seconds: float) -> PlaytestRun:
    visitor.close()
    counted = re.search(r"</b> of (\d+) games", shown)
    stopped = re.search(r"(\d+) games? did not end", shown)
    each = re.search(r"(\d+) games? against each of (\d+) starter decks", shown)
    lost = int(stopped[1]) if stopped else 0
    of = int(each[1]) * int(each[2]) if each else 0
    # Where not one game came to its end, the page says so in other words.
    return PlaytestRun((int(counted[1]) if counted else 0) + lost, of, lost if counted else of, seconds)


# -- what is done to the server


def idle() -> None:
    """Let child processes end without having played."""
    from cards_data import isolated

    setattr(isolated, "run", lambda *_, **__: isolated.Done([], "it did nothing"))  # noqa: B010
