"""Errors that are raised again: each raising adds a traceback to them, with all frames and what these hold."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType

import cards_data
import ccg.outbox
import ccg.rules
import ccg.server
import decks
import matches

PACKAGES = (cards_data, ccg.outbox, ccg.rules, ccg.server, decks, matches)
LEFT_OUT = (".migrations.", ".__main__", ".settings", ".management.", ".proving.", ".asgi", ".wsgi", ".celery")


def modules() -> Iterator[ModuleType]:
    """Yield all modules of the site; those that act as they are loaded only if they are already."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if any(part in f"{found.name}." for part in LEFT_OUT):
                continue
            yield sys.modules.get(found.name) or importlib.import_module(found.name)


def kept(module: ModuleType) -> list[str]:
    """Return the names in this module that stand for one error, and not for a class of them."""
    return [f"{module.__name__}.{name}" for name, value in vars(module).items() if isinstance(value, BaseException)]


def test_no_module_keeps_an_error_that_it_raises() -> None:
    """Whoever sends what is refused so would fill the memory of the server, some kilobytes each time."""
    looked_at = list(modules())
    assert len(looked_at) > 300
    assert [name for module in looked_at for name in kept(module)] == []


def test_this_test_would_notice() -> None:
    module = ModuleType("made_up")
    vars(module)["NO_CHAT"] = ValueError("There is no chat at this table.")
    assert kept(module) == ["made_up.NO_CHAT"]
