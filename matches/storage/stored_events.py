"""Events as they are stored, and the one function that gives them to a viewer.

Engines and card texts change; what was seen at a table does not. So a move is stored with the sentences
that it made at the time: one form for everybody, and for a seat that may know more its own form.
:func:`seen_by` takes events out again for a viewer, and nothing else does while a match runs; :func:`all_of` is for
replays of matches that are over.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from ccg.rules import Event, EventView, Game


class StoredEvent(Struct, frozen=True, array_like=True):
    """One event: ``public`` is its form for everybody, ``private`` that for the seats that know more."""

    public: EventView
    private: dict[int, EventView] = {}


UNTOLD = frozenset({"enter", "event over", "mission over", "challenge over", "threat over"})
"""Kinds of events that another one of the same move tells better; the table's log leaves them out, too."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[StoredEvent])


def pack(game: Game, events: Iterable[Event], seats: int) -> bytes:
    """Return the stored form of what happened in ``game`` at a table with this number of ``seats``."""
    stored = []
    for event in events:
        public = game.seen(event, None)
        forms = {seat: game.seen(event, seat) for seat in range(seats)}
        stored.append(StoredEvent(public, {seat: form for seat, form in forms.items() if form != public}))
    return _encoder.encode(stored)


def pack_told(told: Iterable[EventView]) -> bytes:
    """Return the stored form of what happened at the table and not in the game, which everybody may know."""
    return _encoder.encode([StoredEvent(event) for event in told])


def with_told(told: Iterable[EventView], packed: bytes) -> bytes:
    """Return what is ``packed``, with what happened at the table before it."""
    return _encoder.encode([*(StoredEvent(event) for event in told), *_decoder.decode(packed)])


def with_told_after(packed: bytes, told: Iterable[EventView]) -> bytes:
    """Return what is ``packed``, with what happened at the table after it."""
    return _encoder.encode([*_decoder.decode(packed), *(StoredEvent(event) for event in told)])


def seen_by(packed: bytes, viewer: int | None) -> list[EventView]:
    """Return the events in ``packed`` as ``viewer`` (None: anybody without a seat) may know them."""
    events = _decoder.decode(packed)
    if viewer is None:
        return [event.public for event in events]
    return [event.private.get(viewer, event.public) for event in events]


def all_of(packed: bytes) -> list[StoredEvent]:
    """Return the events in ``packed`` with every form. Only for what decides itself what of them is shown."""
    return _decoder.decode(packed)


def sentences(events: Iterable[EventView]) -> list[str]:
    """Return what a move is told by: the sentences of its events, without those that say less than another one."""
    return [event.text for event in events if event.text and event.kind not in UNTOLD]
