"""A crowd of half the promised size for two hours: memory, files and connections of the servers do not grow."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from msgspec import Struct

from .client.load import Crowd
from .load import USUAL
from .plants import before_each_choice
from .proof import Figure, Options, Proof
from .systems import System, running_system
from .usage import families, memory_bytes, open_files

GROWTH_AN_HOUR = 0.05
"""The part of the memory after the warm-up by which an hour may add to it."""
GROWTH_AT_ALL = 24 * 2**20
"""For a short run, in which an hour cannot be told from a moment: bytes."""
MORE_FILES = 0.02
"""The part of the open files, sockets among them, by which the last quarter may have more than the first."""
MORE_CONNECTIONS = 2
SAMPLES = 120
PLANTS = {"keeps_choices": "memory", "keeps_files": "files"}
"""Faults put in on purpose, and what has to be seen to grow with each."""


class Sample(Struct, frozen=True):
    """What servers and workers held at one moment."""

    at: float
    """Seconds since the end of the warm-up."""
    memory: int
    """Bytes."""
    files: int
    """Open files and sockets."""
    connections: int
    """Connections to PostgreSQL."""


def prove(options: Options) -> Proof:
    """Let half a crowd play, and compare what is held at the beginning and at the end."""
    matches = options.number("matches", USUAL[options.profile] // 2, 6)
    seconds = options.number("seconds", 7200, 12)
    warm_up = options.number("warm_up", 900, 4)
    pace = options.number("pace_ms", 2000, 500) / 1000
    with running_system(options.profile, options.room("site")) as system:
        playing = _endured(system, matches, seconds, warm_up, pace, options.seed, newcomers=not options.short)
        samples, choices, lost = asyncio.run(playing)
    allowed = GROWTH_AT_ALL if options.short else allowed_growth(samples)
    misses = missed(samples, allowed)
    return Proof(
        goal=f"{matches} matches for {seconds} s after a warm-up of {warm_up} s: memory grows by {GROWTH_AN_HOUR:.0%}"
        " an hour at most, files and connections do not, nobody is thrown out",
        passed=bool(choices) and not lost and not misses,
        figures={
            "choices": choices,
            "lost": lost,
            "memory_mb": _ends([sample.memory / 2**20 for sample in samples]),
            "memory_an_hour": round(growth(samples) / samples[0].memory * 3600 / seconds, 4),
            "memory_grown_mb": round(growth(samples) / 2**20, 2),
            "memory_may_grow_mb": round(allowed / 2**20, 2),
            "files": _ends([sample.files for sample in samples]),
            "connections": _ends([sample.connections for sample in samples]),
            "missed": [*misses],
        },
        planted={name: _noticed(options, name, what) for name, what in PLANTS.items()},
    )


def _noticed(options: Options, plant: str, what: str) -> bool:
    """Return whether ``what`` is seen to grow in servers with this fault, at tables where people do play."""
    with running_system("embedded", options.room(plant), plant=f"{__name__}:{plant}") as system:
        samples, choices, _ = asyncio.run(_endured(system, 4, 10, 2, 0.5, options.seed, newcomers=False))
        return bool(choices) and what in missed(samples, GROWTH_AT_ALL)


async def _endured(
    system: System, matches: int, seconds: float, warm_up: float, pace: float, seed: int, *, newcomers: bool
) -> tuple[list[Sample], int, int]:
    """Let so many play; return samples over ``seconds``, the number of choices, and how many sockets were lost.

    Without ``newcomers`` only processes count that are there as the warm-up is over: one that comes for some work and
    goes again, as the companion does, is no growth, but over some seconds it looks like that.
    """
    crowd = Crowd(system.urls, matches, pace, seed)
    await crowd.sit_down()
    await asyncio.sleep(warm_up)
    crowd.measured.counting = True
    began = time.monotonic()
    counted = None if newcomers else _processes(system)
    samples = [await asyncio.to_thread(_sample, system, 0.0, counted)]
    for number in range(1, SAMPLES + 1):
        await asyncio.sleep(max(0.0, began + seconds * number / SAMPLES - time.monotonic()))
        samples.append(await asyncio.to_thread(_sample, system, time.monotonic() - began, counted))
    crowd.measured.counting = False
    choices, lost = len(crowd.measured.answered), crowd.measured.lost
    await crowd.stop()
    return samples, choices, lost


def _processes(system: System) -> set[int]:
    """Return servers, workers, and all that came from them."""
    return families([*system.pids["web"], *system.pids.get("worker", [])])


def _sample(system: System, at: float, counted: set[int] | None = None) -> Sample:
    pids = _processes(system) if counted is None else counted
    connections = system.database.clients() if system.database is not None else 0
    return Sample(at, memory_bytes(pids), open_files(pids), connections)


def growth(samples: Sequence[Sample]) -> float:
    """Return by how many bytes memory grew from the first sample to the last, along the straight line through all."""
    line = statistics.linear_regression([sample.at for sample in samples], [sample.memory for sample in samples])
    return line.slope * (samples[-1].at - samples[0].at)


def allowed_growth(samples: Sequence[Sample]) -> float:
    """Return by how many bytes memory may grow in the time of these samples."""
    return GROWTH_AN_HOUR * samples[0].memory * (samples[-1].at - samples[0].at) / 3600


def missed(samples: Sequence[Sample], allowed: float) -> list[str]:
    """Return what grew: memory by more than ``allowed`` bytes, files, or connections."""
    quarter = max(1, len(samples) // 4)
    first, last = samples[:quarter], samples[-quarter:]
    # Between two matches of a pair its sockets are closed for a moment: the middle of many samples tells.
    files = [statistics.median(sample.files for sample in part) for part in (first, last)]
    connections = [max(sample.connections for sample in part) for part in (first, last)]
    return [
        *(["memory"] if growth(samples) > allowed else []),
        *(["files"] if files[1] > files[0] * (1 + MORE_FILES) + 1 else []),
        *(["connections"] if connections[1] > connections[0] + MORE_CONNECTIONS else []),
    ]


def _ends(numbers: Sequence[float]) -> dict[str, Figure]:
    quarter = max(1, len(numbers) // 4)
    first, last = statistics.median(numbers[:quarter]), statistics.median(numbers[-quarter:])
    return {"first": round(first, 1), "last": round(last, 1), "most": round(max(numbers), 1)}


# -- what is done to the servers


def keeps_choices() -> None:
    """Keep four megabytes for each choice, so that few choices are enough to see it on a busy machine."""
    kept: list[bytearray] = []
    before_each_choice(lambda: kept.append(bytearray(2**22)))


def keeps_files() -> None:
    """Open a file for each choice, and never close it."""
    kept: list[IO[str]] = []
    before_each_choice(lambda: kept.append(Path("/dev/null").open()))  # noqa: SIM115
