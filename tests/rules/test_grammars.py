"""Parsers are made from their grammars by one thread at a time."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ccg.rules.cards import grammars

THREADS = 8


class CountedParser:
    """Stands for a parser that takes a while to make; counts how many are being made at once."""

    being_made = 0
    most_at_once = 0
    made = 0

    def __init__(self, text: str, **_options: object) -> None:
        kind = type(self)
        kind.made += 1
        kind.being_made += 1
        kind.most_at_once = max(kind.most_at_once, kind.being_made)
        time.sleep(0.02)
        kind.being_made -= 1
        self.text = text


def test_threads_make_one_parser_at_a_time_and_each_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """CPython before 3.11.8 fails now and then where two threads read grammars at once."""
    monkeypatch.setattr(grammars, "Lark", CountedParser)
    paths = [tmp_path / "one.lark", tmp_path / "two.lark"]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
    begin = threading.Barrier(THREADS)

    def ask(number: int) -> object:
        begin.wait()
        return grammars.parser_of(paths[number % 2])

    with ThreadPoolExecutor(THREADS) as pool:
        parsers = list(pool.map(ask, range(THREADS)))
    assert CountedParser.most_at_once == 1
    assert CountedParser.made == 2
    assert len({id(parser) for parser in parsers}) == 2
