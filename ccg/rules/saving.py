"""Saving: the state of a game as bytes, and back. Reading checks every type and refuses what does not fit."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import Any

import msgspec
from msgspec import Struct

from ccg.rules import rulebook
from ccg.rules.cards.definitions import Catalog
from ccg.rules.core import engine as engine_module
from ccg.rules.core.data import Reader, encode
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.state import CardNumber, State, card_of
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.errors import StateError

ENGINE_VERSION = 9
"""Raised whenever a saved game of before can no longer be read or would go on differently."""


def _frames() -> Iterator[type[Frame]]:
    """Yield every frame of the engine and of the rulebook's modules: each class that no other one builds upon."""
    names = (f"{rulebook.__name__}.{module.name}" for module in iter_modules(rulebook.__path__))
    for module in (engine_module, *map(import_module, names)):
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, Frame) and not kind.__subclasses__():
                yield kind


FRAMES: tuple[type[Frame], ...] = tuple(_frames())
"""Every frame that a saved game may have on its agenda; it is known by the name of its class."""


class Saved(Struct, array_like=True):
    """What a saved game says beside its state: the engine's version, the catalogue's fingerprint, a checksum."""

    engine: int
    catalog: str
    check: int
    state: msgspec.Raw


_encoder = msgspec.msgpack.Encoder()
_STATE: Any = State
_states: Reader[State[Frame]] = Reader(_STATE[reduce(or_, FRAMES)])
_saved_decoder = msgspec.msgpack.Decoder(Saved)


def save(engine: Engine) -> bytes:
    """Return the whole state as bytes; equal games give equal bytes."""
    state = msgspec.Raw(encode(engine.state))
    return _encoder.encode(Saved(ENGINE_VERSION, engine.catalog.fingerprint, zlib.crc32(state), state))


def load(data: bytes, catalog: Catalog) -> Engine:
    """Read what :func:`save` gave; raises :class:`StateError` if it is damaged or not of this catalogue."""
    try:
        saved = _saved_decoder.decode(data)
    except ValueError as error:
        raise StateError("damaged", f"This is not a saved game: {error}.") from error
    if saved.engine != ENGINE_VERSION:
        raise StateError("engine", f"This game was saved by engine {saved.engine}; this is engine {ENGINE_VERSION}.")
    if saved.catalog != catalog.fingerprint:
        raise StateError("catalog", f"This game was saved with card data {saved.catalog}, not {catalog.fingerprint}.")
    if zlib.crc32(saved.state) != saved.check:
        raise StateError("damaged", "This saved game is damaged: its checksum does not fit.")
    try:
        state = _states.read(saved.state)
    except (ValueError, RecursionError) as error:
        raise StateError("damaged", f"This saved game is damaged: {error}.") from error
    engine = Engine(state, compile_scripts(catalog))
    _check(engine)
    return engine


def copy(engine: Engine) -> Engine:
    """Return an equal game, between two decisions, that shares nothing that changes."""
    return unpack(pack(engine), engine.catalog)


def pack(engine: Engine) -> object:
    """Return what :func:`unpack` needs to make this game again, once and within this process: some microseconds."""
    return _states.pack(engine.state)


def unpack(packed: object, catalog: Catalog) -> Engine:
    """Return the game that :func:`pack` has packed, between two decisions."""
    return Engine(_states.unpack(packed), catalog)


def _check(engine: Engine) -> None:
    """Refuse a state whose numbers point outside the game, as a damaged one may."""
    state = engine.state
    players = len(state.players)
    seats = [state.first, *([] if state.asking is None else [state.asking])]
    if not 2 <= players <= 8 or any(not 0 <= seat < players for seat in seats):
        raise StateError("damaged", "This saved game is damaged: its seats do not fit.")
    zones = [zone for p in state.players for zone in (p.deck, p.hand, p.discard, p.removed, p.gone)]
    for piece in engine.pieces():
        zones += [piece.cards, piece.supplies]
        if not piece.cards or not 0 <= piece.controller < players:
            raise StateError("damaged", "This saved game is damaged: a piece has no card or no player.")
    cards = set[CardNumber]().union(*zones)
    owners = {card & 7 for card in cards}
    past = card_of(len(engine.catalog), 0)
    if min(cards, default=0) < 0 or max(cards, default=0) >= past or max(owners, default=0) >= players:
        raise StateError("damaged", "This saved game is damaged: it names cards that are not in the catalogue.")
    if not state.agenda and state.result is None:
        raise StateError("damaged", "This saved game is damaged: nothing is left to happen.")
