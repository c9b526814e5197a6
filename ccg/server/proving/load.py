"""A crowd at its tables: how soon choices are answered and seen, and what each costs in processor time."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families

from .client.load import Crowd, Measured
from .client.visits import VisitError
from .plants import before_each_choice
from .proof import Figure, Options, Profile, Proof
from .systems import System, running_system
from .usage import processor_seconds

CURVE_SECONDS = 45
MINUTE = 60
MADE = 0.9
"""The part of the choices that are due which must be made: a crowd that does not play measures nothing."""


class Bounds(Struct, frozen=True):
    """What is promised: milliseconds to answer and opponent (99 of 100), and of processor time for each choice."""

    answer_ms: float | None
    processor_ms: float


PROMISED: dict[Profile, Bounds] = {"embedded": Bounds(100, 3), "full": Bounds(150, 6)}
SHORT = Bounds(None, 60)
"""For the short form, which may run on a machine that has much else to do."""
USUAL: dict[Profile, int] = {"embedded": 250, "full": 500}
PLANTS = {"wasteful": "processor_ms", "unseen": "refused"}
"""Faults put in on purpose, and what of the promise has to be missed with each: who sees nothing chooses too late."""


def prove(options: Options) -> Proof:
    """Let a crowd play, and measure; with ``curve``, ever larger ones, until the promise does not hold."""
    matches = options.number("matches", USUAL[options.profile], 6)
    seconds = options.number("seconds", 600, 5)
    pace = options.number("pace_ms", 2000, 500) / 1000
    apart = bool(options.number("apart", 0))
    bounds = SHORT if options.short else PROMISED[options.profile]
    with running_system(options.profile, options.room("site")) as system:
        figures = asyncio.run(_measured(system, matches, seconds, pace, options.seed, apart=apart))
    misses = missed(figures, bounds)
    grown: list[Figure] = [*curve(options, pace, bounds)]
    return Proof(
        goal=f"{matches} matches, a choice every {pace:g} s in each: answered, and seen by the opponent, within"
        f" {bounds.answer_ms or 'any number of'} ms (99 of 100), for {bounds.processor_ms:g} ms of processor time",
        passed=not misses,
        figures={**figures, "missed": [*misses], "curve": grown},
        planted={name: _noticed(options, name, what) for name, what in PLANTS.items()},
    )


def curve(options: Options, pace: float, bounds: Bounds) -> Iterator[dict[str, Figure]]:
    """Yield what was measured with ever larger crowds, up to one that is answered too late, or cannot sit down."""
    step = options.number("curve", 0)
    for matches in count(step, step) if step else ():
        with running_system(options.profile, options.room(f"curve-{matches}")) as system:
            try:
                point = asyncio.run(_measured(system, matches, CURVE_SECONDS, pace, options.seed))
            except VisitError as error:
                yield {"matches": matches, "broken": str(error)}
                return
        yield point
        if missed(point, Bounds(bounds.answer_ms, 1000)):
            return


def _noticed(options: Options, plant: str, what: str) -> bool:
    """Return whether ``what`` is missed with this fault, at tables where people do play."""
    with running_system("embedded", options.room(plant), plant=f"{__name__}:{plant}") as system:
        figures = asyncio.run(_measured(system, 4, 12, 0.5, options.seed))
        return bool(figures["choices"]) and what in missed(figures, SHORT)


async def _measured(
    system: System, matches: int, seconds: float, pace: float, seed: int, *, apart: bool = False
) -> dict[str, Figure]:
    """Let so many play, and return what was measured once all sit."""
    crowd = Crowd(system.urls, matches, pace, seed, apart=apart)
    await crowd.sit_down()
    await asyncio.sleep(2 * pace + 2)
    groups = system.pids
    collected = await asyncio.to_thread(collections, system.urls)
    began, before = time.monotonic(), {name: processor_seconds(pids) for name, pids in groups.items()}
    own = time.process_time()
    crowd.measured.counting = True
    course = await _course(crowd.measured, [pid for pids in groups.values() for pid in pids], seconds)
    crowd.measured.counting = False
    own = time.process_time() - own
    spent = {name: processor_seconds(pids) - before[name] for name, pids in groups.items()}
    figures = told(crowd.measured, spent, own, time.monotonic() - began, matches / pace)
    await crowd.stop()
    full, standing = (
        after - before
        for before, after in zip(collected, await asyncio.to_thread(collections, system.urls), strict=True)
    )
    pauses: Figure = {"pauses": round(full), "ms_each": round(1000 * standing / full, 1) if full else 0.0}
    return {"matches": matches, **figures, "collections": pauses, "course": [*course]}


def collections(urls: Iterable[str]) -> tuple[float, float]:
    """Return how many full garbage collections these servers have made, and how many seconds they stood still."""
    found = [0.0, 0.0]
    for url in urls:
        with urllib.request.urlopen(f"{url}/metrics", timeout=10) as answer:
            said = answer.read().decode()
        samples = [one for family in text_string_to_metric_families(said) for one in family.samples]
        for place, name in enumerate(("fleet_gc_pause_seconds_count", "fleet_gc_pause_seconds_sum")):
            found[place] += sum(one.value for one in samples if one.name == name)
    return found[0], found[1]


async def _course(measured: Measured, pids: Sequence[int], seconds: float) -> list[Figure]:
    """Wait so long, and return for each minute the slowest of a hundred answers and the processor time of a choice.

    Matches of a crowd begin together and go through their middle and their end at about the same time.
    """
    course: list[Figure] = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        answered, spent = len(measured.answered), processor_seconds(pids)
        await asyncio.sleep(min(MINUTE, left))
        answers = measured.answered[answered:]
        spent = processor_seconds(pids) - spent
        p99, each = quantiles(answers).get("p99"), round(1000 * spent / max(1, len(answers)), 2)
        course.append({"answer_p99_ms": p99, "processor_ms": each})
    return course


def told(measured: Measured, spent: dict[str, float], own: float, seconds: float, due: float) -> dict[str, Figure]:
    """Return the figures of a crowd that was to make ``due`` choices a second.

    ``spent`` is the processor time of the servers, by what they are, and ``own`` that of the crowd, both in seconds.
    """
    choices = len(measured.answered)
    each: dict[str, Figure] = {name: round(1000 * used / max(1, choices), 2) for name, used in spent.items()}
    return {
        "choices": choices,
        "choices_a_second": round(choices / seconds, 1),
        "choices_due": round(float(due), 1),
        "answer_ms": {**quantiles(measured.answered)},
        "seen_ms": {**quantiles(measured.seen)},
        "client_late_ms": {**quantiles(measured.late)},
        "tables_for_each": round(measured.tables / max(1, choices), 3),
        "bytes_for_each": round(measured.bytes / max(1, choices)),
        "processor_ms": round(1000 * sum(spent.values()) / max(1, choices), 2),
        "processor_ms_of": each,
        "client_processor_ms": round(1000 * own / max(1, choices), 2),
        "refused": dict(measured.refused),
        "lost": measured.lost,
    }


def missed(figures: dict[str, Figure], bounds: Bounds) -> list[str]:
    """Return what of the promise was not kept."""
    answer, seen, tables = figures["answer_ms"], figures["seen_ms"], figures["tables_for_each"]
    processor, made, due = figures["processor_ms"], figures["choices_a_second"], figures["choices_due"]
    assert isinstance(answer, dict)
    assert isinstance(seen, dict)
    assert isinstance(tables, float)
    assert isinstance(processor, float)
    assert isinstance(made, float)
    assert isinstance(due, float)
    wrong = [name for name in ("refused", "lost") if figures[name]]
    wrong += [] if figures["choices"] and made >= MADE * due else ["choices"]
    wrong += [] if tables > 1.9 else ["tables_for_each"]
    wrong += ["processor_ms"] if processor > bounds.processor_ms else []
    for name, quantiles in (("answer_ms", answer), ("seen_ms", seen)):
        slow = quantiles.get("p99")
        if bounds.answer_ms is not None and (not isinstance(slow, float) or slow > bounds.answer_ms):
            wrong.append(name)
    return wrong


def quantiles(times: Iterable[float]) -> dict[str, float]:
    """Return the median and the slow ends of seconds, in milliseconds; nothing of no times."""
    ordered = sorted(times)
    if not ordered:
        return {}
    parts = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
    return {name: round(1000 * ordered[int(part * (len(ordered) - 1))], 1) for name, part in parts.items()}


# -- what is done to the servers


def wasteful() -> None:
    """Work for a tenth of a second before each choice."""

    def work() -> None:
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass

    before_each_choice(work)


def unseen() -> None:
    """Tell sockets nothing of what others do; they find out by their heartbeat."""
    from matches.hints.listeners import listeners

    setattr(type(listeners), "tell", lambda self, hint: None)  # noqa: B010
