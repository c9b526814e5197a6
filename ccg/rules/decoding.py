"""Reading back records that were stored.

msgspec inspects a record type on first use. A second thread that uses the same type before the inspection has
finished crashes the process (msgspec 0.22; seen when a server with waiting matches started). A :class:`Decoder`
is created when its module is imported, which happens in one thread at a time, so every other module reads records
through one. ruff refuses the msgspec functions that would inspect a type later than that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")
Hook = Callable[[type, Any], Any]


class Decoder(Generic[T]):
    """How values of one type are read. Make it at the top of a module; it may be used by all threads."""

    def __init__(self, kind: type[T], hook: Hook | None = None) -> None:
        """Prepare to read ``kind``: a Struct, or a list, tuple or dict of them.

        ``hook`` reads what msgspec does not know how to: it is given the type that is wanted and plain data.
        """
        self._kind = kind
        self._hook = hook
        self._json = msgspec.json.Decoder(kind, dec_hook=hook)

    def from_json(self, data: bytes | str) -> T:
        """Read JSON; raises msgspec.DecodeError, and its ValidationError where the value is not of this type."""
        return self._json.decode(data)

    def from_plain(self, value: Any) -> T:
        """Read what JSON or YAML was read to: dicts, lists, numbers and text; raises msgspec.ValidationError."""
        return msgspec.convert(value, self._kind, dec_hook=self._hook)  # noqa: TID251
