"""Who counts as one visitor, and how often they have asked for something lately, counted for all processes together.

Counts are in the cache. Where that is away each process goes on counting for itself: a visitor can then do a little
more, and nobody is kept out.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address

from django.core.cache import cache

log = logging.getLogger(__name__)

REMEMBERED = 20_000
"""Counts that a process keeps by itself; beyond that the oldest is forgotten."""

_counts: OrderedDict[str, tuple[int, float]] = OrderedDict()


def group_of(address: str) -> str:
    """Return what limits count as one visitor: an address, or the /64 of IPv6 that one household has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
    return address


def counted(what: str, visitor: str, most: int, seconds: int) -> bool:
    """Count one more ``what`` of ``visitor``; return whether there were at most ``most`` in so many seconds."""
    key = f"count:{what}:{visitor}"
    try:
        cache.add(key, 0, timeout=seconds)
        return int(cache.incr(key)) <= most
    except ValueError:
        return True  # the time ended between the two lines
    except Exception as error:
        # Whatever the cache's client raises when its server is away.
        log.info("counting %s here alone: %s", what, error)
        return _counted_here(key, most, seconds)


def _counted_here(key: str, most: int, seconds: int) -> bool:
    count, ends = _counts.pop(key, (0, 0.0))
    now = time.monotonic()
    _counts[key] = (count + 1, ends) if now < ends else (1, now + seconds)
    while len(_counts) > REMEMBERED:
        _counts.popitem(last=False)
    return _counts[key][0] <= most
