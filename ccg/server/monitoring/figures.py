"""Figures of this process and of the site, as Prometheus reads them; who may read them."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.db.models import Count
from django.http import HttpRequest
from msgspec import Struct
from prometheus_client import PlatformCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest

from ccg import native
from ccg.rules.saving import ENGINE_VERSION
from ccg.server.garbage import pauses
from matches.models import Match
from matches.pairing.queues import QUEUES
from matches.pairing.services import count_waiting
from matches.sockets.heartbeat import heartbeat
from matches.sockets.measures import REGISTRY

from .backlog import Backlog, backlog
from .version import commit

KEPT_SECONDS = 10.0
"""How long what was read from the database holds: all processes are asked, and all read the same."""


class Stored(Struct, frozen=True):
    """What the database says."""

    matches: dict[str, int]
    queues: dict[str, int]
    """How many people wait for an opponent, by queue."""
    backlog: Backlog


class SiteCollector:
    """Figures that are read when they are asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._stored: Stored | None = None

    def collect(self) -> Iterator[Metric]:
        """Give the figures, without those of the database while it is away."""
        yield _of_process()
        yield _sockets()
        yield _pauses()
        stored = self._read()
        up = GaugeMetricFamily("fleet_database_up", "1 if the database answered this process just now.")
        up.add_metric([], float(stored is not None))
        yield up
        if stored is not None:
            yield from _stored(stored)

    def _read(self) -> Stored | None:
        with self._lock:
            if time.monotonic() >= self._until:
                try:
                    counted = Match.objects.values_list("state").annotate(Count("pk")).order_by()
                    queues = {queue: count_waiting(queue) for queue in QUEUES}
                    self._stored = Stored(dict(counted), queues, backlog())
                except (DatabaseError, InterfaceError):
                    self._stored = None
                self._until = time.monotonic() + KEPT_SECONDS
            return self._stored


def _of_process() -> Metric:
    labels = {"commit": commit(), "rules": str(ENGINE_VERSION), "engine": native.running()}
    info = GaugeMetricFamily("fleet_build_info", "Always 1; its labels say what runs.", labels=list(labels))
    info.add_metric(list(labels.values()), 1.0)
    return info


def _sockets() -> Metric:
    players, lookers_on = heartbeat.counts()
    family = GaugeMetricFamily("fleet_sockets", "Open sockets of tables at this process.", labels=["who"])
    family.add_metric(["players"], players)
    family.add_metric(["lookers_on"], lookers_on)
    return family


def _pauses() -> Metric:
    buckets, total = pauses.cumulative()
    return HistogramMetricFamily(
        "fleet_gc_pause_seconds",
        "Processor time of full garbage collections, in which all threads of this process stand still.",
        buckets=[(bound, float(count)) for bound, count in buckets],
        sum_value=total,
    )


def _stored(stored: Stored) -> Iterator[Metric]:
    family = GaugeMetricFamily("fleet_matches", "Matches of the site, by state.", labels=["state"])
    for state in Match.State.values:
        family.add_metric([state], stored.matches.get(state, 0))
    yield family
    family = GaugeMetricFamily("fleet_queue_waiting", "People who wait for an opponent, by queue.", labels=["queue"])
    for queue, count in stored.queues.items():
        family.add_metric([queue], count)
    yield family
    for name, told, value in (
        ("fleet_outbox_waiting", "Pieces of background work that wait or are in work.", stored.backlog.waiting),
        ("fleet_outbox_failed", "Pieces of background work that were given up.", stored.backlog.failed),
        ("fleet_outbox_lag_seconds", "Since when the oldest of them is due.", stored.backlog.lag),
    ):
        gauge = GaugeMetricFamily(name, told)
        gauge.add_metric([], value)
        yield gauge


REGISTRY.register(SiteCollector())
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)


def written() -> bytes:
    """Return all figures in Prometheus' text format."""
    return generate_latest(REGISTRY)


def may_read(request: HttpRequest) -> bool:
    """Return whether whoever asks may read figures.

    That is who sends ``METRICS_TOKEN``, or asks this process itself from one of ``METRICS_NETWORKS``. What came through
    a proxy did not: a proxy on this machine that nobody told us of would make a neighbour of everybody.
    """
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and kind.lower() == "bearer":
        return secrets.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    plain = getattr(address, "ipv4_mapped", None) or address
    return any(plain in network for network in settings.METRICS_NETWORKS)
