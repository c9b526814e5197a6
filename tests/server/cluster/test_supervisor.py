"""Programs that are watched: small ones of the system in the place of servers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ccg.server.cluster import supervisor as supervisor_module
from ccg.server.cluster.supervisor import NotStarted, Program, Supervisor, Watched
from tests.running import ROOT


def sleeper(folder: Path, name: str = "sleeper", script: str = "exec sleep 60") -> Program:
    """A program of the shell that runs until it is stopped."""
    return Program(name=name, command=["/bin/sh", "-c", script], env={}, folder=folder, log=folder / f"{name}.log")


def soon(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether this becomes true while anybody would wait for it."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def looked_alive(watched: Watched) -> bool:
    watched.look()
    return watched.alive


def runs(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_program_that_was_killed_is_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    watched = Watched(sleeper(tmp_path), said.append)
    watched.start()
    first = watched.pid
    os.kill(first, signal.SIGKILL)
    assert soon(lambda: not watched.alive)
    watched.look()
    assert soon(lambda: looked_alive(watched))
    assert watched.pid != first
    assert "sleeper ended with signal 9, and is started again" in said
    second = watched.pid
    watched.end(0)
    assert not runs(second)


def test_one_that_hangs_is_killed_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is stopped has not ended, and answers nobody."""
    monkeypatch.setattr(supervisor_module, "ASK_SECONDS", 0)
    pulse = tmp_path / "pulse"
    script = f"while :; do echo x >>{pulse}; sleep 0.02; done"

    def answers() -> bool:
        before = pulse.stat().st_size if pulse.exists() else 0
        return soon(lambda: pulse.exists() and pulse.stat().st_size > before, seconds=0.5)

    said: list[str] = []
    watched = Watched(structs.replace(sleeper(tmp_path, script=script), answers=answers), said.append)
    watched.start()
    first = watched.pid
    assert soon(answers)
    for _ in range(supervisor_module.MOST_UNANSWERED + 1):
        watched.look()
    assert watched.pid == first, "it answers"
    os.kill(first, signal.SIGSTOP)
    for _ in range(supervisor_module.MOST_UNANSWERED - 1):
        watched.look()
    assert watched.pid == first, "it may only be slow"
    watched.look()
    assert soon(lambda: looked_alive(watched)) and watched.pid != first and not runs(first)
    assert "sleeper does not answer any more, and is killed" in said
    watched.end(0)


def test_one_that_has_not_answered_yet_has_its_time_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "ASK_SECONDS", 0)
    watched = Watched(structs.replace(sleeper(tmp_path), answers=lambda: False), print)
    watched.start()
    first = watched.pid
    for _ in range(2 * supervisor_module.MOST_UNANSWERED):
        watched.look()
    assert watched.pid == first and runs(first)
    watched.end(0)


def test_one_that_fails_at_once_each_time_is_started_after_ever_longer_pauses(tmp_path: Path) -> None:
    """Else a broken configuration would keep a core busy with starting it."""
    said: list[str] = []
    watched = Watched(sleeper(tmp_path, script="exit 3"), said.append)
    watched.start()
    assert soon(lambda: not watched.alive)
    watched.look()
    watched.look()
    assert watched.pid == 0
    assert said[-1] == "sleeper ended with code 3, and is started again"


def test_one_that_the_system_cannot_start_now_is_tried_again(tmp_path: Path) -> None:
    """A disk that is full, or memory that is, would otherwise end all the others with it."""
    said: list[str] = []
    (tmp_path / "logs").mkdir()
    program = structs.replace(sleeper(tmp_path), log=tmp_path / "logs" / "sleeper.log")
    watched = Watched(program, said.append)
    watched.start()
    os.kill(watched.pid, signal.SIGKILL)
    assert soon(lambda: not watched.alive)
    (tmp_path / "logs").rename(tmp_path / "away")
    watched.look()
    assert soon(lambda: watched.look() is None and len(said) > 2)
    assert said[-1] == "sleeper cannot be started now, which is tried again: No such file or directory"
    (tmp_path / "away").rename(tmp_path / "logs")
    assert soon(lambda: looked_alive(watched))
    watched.end(0)


def test_what_a_killed_program_has_started_ends_with_it(tmp_path: Path) -> None:
    """A worker leaves the processes behind in which it works."""
    watched = Watched(sleeper(tmp_path, script="sleep 60 & echo $!; wait"), print)
    watched.start()
    assert soon(lambda: watched.program.log.read_text().strip().isdigit())
    child = int(watched.program.log.read_text())
    os.kill(watched.pid, signal.SIGKILL)
    assert soon(lambda: not watched.alive)
    assert runs(child)
    watched.look()
    assert soon(lambda: not runs(child))
    watched.end(0)


def test_one_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    broken = sleeper(tmp_path, script="echo the port is taken; exit 1")
    never = Program(**{name: getattr(broken, name) for name in broken.__struct_fields__} | {"ready": lambda: False})
    supervisor = Supervisor(print)
    with pytest.raises(NotStarted, match=r"(?s)sleeper did not start.*the port is taken"):
        supervisor.start([never])
    supervisor.stop()


def test_programs_stop_in_their_order(tmp_path: Path) -> None:
    """Those that use the database stop before it."""
    script = f'trap "echo {{}} >>{tmp_path}/order; exit" TERM; echo ready; while :; do sleep 0.05; done'
    programs = [sleeper(tmp_path, name, script.format(name)) for name in ("database", "web", "proxy")]
    supervisor = Supervisor(print)
    supervisor.start(programs)
    for program in programs:
        assert soon(lambda log=program.log: log.read_text() == "ready\n")
    supervisor.stop([["proxy"], ["web"]])
    assert (tmp_path / "order").read_text().split() == ["proxy", "web", "database"]


def test_nothing_is_left_of_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    """The system stops the programs of a supervisor that could not."""
    script = f"""
        import pathlib, time
        from ccg.server.cluster.supervisor import Program, Supervisor
        folder = pathlib.Path({str(tmp_path)!r})
        one = Program(name="one", command=["/bin/sleep", "60"], env={{}}, folder=folder, log=folder / "one.log")
        Supervisor(lambda said: print(said.split()[-1], flush=True)).start([one])
        time.sleep(60)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        child = int(supervisor.stdout.readline())
        assert runs(child)
        supervisor.kill()
    assert soon(lambda: not runs(child))
