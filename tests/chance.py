"""The same chance in each run, so that whether a test passes is not for the cards to say.

Tests with a database have it by themselves, and servers of ours that are started with ``plant=`` :data:`IN_SERVERS`.
What they draw follows from the name of the test and from how much has been drawn in it before.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import os
import random
import tempfile
from pathlib import Path
from types import SimpleNamespace

IN_SERVERS = "tests.chance:alike"
"""The function that replaces chance in a server's process, as :class:`~tests.running.Site` takes it."""

NOTED = "TESTS_CHANCE"
"""The variable that names the file in which the test and what has been drawn are noted, for all processes."""

WORDS = """
  const really = crypto.getRandomValues.bind(crypto);
  const words = (asked) => asked instanceof Uint8Array && asked.length === 24;
  crypto.getRandomValues = (asked) => (words(asked) ? asked.fill(7) : really(asked));
"""
"""A browser's words for a shuffle, which are made of 24 random bytes, the same at each time (``site/words.ts``)."""


@functools.cache
def _file() -> Path:
    """The file of this process, whose name those that it starts find in their environment; a run of tests that is
    started by a test has one of its own."""
    _, os.environ[NOTED] = tempfile.mkstemp(prefix="tests-chance-")
    return Path(os.environ[NOTED])


def begin(test: str) -> None:
    """Note that from now on chance goes by the name of this test."""
    _file().write_text(f"{test}\n", encoding="utf-8")


def forget() -> None:
    """Remove the file."""
    _file().unlink(missing_ok=True)


def drawn() -> bytes:
    """Return the next 32 bytes of the test that runs, in whichever process: never the same twice."""
    noted = Path(os.environ[NOTED])
    with noted.open("ab", buffering=0) as file:
        file.write(b".")
        end = file.tell()
    return hashlib.sha256(noted.read_bytes()[:end]).digest()


def alike() -> None:
    """Replace, in this process of a site: the secrets of shuffles, the deck a computer gets, what computers draw."""
    from matches.lobby import deck_choice
    from matches.runners import computer_runner
    from matches.shuffles import services

    services.new_secret = drawn
    vars(deck_choice)["secrets"] = SimpleNamespace(choice=lambda decks: decks[0])
    # By a number of their own, as computers and people draw in an order that goes by time.
    numbers = itertools.count()
    computer_runner.PLAYERS = {
        name: functools.partial(lambda player: player(random.Random(next(numbers))), player)
        for name, player in computer_runner.PLAYERS.items()
    }
