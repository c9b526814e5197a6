"""A process that has just started, and whose threads all need the same at once: a server with waiting matches."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from ccg.rules.authoring.card_files import SETS, read_sets, set_folders
from tests.running import ROOT

TOGETHER = """
import os, sys, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "ccg.server.settings"
import django
django.setup()
import ccg.server.asgi
{prepare}
content, together, done = sys.stdin.buffer.read(), threading.Barrier(8), []
sys.setswitchinterval(1e-6)
def work():
    together.wait()
    {work}
    done.append(1)
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(done))
"""


def done_together(prepare: str, work: str, content: bytes) -> str:
    """What eight threads of a new process say that do ``work`` at the same time: 8, if all did it."""
    program = TOGETHER.format(prepare=prepare, work=work)
    ended = subprocess.run([sys.executable, "-c", program], input=content, cwd=ROOT, capture_output=True, check=False)
    return ended.stdout.decode().strip() or f"ended with {ended.returncode}"


def sets() -> bytes:
    return msgspec.json.encode(read_sets(set_folders(SETS)))


READING = {
    "card data": ("from cards_data import catalog", "catalog.decode(1, content)", sets),
    "changes": (
        "from cards_data.changes import CHANGES",
        "CHANGES.from_plain({'changed': [{'card': 'X', 'name': 'X', 'fields': []}]})",
        bytes,
    ),
}


@pytest.mark.parametrize("what", READING)
def test_many_threads_read_it_first(what: str) -> None:
    prepare, work, content = READING[what]
    assert done_together(prepare, work, content()) == "8"
