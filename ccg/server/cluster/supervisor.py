"""Programs started together, watched, started again when they end, and stopped together."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

READY_SECONDS = 60.0
LOOK_SECONDS = 0.2
STOP_SECONDS = 10.0
LONG_LIFE = 10.0
"""Seconds after which a program that ends counts as having worked: it is started again at once."""
LONGEST_PAUSE = 30.0
ASK_SECONDS = 5.0
"""How often a program that runs is asked whether it still answers."""
MOST_UNANSWERED = 6
"""After so many questions in a row without an answer it counts as hung."""
LOG_BYTES = 10_000_000
TOLD_LINES = 12
PR_SET_PDEATHSIG = 1

Say = Callable[[str], None]


class NotStarted(Exception):
    """A program ended, or did not become ready, while it was started."""


class Program(Struct, frozen=True):
    """What to run, and how to tell that it works and that it shall end."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str]
    folder: Path
    log: Path
    ready: Callable[[], bool] | None = None
    answers: Callable[[], bool] | None = None
    """Asked while it runs; one that has answered, and then does not for long, is killed and started again."""
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    says: bytes = b""
    """What it reads on standard input."""


class Watched:
    """One program and its present process."""

    def __init__(self, program: Program, say: Say) -> None:
        self.program = program
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._pause = 0.0
        self._due = 0.0
        self._asked = 0.0
        self._unanswered: int | None = None
        """Questions since its last answer; None before the first one."""

    @property
    def pid(self) -> int:
        """The number of its process, 0 while there is none."""
        return self._process.pid if self._process is not None else 0

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start a process of it; what it writes is added to its log."""
        program = self.program
        if program.log.exists() and program.log.stat().st_size > LOG_BYTES:
            program.log.replace(program.log.with_suffix(".log.1"))
        with program.log.open("ab") as log:
            self._process = subprocess.Popen(
                program.command,
                cwd=program.folder,
                env=dict(program.env),
                user=program.user,
                stdin=subprocess.PIPE if program.says else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for us: we stop them in their order
                preexec_fn=_end_with_parent(program.stop_signal),  # noqa: PLW1509 - no threads have been started here
            )
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(program.says)
            self._process.stdin.close()
        self._began = self._asked = time.monotonic()
        self._unanswered = None
        self._say(f"{program.name} started, process {self._process.pid}")

    def wait_until_ready(self, stopping: Callable[[], bool]) -> None:
        """Wait until it works, or until ``stopping()``. Raises NotStarted, with what it wrote last."""
        end = time.monotonic() + READY_SECONDS
        ready = self.program.ready
        while ready is not None and not stopping() and not ready():
            if not self.alive or time.monotonic() > end:
                raise NotStarted(f"{self.program.name} did not start. {self.last_words()}")
            time.sleep(0.05)

    def look(self) -> None:
        """Start it again if it has ended, or hangs: at once after a long life, else after ever longer pauses."""
        self._ask()
        if self._process is not None and not self.alive:
            code = self._process.returncode
            self._sweep()
            self._pause_after(time.monotonic() - self._began)
            how = f"signal {-code}" if code < 0 else f"code {code}"
            self._say(f"{self.program.name} ended with {how}, and is started again")
        if self._process is None and time.monotonic() >= self._due:
            self._start_again()

    def _start_again(self) -> None:
        """Start it; where the system cannot do so now (no memory, no room for its log), that is tried again."""
        try:
            self.start()
        except OSError as error:
            self._pause_after(0)
            self._say(f"{self.program.name} cannot be started now, which is tried again: {error.strerror}")

    def _pause_after(self, lived: float) -> None:
        self._pause = 0.0 if lived > LONG_LIFE else min(LONGEST_PAUSE, 2 * self._pause + 0.5)
        self._due = time.monotonic() + self._pause

    def _ask(self) -> None:
        """Kill it if it has not answered for long: it may be stopped, or wait for something for ever.

        Answers are counted and not seconds, so that one of ours in which nobody was asked kills nothing.
        """
        answers = self.program.answers
        if answers is None or not self.alive or time.monotonic() < self._asked + ASK_SECONDS:
            return
        self._asked = time.monotonic()
        if answers():
            self._unanswered = 0
        elif self._unanswered is not None:
            self._unanswered += 1
            if self._unanswered >= MOST_UNANSWERED and self._process is not None:
                self._say(f"{self.program.name} does not answer any more, and is killed")
                self._process.kill()
                self._process.wait()

    def ask_to_end(self) -> None:
        """Tell it to stop."""
        if self._process is not None and self.alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(self.program.stop_signal)

    def end(self, seconds: float) -> int:
        """Wait so long for it to stop, then insist; nothing that it started is left. Return its exit code."""
        if self._process is None:
            return 0
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
            self._say(f"{self.program.name} did not stop in time and was killed")
        self._sweep()
        return code

    def last_words(self) -> str:
        """Return the last lines of its log."""
        lines = self.program.log.read_text(errors="replace").splitlines() if self.program.log.exists() else []
        return "\n".join([f"The last lines of {self.program.log}:", *lines[-TOLD_LINES:]])

    def _sweep(self) -> None:
        """Kill what is left of its process group, itself included, and forget it."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


class Supervisor:
    """Programs in the order in which they need each other."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._watched: list[Watched] = []
        self._stopping = False
        self._insisted = False

    @property
    def stopping(self) -> bool:
        """Whether it has been told to stop."""
        return self._stopping

    def stop_on_signals(self) -> None:
        """Let SIGINT and SIGTERM stop everything; told a second time, it waits for nobody."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self._told())

    def _told(self) -> None:
        self._insisted = self._stopping
        self._stopping = True

    def start(self, programs: Sequence[Program]) -> None:
        """Start these, and come back when all of them work. Raises NotStarted."""
        new = [Watched(program, self._say) for program in programs]
        for watched in new:
            if not self._stopping:
                self._watched.append(watched)
                watched.start()
        for watched in new:
            watched.wait_until_ready(lambda: self._stopping)

    def run_through(self, program: Program) -> None:
        """Run a program that ends by itself; ended early if told to stop. Raises NotStarted if it fails."""
        watched = Watched(program, self._say)
        watched.start()
        while watched.alive and not self._stopping:
            time.sleep(0.05)
        watched.ask_to_end()
        code = watched.end(STOP_SECONDS)
        if code and not self._stopping:
            raise NotStarted(f"{program.name} failed. {watched.last_words()}")

    def watch(self) -> None:
        """Start again what ends, until told to stop."""
        while not self._stopping:
            for watched in self._watched:
                watched.look()
            time.sleep(LOOK_SECONDS)

    def stop(self, tiers: Sequence[Sequence[str]] = ()) -> None:
        """Stop all: the programs of the first of ``tiers`` first, in the end whatever none of them names."""
        self._stopping = True
        named = {name for tier in tiers for name in tier}
        rest = [watched.program.name for watched in self._watched if watched.program.name not in named]
        for tier in [*tiers, rest]:
            members = [watched for watched in self._watched if watched.program.name in tier]
            for watched in members:
                watched.ask_to_end()
            end = time.monotonic() + STOP_SECONDS
            for watched in members:
                while watched.alive and not self._insisted and time.monotonic() < end:
                    time.sleep(0.05)
                watched.end(0)


def _end_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """Return what a child does before it becomes its program: ask the system to stop it when we end, however we do."""
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(stop_signal))
        if os.getppid() != parent:
            os._exit(1)

    return ask
