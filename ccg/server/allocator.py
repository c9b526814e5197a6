"""The allocator of a server process: its threads share what they have given back.

glibc gives each thread a pool of its own, up to eight for each processor, and keeps what was freed there for that
thread alone. After a flood of long requests all eight threads hold on to what the longest of them took.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

POOLS = 2
_M_ARENA_MAX = -8
"""As in glibc's malloc.h."""


def share_pools() -> bool:
    """Make all threads that start from now on share :data:`POOLS` pools; return whether the C library supports that."""
    with suppress(OSError, AttributeError, TypeError):
        return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, POOLS))
    return False
