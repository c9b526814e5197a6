"""Threads of a server share the pools of memory that they take from and give back to."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ccg.server.allocator import POOLS

BUSY = """
import ctypes, sys, threading
from ccg.server.allocator import share_pools
if "share" in sys.argv and not share_pools():
    sys.exit("not glibc")
together = threading.Barrier(8)
def work():
    together.wait()
    kept = [bytes(5_000) for _ in range(200)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.CDLL(None).malloc_stats()
"""


def pools(*arguments: str) -> int:
    done = subprocess.run([sys.executable, "-c", BUSY, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this C library has no such pools")
    return done.stderr.count("Arena ")


def test_threads_share_two_pools() -> None:
    assert pools("share") <= POOLS < pools()
