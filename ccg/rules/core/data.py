"""The form of records: what a state is made of, and what does not change while games are played.

A record declares its fields once, each with its type and perhaps a default; how it is built, compared, copied
and saved follows from that. Here records are msgspec Structs. Where the engine is compiled, this module is
another one with the same names (``ccg/native/native_data.py``), and the records of the compiled modules are
expanded to plain classes (docs/decisions/0004-records.md).
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct, structs

_encoder = msgspec.msgpack.Encoder()


class Data(Struct, array_like=True):
    """A record of the state of a game: it can be changed, and is compared, copied and saved field by field."""


class Fixed(Struct, frozen=True):
    """A record that never changes and is no part of a state."""


D = TypeVar("D", bound=Data)
R = TypeVar("R", bound=Struct)
K = TypeVar("K", bound=type)


def extended(kind: K) -> K:
    """Mark a class that modules which are not compiled, such as those of the words, make subclasses of."""
    return kind


class Reader(Generic[D]):
    """Read records of one type from bytes; make it where a module is imported (see :mod:`ccg.rules.decoding`)."""

    def __init__(self, kind: Any) -> None:
        self._decoder = msgspec.msgpack.Decoder(kind)

    def read(self, data: bytes) -> D:
        """Return the record; raises ValueError where the bytes do not say one."""
        record: D = self._decoder.decode(data)
        return record

    def pack(self, record: D) -> object:
        """Return ``record`` as it stands, for :meth:`unpack` in this process (bytes: faster than by hand)."""
        return _encoder.encode(record)

    def unpack(self, packed: Any) -> D:
        """Return, once, the record that was packed; it shares nothing that changes with that."""
        return self.read(packed)


def encode(record: Data) -> bytes:
    """Return ``record`` as bytes; equal records give equal bytes."""
    return _encoder.encode(record)


def changed(record: R, **fields: Any) -> R:
    """Return a record like ``record`` but for ``fields``."""
    return structs.replace(record, **fields)
