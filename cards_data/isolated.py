"""Work on what strangers wrote, done in a process of its own with little time and memory.

A child can be stopped whatever it does, and takes nothing with it: an ability that never ends, a file that
fills the memory or a fault in a library's C code cost an error message, not a server. Its work is a module
with ``Request`` (a Struct) and ``work(request)``, which yields Structs: it is given a request and gives answers, a
line of JSON each, so that what was done before it was stopped is not lost. It runs without Django and with a lower
priority than the tables.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[1]

MEGABYTES = 700
NICE, NICEST = 5, 19
"""How far it stands back: for work that somebody waits for, and for work that may take as long as it takes."""
PATIENCE = 3
NO_MEMORY, FAILED = 3, 4
A = TypeVar("A", bound=Struct)


class Done(Struct):
    """What a child did: its ``answers``, and why it ended before its end ("" if it did not)."""

    answers: list[Any]
    stopped: str = ""


def run(module: str, request: Struct, answer: Decoder[A], seconds: float, nice: int = NICE) -> Done:
    """Run the work of ``module`` in a child process with at most ``seconds`` of processor time.

    Its answers are decoded with ``answer``. It is killed after :data:`PATIENCE` times ``seconds`` by the clock, which
    leaves room for a busy machine.
    """
    with TemporaryFile() as request_file, TemporaryFile() as answer_file, TemporaryFile() as error_file:
        request_file.write(msgspec.json.encode(request))
        request_file.seek(0)
        child = subprocess.Popen(  # noqa: S603 - our own program; nothing of the request is in its arguments
            [sys.executable, "-m", "cards_data.isolated", module, str(max(1, round(seconds))), str(nice)],
            stdin=request_file, stdout=answer_file, stderr=error_file, cwd=ROOT,
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
        )  # fmt: skip
        try:
            stopped = _why(child.wait(PATIENCE * seconds), error_file, seconds)
        except subprocess.TimeoutExpired:
            stopped = _too_long(seconds)
        finally:
            child.kill()
            child.wait()
        answer_file.seek(0)
        # Of a child that was stopped the last line may be half a line.
        lines = answer_file.read().split(b"\n")[:-1]
    return Done([answer.from_json(line) for line in lines], stopped)


def _too_long(seconds: float) -> str:
    return f"it was not done after {seconds:.0f} seconds"


def _why(code: int, errors: Any, seconds: float) -> str:
    if code == 0:
        return ""
    if code == -signal.SIGXCPU:
        return _too_long(seconds)
    if code == NO_MEMORY:
        return "it needs more memory than it may have"
    errors.seek(0)
    output = errors.read()[-4000:].decode(errors="replace").strip()
    log.error("isolated work ended with %s: %s", code, output)
    if code == FAILED:
        return f"our program failed on it ({output.splitlines()[-1][:200] if output else 'no reason given'})"
    return f"it brought the program down (signal {-code})" if code < 0 else f"the program ended with {code}"


# --- in the child -------------------------------------------------------------------------------------


def _limit(seconds: int, nice: int) -> None:
    """Take away what the work does not need; systems without such limits are still bound by the clock."""
    os.nice(nice)
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEGABYTES * 2**20)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main(name: str, seconds: int, nice: int) -> int:
    """Do the work of the module ``name`` for the request on standard input and write the answers to standard output."""
    _limit(seconds, nice)
    module = import_module(name)
    work: Callable[[Any], Iterator[Struct]] = module.work
    try:
        request = Decoder(module.Request, read_special).from_json(sys.stdin.buffer.read())
        for answer in work(request):
            sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
            sys.stdout.buffer.flush()
    except MemoryError:
        return NO_MEMORY
    except Exception:
        logging.getLogger(__name__).exception("failed")
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
