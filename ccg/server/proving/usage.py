"""What processes use: processor time, memory, files (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def processor_seconds(pids: Iterable[int]) -> float:
    """Return what these processes and all their children have used, also those that have ended."""
    return sum(stat[1] for pid in families(pids) if (stat := _stat(pid)) is not None) / TICKS


def memory_bytes(pids: Iterable[int]) -> int:
    """Return what these processes have in memory, without their children."""
    return sum(_resident_pages(pid) for pid in pids) * PAGE_BYTES


def open_files(pids: Iterable[int]) -> int:
    """Return how many files and sockets these processes have open, without their children."""
    return sum(_descriptors(pid) for pid in pids)


def families(pids: Iterable[int]) -> set[int]:
    """Return these processes and all that came from them."""
    parents = {pid: stat[0] for pid in _all_pids() if (stat := _stat(pid)) is not None}
    ours = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return ours


def _resident_pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0


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
