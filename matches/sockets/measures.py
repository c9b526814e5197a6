"""What this process counts of its tables, for Prometheus: numbers only, never who plays or what.

Each process counts for itself and from its start on; whoever collects the figures adds them up. For a choice that takes
about five microseconds (docs/operating.md, where it was measured).
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

disable_created_metrics()  # when each figure began is that of the process, told once

REGISTRY = CollectorRegistry()
"""Ours alone: libraries that count for themselves do so in the registry of prometheus_client."""

BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds in seconds; 0.1 and 0.15 are those that docs/operating.md promises for 99 of 100 choices."""

_moves = Counter("fleet_moves", "Moves of people that were stored, by their kind.", ["kind"], registry=REGISTRY)
_refusals = Counter("fleet_refusals", "Messages to clients that something is refused.", ["code"], registry=REGISTRY)
_seconds = Histogram(
    "fleet_move_seconds",
    "Time from a move's frame until its answer, accepted or refused.",
    buckets=BUCKETS,
    registry=REGISTRY,
)
_kinds = {kind: _moves.labels(kind) for kind in ("choose", "back", "concede")}
_codes: dict[str, Counter] = {}


def moved(kind: str, seconds: float) -> None:
    """Count a move that was stored, and the time that its answer took."""
    counter = _kinds.get(kind)
    if counter is None:
        counter = _kinds[kind] = _moves.labels(kind)
    counter.inc()
    _seconds.observe(seconds)


def move_refused(seconds: float) -> None:
    """Count the time that the answer to a move took which was not stored; :func:`refused` counts its code."""
    _seconds.observe(seconds)


def refused(code: str) -> None:
    """Count a refusal. ``code`` is one of the protocol's, so there are few."""
    counter = _codes.get(code)
    if counter is None:
        counter = _codes[code] = _refusals.labels(code)
    counter.inc()
