"""A process beside ours that computes for it: it answers, ends with us, and is replaced when it ends before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccg.companion import NICE, Companion, CompanionError
from ccg.server.proving.processes import ROOT

LONG = 200
"""Seconds that whatever is not late may take on a busy machine."""

WORK = """
import os, time

began_with = os.nice(0)

def answer(question):
    if question == b"priority":
        return f"{began_with} {os.nice(0)}".encode()
    if question == b"who":
        return str(os.getpid()).encode()
    if question == b"late":
        time.sleep(600)
    if question == b"soon":
        time.sleep(2)
    if question == b"end":
        os._exit(3)
    print("printed by the work")
    return question * 2
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that a companion can import."""
    (tmp_path / "beside_us.py").write_text(WORK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")
    return "beside_us"


@pytest.fixture
def companion(work: str) -> Iterator[Companion]:
    companion = Companion(work, seconds=LONG)
    yield companion
    companion.close()


def test_it_answers_from_one_process_of_its_own(companion: Companion) -> None:
    who = companion.ask(b"who")
    assert int(who) != os.getpid()
    large = b"x" * 1_000_000
    assert companion.ask(large) == large * 2
    assert companion.ask(b"who") == who


def test_another_takes_the_place_of_one_that_was_killed(companion: Companion) -> None:
    who = int(companion.ask(b"who"))
    os.kill(who, signal.SIGKILL)
    assert int(companion.ask(b"who")) != who


def test_a_question_that_ends_it_is_told_and_the_next_one_answered(companion: Companion) -> None:
    with pytest.raises(CompanionError):
        companion.ask(b"end")
    assert companion.ask(b"again") == b"againagain"


def test_an_answer_that_takes_too_long_ends_it(work: str) -> None:
    companion = Companion(work, seconds=5)
    with pytest.raises(CompanionError):
        companion.ask(b"late")
    companion.close()


def test_it_ends_when_nobody_asks(work: str) -> None:
    companion = Companion(work, idle=0.2)
    who = int(companion.ask(b"who"))
    assert gone(who)
    assert int(companion.ask(b"who")) != who
    companion.close()


ASKING = """
import sys, time
from ccg.companion import Companion
companion = Companion(sys.argv[1])
print(companion.ask(b"who").decode(), flush=True)
time.sleep(60)
"""


def test_it_ends_when_whoever_asked_is_killed(work: str) -> None:
    with subprocess.Popen([sys.executable, "-c", ASKING, work], cwd=ROOT, stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        who = int(asking.stdout.readline())
        asking.kill()
    assert gone(who)


def test_it_says_nothing_when_whoever_asked_is_killed_before_the_answer(work: str, tmp_path: Path) -> None:
    said = tmp_path / "said"
    asking = ASKING.replace("time.sleep(60)", "companion.ask(b'soon')")
    with (
        said.open("wb") as file,
        subprocess.Popen(
            [sys.executable, "-c", asking, work], cwd=ROOT, stdout=subprocess.PIPE, stderr=file
        ) as process,
    ):
        assert process.stdout is not None
        who = int(process.stdout.readline())
        time.sleep(0.5)
        process.kill()
    assert gone(who)
    assert "Traceback" not in said.read_text()


LEAVING = """
import sys, threading, time
from ccg.companion import Companion
companion = Companion(sys.argv[1], seconds=600)
print(companion.ask(b"who").decode(), flush=True)
threading.Thread(target=companion.ask, args=(b"late",), daemon=True).start()
time.sleep(1)
"""


def test_who_asked_can_end_while_it_does_not_answer(work: str) -> None:
    """A server that is told to stop would wait until the answer is overdue, and then for another companion's."""
    with subprocess.Popen([sys.executable, "-c", LEAVING, work], cwd=ROOT, stdout=subprocess.PIPE) as asking:
        assert asking.stdout is not None
        who = int(asking.stdout.readline())
        try:
            asking.wait(LONG)  # the answer takes ten minutes
        finally:
            asking.kill()
    assert gone(who)


def gone(pid: int) -> bool:
    """Return whether a process ends, waiting for it; one that nobody has waited for counts as ended."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_it_gives_way_to_others_as_it_computes_and_not_as_it_starts(companion: Companion) -> None:
    """Else it may never have started before the answer is late, where there is much to do."""
    ours = os.nice(0)
    assert companion.ask(b"priority") == f"{ours} {min(ours + NICE, 19)}".encode()
