"""What is different between two values of plain data, as a list of changes, and making those changes.

A replay has hundreds of positions, and each is much like the one before. Written down as changes they take a
fiftieth of the room, and a reader needs a few lines in any language (``docs/replays.md``) instead of our program.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

_encode = msgspec.msgpack.Encoder().encode


class Change(Struct, frozen=True, omit_defaults=True):
    """Put ``to`` (null if it is left out) where ``at`` leads, from the outermost key or place inwards.

    With ``gone``, remove what is there. An empty ``at`` is the whole value.
    """

    at: list[int | str]
    to: Any = None
    gone: bool = False


def between(before: Any, after: Any) -> list[Change]:
    """Return the changes that make ``before`` into ``after``, in the order in which they are to be made."""
    found: list[Change] = []
    _compare(before, after, [], found)
    return found


def _compare(before: Any, after: Any, at: list[int | str], found: list[Change]) -> None:
    if before == after and _encode(before) == _encode(after):  # False and 0 are equal in Python alone
        return
    if isinstance(before, dict) and isinstance(after, dict):
        found += [Change([*at, key], gone=True) for key in before if key not in after]
        for key, value in after.items():
            if key not in before:
                found.append(Change([*at, key], value))
            else:
                _compare(before[key], value, [*at, key], found)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            _compare(old, new, [*at, place], found)
    else:
        found.append(Change(at, after))


def applied(value: Any, changes: Iterable[Change]) -> Any:
    """Return ``value`` with ``changes`` made; ``value`` itself stays as it is. Raises LookupError where one misfits."""
    for change in changes:
        value = _with(value, change.at, change)
    return value


def _with(value: Any, at: list[int | str], change: Change) -> Any:
    if not at:
        return change.to
    key, *inner = at
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    if change.gone and not inner:
        del copy[key]
    else:
        copy[key] = _with(value[key] if inner else None, inner, change)
    return copy
