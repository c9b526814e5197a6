"""Saving: the state of a game as bytes, and back. Reading checks every type and refuses what does not fit."""

from __future__ import annotations

import zlib
from typing import cast, get_args

import msgspec
from msgspec import Struct

from ccg.rules.agenda import Engine, Frame, TriggerRound
from ccg.rules.cards import Catalog
from ccg.rules.challenge import ChallengeEnds, ChallengePrice, ChallengeProcedure, Reaction
from ccg.rules.cylon_phase import CylonPhase, Jump
from ccg.rules.errors import StateError
from ccg.rules.execution_phase import ExecutionPhase
from ccg.rules.hidden_cards import AddSupply, Conclude, Look, RevealHand, Take
from ccg.rules.in_turn import InTurn
from ccg.rules.instructions import (
    Commit,
    Defeat,
    Discard,
    Draw,
    EnterPlay,
    Exhaust,
    Influence,
    Mill,
    Overlay,
    Put,
    Ready,
    Replace,
    Restore,
    Sacrifice,
    SacrificeBeneath,
    SacrificeSupply,
    Search,
)
from ccg.rules.language.compiling import equip
from ccg.rules.missions import MissionGoes, ResolveMission
from ccg.rules.mystic_values import ChooseValue, Contest, RevealAgain, RevealMystic, RevealValue
from ccg.rules.payment import Payment
from ccg.rules.performing import Act, Perform
from ccg.rules.playing import ChooseStack, PaidTogether, Play
from ccg.rules.ready_phase import ReadyPhase
from ccg.rules.setup import Setup
from ccg.rules.state import State
from ccg.rules.threats import RedTexts, RevealThreats
from ccg.rules.turn import Turns

ENGINE_VERSION = 1
"""Raised whenever a saved game of before can no longer be read or would go on differently."""

AnyFrame = (
    Setup
    | Turns
    | ReadyPhase
    | ExecutionPhase
    | CylonPhase
    | RevealThreats
    | Jump
    | ChallengeProcedure
    | ChallengeEnds
    | Play
    | PaidTogether
    | ChooseStack
    | Conclude
    | Payment
    | ResolveMission
    | MissionGoes
    | Act
    | Perform
    | TriggerRound
    | Discard
    | InTurn
    | Search
    | Mill
    | Put
    | Replace
    | RedTexts
    | Look
    | RevealHand
    | Take
    | AddSupply
    | Contest
    | ChooseValue
    | RevealAgain
    | RevealValue
    | ChallengePrice
    | Reaction
    | Ready
    | Commit
    | Exhaust
    | Restore
    | Defeat
    | Sacrifice
    | SacrificeSupply
    | SacrificeBeneath
    | EnterPlay
    | Overlay
    | Draw
    | RevealMystic
    | Influence
)
FRAMES: tuple[type[Frame], ...] = get_args(AnyFrame)


class Saved(Struct, array_like=True):
    """What a saved game says beside its state: the engine's version, the catalogue's fingerprint, a checksum."""

    engine: int
    catalog: str
    check: int
    state: msgspec.Raw


_encoder = msgspec.msgpack.Encoder()
_state_decoder = msgspec.msgpack.Decoder(State[AnyFrame])
_saved_decoder = msgspec.msgpack.Decoder(Saved)


def save(engine: Engine) -> bytes:
    """Give the whole state as bytes; equal games give equal bytes."""
    state = msgspec.Raw(_encoder.encode(engine.state))
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
        state = _state_decoder.decode(saved.state)
    except ValueError as error:
        raise StateError("damaged", f"This saved game is damaged: {error}.") from error
    engine = Engine(cast(State[Frame], state), equip(catalog))
    _check(engine)
    return engine


def copy(engine: Engine) -> Engine:
    """Give an equal game that shares nothing that changes (through bytes: faster than by hand)."""
    return unpack(pack(engine), engine.catalog)


def pack(engine: Engine) -> bytes:
    """Give the bare state as bytes for :func:`unpack`, within one process: some microseconds each way."""
    return _encoder.encode(engine.state)


def unpack(data: bytes, catalog: Catalog) -> Engine:
    """Give the game that :func:`pack` has packed, between two decisions."""
    return Engine(cast(State[Frame], _state_decoder.decode(data)), catalog)


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
    if any(not 0 <= card >> 3 < len(engine.catalog) or card & 7 >= players for zone in zones for card in zone):
        raise StateError("damaged", "This saved game is damaged: it names cards that are not in the catalogue.")
    if not state.agenda and state.result is None:
        raise StateError("damaged", "This saved game is damaged: nothing is left to happen.")
