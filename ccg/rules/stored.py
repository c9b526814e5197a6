"""Reading back records that were stored.

msgspec looks a record type over when it first meets it, and a second thread that meets the same type
meanwhile uses what is not finished: the process dies (msgspec 0.22; seen when a server with waiting
matches started). A :class:`Stored` is made when its module is imported, where there is one thread at a
time, so everything else reads records through one; ruff refuses the functions that would look late.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")


class Stored(Generic[T]):
    """How values of one type are read. Make it at the top of a module; it may be used by all threads."""

    def __init__(self, kind: type[T]) -> None:
        """Look over ``kind``: a Struct, or a list, tuple or dict of them."""
        self._kind = kind
        self._json = msgspec.json.Decoder(kind)

    def from_json(self, data: bytes | str) -> T:
        """Read JSON; raises msgspec.DecodeError, and its ValidationError where the value is not of this type."""
        return self._json.decode(data)

    def from_plain(self, value: Any) -> T:
        """Read what JSON or YAML was read to: dicts, lists, numbers and text; raises msgspec.ValidationError."""
        return msgspec.convert(value, self._kind)  # noqa: TID251
