"""The form of records in a compiled engine: stands for :mod:`ccg.rules.core.data` there, with the same names.

The records of compiled modules are plain classes; what this module cannot say for all of them has been written
into each by :mod:`ccg.native.expanding`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import msgspec

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder()

FIELDS: dict[type, tuple[str, ...]] = {}
"""The names of the fields of each record, in order."""

READERS: dict[str, Callable[[object], Data]] = {}
"""How records are read that say in their first place what they are."""


class Record:
    """Any record."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in FIELDS[type(self)])
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _built, (type(self), {name: getattr(self, name) for name in FIELDS[type(self)]})


class Data(Record):
    """A record of the state of a game: it can be changed, and is compared, copied and saved field by field."""

    def plain(self) -> list[object]:
        """Return its fields in order, as what can be saved."""
        raise NotImplementedError

    def twin(self) -> Data:
        """Return an equal record that shares nothing that changes."""
        raise NotImplementedError


class Fixed(Record):
    """A record that never changes and is no part of a state."""


D = TypeVar("D", bound=Data)
R = TypeVar("R", bound=Record)
K = TypeVar("K", bound=type)


def extended(kind: K) -> K:
    """Mark a class with subclasses in modules that are not compiled; in those that are, mypyc is told instead."""
    return kind


class Reader(Generic[D]):
    """Read records of one type from bytes."""

    def __init__(self, kind: Any) -> None:
        self._read: Callable[[object], D] = getattr(kind, "__origin__", kind).read

    def read(self, data: Any) -> D:
        """Return the record; raises ValueError where the bytes do not say one."""
        try:
            return self._read(_decoder.decode(data))
        except (LookupError, TypeError) as error:
            raise ValueError(f"a part does not fit: {error}") from error

    def pack(self, record: D) -> object:
        """Return ``record`` as it stands, for :meth:`unpack` in this process."""
        return record.twin()

    def unpack(self, packed: Any) -> D:
        """Return, once, the record that was packed; it shares nothing that changes with that."""
        return cast(D, packed)


def encode(record: Data) -> bytes:
    """Return ``record`` as bytes; equal records give equal bytes."""
    return _encoder.encode(record.plain())


def changed(record: R, **fields: Any) -> R:
    """Return a record like ``record`` but for ``fields``."""
    kept = {name: getattr(record, name) for name in FIELDS[type(record)]}
    return cast(R, _built(type(record), kept | fields))


def _built(kind: Callable[..., Record], fields: dict[str, Any]) -> Record:
    return kind(**fields)


# ---------------------------------------------------------------- reading


def an_int(value: object) -> int:
    """Return a whole number."""
    if type(value) is not int:
        raise ValueError("expected a whole number")
    return value


def a_bool(value: object) -> bool:
    """Return a truth value."""
    if value is True:
        return True
    if value is not False:
        raise ValueError("expected true or false")
    return False


def a_str(value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError("expected a text")
    return value


def a_bytes(value: object) -> bytes:
    """Return bytes."""
    if not isinstance(value, bytes):
        raise ValueError("expected bytes")
    return value


def a_list(value: object) -> list[object]:
    """Return a list."""
    if not isinstance(value, list):
        raise ValueError("expected a list")
    return value


def parts(value: object, number: int) -> list[object]:
    """Return a list of just so many values."""
    if not isinstance(value, list) or len(value) != number:
        raise ValueError(f"expected a list of {number}")
    return value


def ints(value: object) -> list[int]:
    """Return a list of whole numbers; the list is a new one's own, as the bytes were read for it."""
    if not isinstance(value, list):
        raise ValueError("expected a list")
    for one in value:
        if type(one) is not int:
            raise ValueError("expected a whole number")
    return value


def a_word(value: object, words: tuple[str, ...]) -> str:
    """Return one of ``words``."""
    if value not in words:
        raise ValueError(f"expected one of {', '.join(words)}")
    return a_str(value)


def tagged(value: object, tags: tuple[str, ...] = ()) -> Data:
    """Return the record whose kind stands in its first place: any, or one of ``tags``."""
    kind = a_str(a_list(value)[0])
    if tags and kind not in tags:
        raise ValueError(f"expected {' or '.join(tags)}")
    return READERS[kind](value)
