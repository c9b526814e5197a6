"""What the processes of a system use (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .systems import System

TICKS = os.sysconf("SC_CLK_TCK")


def processes(system: System) -> dict[str, list[int]]:
    """Return the processes of a system, by what they are."""
    groups = {
        "web": [site.pid for site in system.sites],
        "worker": [worker.pid for worker in system.workers],
        "postgresql": [system.database.pid if system.database else None],
        "redis": [system.redis.pid if system.redis else None],
    }
    return {name: running for name, pids in groups.items() if (running := [pid for pid in pids if pid is not None])}


def processor_seconds(pids: Iterable[int]) -> float:
    """Return what these processes and all their children have used, also those that have ended."""
    return sum(stat[1] for pid in families(pids) if (stat := _stat(pid)) is not None) / TICKS


def memory_bytes(pids: Iterable[int]) -> int:
    """Return what these processes and all their children have in memory; what several share counts once."""
    return sum(_proportional_bytes(pid) for pid in families(pids))


def open_files(pids: Iterable[int]) -> int:
    """Return how many files and sockets these processes and all their children have open."""
    return sum(_descriptors(pid) for pid in families(pids))


def families(pids: Iterable[int]) -> set[int]:
    """Return these processes and all that came from them."""
    parents = {pid: stat[0] for pid in _all_pids() if (stat := _stat(pid)) is not None}
    ours = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return ours


def _proportional_bytes(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))


def _descriptors(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def _all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _stat(pid: int) -> tuple[int, int] | None:
    """Return parent and ticks of a process, None if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    return int(fields[1]), sum(int(field) for field in fields[11:15])
