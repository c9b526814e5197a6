"""A process beside ours that computes for it.

Threads of one process take turns, so work of a tenth of a second beside running tables delays every one of them. A
companion does such work on another processor and with a lower priority. It is Django with the same settings, is
started when it is first asked, and ends by itself when it is not asked for a while, or when our process is gone,
however that ended.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Lock, Timer
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
NICE = 10
IDLE_SECONDS = 60
ANSWER_SECONDS = 50
"""A question is put to two companions at most, within the lease of a row of the outbox (two minutes)."""
LOOKED_SECONDS = 0.05
LENGTH = struct.Struct("!I")


class CompanionError(Exception):
    """A companion ended before it had answered; what it wrote about that is in the log of our process."""


class Companion:
    """The companion that answers with the function ``answer(question: bytes) -> bytes`` of ``module``.

    ``seconds`` is how long an answer may take by the clock. Threads that ask at the same time wait for each other.
    """

    def __init__(self, module: str, seconds: float = ANSWER_SECONDS, idle: float = IDLE_SECONDS) -> None:
        self._command = [sys.executable, "-m", "ccg.companion", module, str(idle)]
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._closed = False

    def ask(self, question: bytes) -> bytes:
        """Return the answer to ``question``; raises :class:`CompanionError`."""
        with self._lock:
            answer = self._asked(self._process, question) if self._process is not None else None
            # One that has just ended, as nobody had asked for a while, says nothing about this question.
            if answer is None and not self._closed:
                answer = self._asked(self._started(), question)
        if answer is None:
            raise CompanionError("the process that computes beside the server has ended without an answer")
        return answer

    def close(self) -> None:
        """End it for good, if it runs: whoever waits for an answer waits no longer."""
        self._closed = True
        while not self._lock.acquire(timeout=LOOKED_SECONDS):
            process = self._process
            if process is not None:
                process.kill()
        try:
            self._end()
        finally:
            self._lock.release()

    def _started(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)  # noqa: S603 - our own program
        atexit.register(self.close)
        return self._process

    def _asked(self, process: subprocess.Popen[bytes], question: bytes) -> bytes | None:
        assert process.stdin is not None
        assert process.stdout is not None
        overdue = Timer(self._seconds, process.kill)
        overdue.daemon = True  # our process can end without it
        overdue.start()
        try:
            write(process.stdin, question)
            answer = read(process.stdout)
        except OSError:
            answer = None
        finally:
            overdue.cancel()
        if answer is None:
            self._end()
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
            atexit.unregister(self.close)


def write(stream: IO[bytes], message: bytes) -> None:
    """Write a message with its length before it."""
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()


def read(stream: IO[bytes]) -> bytes | None:
    """Return the next message, None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size: int = LENGTH.unpack(head)[0]
    message = stream.read(size)
    return message if len(message) == size else None


# -- in the companion


def main(module: str, idle: float) -> None:
    """Answer until nobody has asked for ``idle`` seconds, or until whoever asks is gone."""
    import django
    from django.db import close_old_connections

    # Who has asked may be gone before the answer: nothing is to be said about that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Whoever stops our process from a terminal stops it alone; this one ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever prints must not come among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    django.setup()
    answer: Callable[[bytes], bytes] = import_module(module).answer
    # Not before: on a machine with much to do a start that gives way to all takes longer than an answer may.
    os.nice(NICE)
    questions = sys.stdin.buffer
    while select.select([questions], [], [], idle)[0]:
        question = read(questions)
        if question is None:
            break
        close_old_connections()
        write(answers, answer(question))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
