"""Work in a child process: bounded in time and memory, and what it answered before its end is kept."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from cards_data import isolated
from cards_data.isolated import Done
from ccg.rules.decoding import Decoder


class Request(Struct):
    """What this module, as a task of the child, is to do."""

    do: str
    folder: str = ""


class Answer(Struct):
    number: int


def work(request: Request) -> Iterator[Answer]:
    """Answer 1, then do something that a child should not survive, then answer 2. Runs in the child."""
    yield Answer(1)
    match request.do:
        case "spin":
            while True:
                pass
        case "sleep":
            time.sleep(60)
        case "eat":
            kept = []
            while True:
                kept.append(bytearray(50_000_000))
        case "fail":
            raise KeyError("no such thing")
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "leave":
            os._exit(7)
        case "look":
            assert "DJANGO_SETTINGS_MODULE" not in os.environ
            assert "SECRET_KEY" not in os.environ
    yield Answer(2)


@pytest.fixture(autouse=True)
def _this_module_is_a_task(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the child import this module."""
    starter = tmp_path / "starter.py"
    tests = Path(__file__).resolve().parents[2]
    starter.write_text(
        f"import sys\nsys.path[:0] = [{str(tests)!r}]\nfrom cards_data import isolated\n"
        "sys.exit(isolated.main(sys.argv[-3], *map(int, sys.argv[-2:])))\n"
    )
    real = isolated.subprocess.Popen

    def start(command: list[str], **options: object) -> object:
        return real([command[0], str(starter), *command[-3:]], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(isolated.subprocess, "Popen", start)
    monkeypatch.setenv("SECRET_KEY", "nobody's business")


def done(what: str, seconds: float = 30) -> Done:
    return isolated.run(__name__, Request(what), Decoder(Answer), seconds)


def test_answers_come_back_one_by_one() -> None:
    assert done("nothing") == Done([Answer(1), Answer(2)], "")
    assert done("look") == Done([Answer(1), Answer(2)], "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "seconds", "says"),
    [
        ("spin", 4, "it was not done after 4 seconds"),
        ("sleep", 1, "it was not done after 1 seconds"),
        ("eat", 20, "it needs more memory than it may have"),
        ("fail", 20, "our program failed on it (KeyError: 'no such thing')"),
        ("crash", 20, "it brought the program down (signal 11)"),
        ("leave", 20, "the program ended with 7"),
    ],
)
def test_a_child_that_must_be_stopped(what: str, seconds: float, says: str) -> None:
    stopped = done(what, seconds)
    assert stopped.stopped == says
    assert stopped.answers in ([Answer(1)], [])
    if what != "sleep":
        assert stopped.answers == [Answer(1)]
