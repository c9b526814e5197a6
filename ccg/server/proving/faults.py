"""kill -9 of servers and workers while matches are played: nothing acknowledged is lost, nothing is done twice.

Half of the people play without clocks, half by correspondence, where the site answers for them what is forced.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .inside import call
from .ledger import WRONG
from .processes import ROOT, Process, clean_environment
from .proof import Figure, Options, Proof, ProofError
from .systems import System, running_system

SETTLING = 60.0
BACKGROUND_SECONDS = 150.0
"""What a killed process had in hand is done by another one once its lease is over, two minutes later."""
TEMPOS = ("untimed", "correspondence 86400+259200")


def prove(options: Options) -> Proof:
    """Kill, start again, kill; then hold the players' own records against the database."""
    kills = options.number("kills", 300, 2)
    killed_workers = options.number("workers", 100, 1) if options.profile == "full" else 0
    rng = random.Random(options.seed)
    with running_system(options.profile, options.room("site"), workers=2) as system:
        done = tried(system, options, rng, kills, killed_workers)
        planted: dict[str, bool] = done["figures"].pop("planted")
    planted["ack before commit"] = _broken(options, "ack_before_commit", "lost")
    if not options.short:
        planted["ids forgotten"] = _broken(options, "forgotten_ids", "unknown")
    figures: dict[str, Figure] = {**done["figures"]}
    late = statistics.median(done["first"]) if done["first"] else None
    figures |= {"first_ack_median": late, "first_ack_worst": max(done["first"], default=None)}
    wrong = sum(done["figures"][what] for what in (*WRONG, "jobs_failed", "not_archived", "errors"))
    wanted = kills + killed_workers
    return Proof(
        goal=f"{wanted} times kill -9 under running matches: 0 acknowledged choices lost, 0 doubled,"
        " no version missing, each state is that of its moves, all background work done once",
        passed=wrong == 0 and len(done["first"]) == kills and done["figures"]["acked"] > 0,
        figures=figures,
        planted=planted,
    )


CHECK, BACKGROUND = "ccg.server.proving.ledger:check", "ccg.server.proving.ledger:background"


def tried(
    system: System, options: Options, rng: random.Random, kills: int, killed_workers: int, *, tamper: bool = True
) -> dict[str, Any]:
    """Let a crowd play on ``system`` while its processes are killed; return figures, times and the crowd's log."""
    log = system.folder / "crowd.log"
    matches = options.number("matches", 60, 4)
    more = ["--matches", str(matches), "--computers", str(max(1, matches // 6)), "--seed", str(options.seed)]
    pace = options.number("pace_ms", 300, 30)
    more += [argument for tempo in TEMPOS for argument in ("--tempo", tempo)]
    with crowd([*system.urls, *more, "--pace", str(pace / 1000)], log) as playing:
        _all_play(log, playing, matches)
        # Who loses a server goes on at another one: each in turn, so that there is always somebody there.
        victims: list[Process] = [*itertools.islice(itertools.cycle(system.sites), kills)]
        for _ in range(killed_workers):
            victims.insert(rng.randrange(len(victims) + 1), rng.choice(system.workers))
        first = []
        for victim in victims:
            time.sleep(rng.uniform(0.1, 1.0))
            killed, place = time.monotonic(), log.stat().st_size
            victim.kill()
            victim.start()
            if victim in system.sites:
                first.append(round(_heard_again(log, playing, killed, max(0, place - 4096)) - killed, 3))
        time.sleep(0.5)
    figures = call(CHECK, {"log": str(log), "tamper": tamper}, system.env)
    figures |= _settled(system) | {"kills": kills, "worker_kills": killed_workers, "errors": playing.returncode or 0}
    return {"figures": figures, "first": first, "log": log}


@contextlib.contextmanager
def crowd(arguments: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Players in a process of their own while the block runs; at its end they wait for their last answers."""
    log.touch()
    with (log.parent / "crowd.err").open("ab") as errors:
        playing = subprocess.Popen(
            [sys.executable, "-m", "ccg.server.proving.client.crowd", *arguments, "--log", str(log)],
            cwd=ROOT, env=clean_environment(), stderr=errors,
        )  # fmt: skip
    try:
        yield playing
        playing.send_signal(signal.SIGTERM)
        playing.wait(SETTLING + 60)
    finally:
        if playing.poll() is None:
            playing.kill()
            playing.wait()


def _all_play(log: Path, playing: subprocess.Popen[bytes], matches: int) -> None:
    """Wait until so many matches are played."""
    end = time.monotonic() + SETTLING + matches
    while (
        len({entry["match"] for entry in map(_log_entry, log.read_bytes().splitlines()) if "match" in entry}) < matches
    ):
        if playing.poll() is not None or time.monotonic() > end:
            raise ProofError(f"not all play: {(log.parent / 'crowd.err').read_text()}")
        time.sleep(0.1)


def _heard_again(log: Path, playing: subprocess.Popen[bytes], since: float, place: int) -> float:
    """Return when the first choice was acknowledged at a seat that had lost its connection after ``since``.

    The log is read from ``place`` on, which may be in the middle of a line.
    """
    end = time.monotonic() + SETTLING
    while playing.poll() is None and time.monotonic() < end:
        with log.open("rb") as file:
            file.seek(place)
            lines = file.read()
        place += lines.rfind(b"\n") + 1
        for entry in map(_log_entry, lines.splitlines()):
            if entry.get("kind") == "acked" and (entry.get("lost") or 0) >= since:
                return float(entry["at"])
        time.sleep(0.02)
    raise ProofError(f"no choice was acknowledged after the kill; players: {(log.parent / 'crowd.err').read_text()}")


def _log_entry(line: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError):
        entry = json.loads(line)
        return entry if isinstance(entry, dict) else {}
    return {}


def _settled(system: System) -> dict[str, int]:
    """Wait until all that was finished is archived, and return what is left. Computers may play on."""
    end = time.monotonic() + BACKGROUND_SECONDS
    while True:
        left: dict[str, int] = call(BACKGROUND, {}, system.env)
        if left["not_archived"] == 0 or time.monotonic() > end:
            return left
        time.sleep(1)


def _broken(options: Options, plant: str, seen_as: str) -> bool:
    """Return whether a site with this fault is seen to lose or double."""
    smaller = Options(
        folder=options.room(plant), seed=options.seed, short=True, more={"kills": "2", "matches": "6", "pace_ms": "20"}
    )
    whole = f"ccg.server.proving.plants:{plant}"
    with running_system("embedded", smaller.folder, plant=whole) as system:
        done = tried(system, smaller, random.Random(options.seed), 1, 0, tamper=False)
    return bool(done["figures"][seen_as])
