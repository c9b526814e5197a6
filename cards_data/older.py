"""Stored cards of older releases: what their abilities said in words that the language has no longer.

Data versions are kept for ever as they were imported, so they are brought up to date as they are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Entry = dict[str, Any]

_PHRASES = {
    "each player with most of the highest mystic values in hand": (
        "each player with the most of the highest mystic values in your hand"
    ),
}

_FATES = {
    "the loser is exhausted": {"fate": "the loser", "is": "exhausted"},
    "the defender is spared": {"fate": "a losing defender", "is": "spared"},
    "a winning challenger is defeated": {"fate": "a winning challenger", "is": "defeated"},
}


def up_to_date(stored: Any) -> Any:
    """Return what was read from JSON, with every old word of the ability language replaced by what says it now."""
    if isinstance(stored, list):
        return [up_to_date(one) for one in stored]
    if isinstance(stored, str):
        return _PHRASES.get(stored, stored)
    if not isinstance(stored, dict):
        return stored
    new = {key: up_to_date(value) for key, value in stored.items()}
    for key in _KEYS.keys() & new.keys():
        new = _KEYS[key](new)
    return new


def problems_up_to_date(problems: list[Any]) -> list[Any]:
    """Return the problems of a draft as records; once they were lines of text."""
    return [{"text": one} if isinstance(one, str) else one for one in problems]


def _shown(step: Entry) -> Entry:
    """A look that was shown to all is a reveal."""
    if "look" not in step:
        return step
    new = {key: value for key, value in step.items() if key not in ("look", "shown")}
    return {"reveal top": step["look"], **new} if step["shown"] is True else {"look": step["look"], **new}


def _named(step: Entry) -> Entry:
    """A number could be named up to the cards in hand."""
    return {**step, "up to": step.get("up to", "cards in your hand")} if step["x"] == "named" else step


def _exchanged(step: Entry) -> Entry:
    """An exchange was for a card of the same type and power."""
    if "with" in step or not isinstance(step["exchange"], str):
        return step
    kind = next((kind for kind in ("personnel", "ship") if kind in step["exchange"]), "unit")
    return {**step, "with": kind, "same": "power"}


def _converted(step: Entry) -> Entry:
    """A stack that converted made logistics, and became 3 of any one resource."""
    least = step["convert"]
    return {**step, "convert": "logistics", "at least": least, "makes": 3} if isinstance(least, int) else step


def _fated(step: Entry) -> Entry:
    fate = step["fate"]
    return {**step, **_FATES.get(fate, {})} if isinstance(fate, str) else step


def _ended(ability: Entry) -> Entry:
    """The end of a challenge was an occasion of its own; now what follows is put off when the challenge is made."""
    when = ability["when"]
    match = re.fullmatch("a challenge by (.+) ends", when) if isinstance(when, str) else None
    if match is None:
        return ability
    inside = {key: value for key, value in ability.items() if key in ("may", "once", "do")}
    steps = [inside] if "may" in inside else inside.get("do", [])
    rest = {key: value for key, value in ability.items() if key not in ("when", "may", "once", "do")}
    return {"when": f"{match[1]} challenges", **rest, "do": [{"at": "end of challenge", "do": steps}]}


_KEYS: dict[str, Callable[[Entry], Entry]] = {
    "shown": _shown,
    "x": _named,
    "exchange": _exchanged,
    "convert": _converted,
    "fate": _fated,
    "when": _ended,
}
"""What brings a step or an ability up to date, by the key by which it is known."""
