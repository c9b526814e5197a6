"""The ready phase: ready, restore, draw two, one resource card, reorder unit stacks (Ready Phase)."""

from __future__ import annotations

from enum import IntEnum

from msgspec import field

from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.events import only
from ccg.rules.core.options import PASS, Option
from ccg.rules.core.state import Area, CardNumber, Phase, Piece, Role, SeatNumber, card_of, definition_of
from ccg.rules.rulebook.hands_and_decks import Draw, take_from_hand
from ccg.rules.rulebook.instructions import Ready, Restore
from ccg.rules.rulebook.setup import UNNAMED, settle_first_player

CARDS_DRAWN = 2


class ReadyStep(IntEnum):
    """The steps of the ready phase, numbered as in the rulebook."""

    BEGINNING = 0
    READY = 1
    RESTORE = 2
    DRAW = 3
    RESOURCE_CARD = 4
    REORDER = 5


class ReadyPhase(Frame):
    """The phase at its ``step``, which has begun.

    ``waiting`` are the players who still play a resource card or reorder their stacks, the next one first.
    """

    step: ReadyStep = ReadyStep.BEGINNING
    waiting: list[SeatNumber] = field(default_factory=list)
    named: SeatNumber = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.step >= ReadyStep.RESOURCE_CARD:
            self._ask_next(engine)
            return
        self.step = ReadyStep(self.step + 1)
        if self.step == ReadyStep.READY:
            engine.state.phase = Phase.READY
            settle_first_player(engine, self.named)
            engine.emit("phase", number=engine.state.turn, to=Phase.READY.value)
            engine.push(Ready([p.id for player in engine.state.players for p in player.reserve if not p.exhausted]))
        elif self.step == ReadyStep.RESTORE:
            engine.push(Restore([piece.id for piece in engine.pieces() if piece.exhausted]))
        elif self.step == ReadyStep.DRAW:
            engine.push(Draw(engine.seats(), CARDS_DRAWN))
        elif self.step == ReadyStep.RESOURCE_CARD:
            self.waiting = [seat for seat in engine.seats() if engine.player(seat).hand]

    def _ask_next(self, engine: Engine) -> None:
        self.waiting = [seat for seat in self.waiting if not engine.player(seat).lost]
        if self.waiting:
            engine.ask(self.waiting[0], "resource_card" if self.step == ReadyStep.RESOURCE_CARD else "reorder")
        elif self.step == ReadyStep.RESOURCE_CARD:
            self.step = ReadyStep.REORDER
            self.waiting = [seat for seat in engine.seats() if _unit_stacks(engine, seat)]
        else:
            engine.end(self)

    def options(self, engine: Engine) -> list[Option]:
        seat = self.waiting[0]
        return resource_options(engine, seat) if self.step == ReadyStep.RESOURCE_CARD else reorder_options(engine, seat)

    def take(self, engine: Engine, option: Option) -> None:
        seat = self.waiting[0]
        if option.verb == "reorder":
            reorder(engine, option.piece, option.number)
            return
        self.waiting.pop(0)
        if option.verb == "pass":
            engine.emit("pass", seat)
        else:
            play_resource_card(engine, seat, option)


def resource_options(engine: Engine, seat: SeatNumber) -> list[Option]:
    """List what ``seat`` may do as their resource card: an asset, a supply card under one of their stacks, or pass."""
    player = engine.player(seat)
    stacks = [piece.id for piece in player.resource if piece.is_stack]
    options: list[Option] = []
    for definition in sorted({definition_of(card) for card in player.hand}):
        if engine.cards[definition].produces is not None:
            options.append(Option("asset", definition))
        options.extend(Option("supply", definition, target=stack) for stack in stacks)
    options.append(PASS)
    return options


def play_resource_card(engine: Engine, seat: SeatNumber, option: Option) -> None:
    """Put a card from hand into the resource area. This is not the play of a card (ruling 8)."""
    card = card_of(option.card, seat)
    take_from_hand(engine, card, openly=option.verb == "asset")
    if option.verb == "asset":
        piece = engine.enter(Role.ASSET, Area.RESOURCE, seat, card)
        engine.emit("asset", seat, card, piece.id, source="hand", to="resource")
    else:
        stack = engine.piece(option.target)
        stack.supplies.append(card)
        engine.emit(
            "supply", seat, card, target=stack.id, source="hand", to="supply", target_card=stack.top,
            known_to=only(seat),
        )  # fmt: skip


def reorder_options(engine: Engine, seat: SeatNumber) -> list[Option]:
    """List the cards that ``seat`` may put on top of their unit stacks."""
    return [
        Option("reorder", definition_of(piece.cards[place]), piece.id, number=place)
        for piece in _unit_stacks(engine, seat)
        for place in _different_below(piece)
    ] + [PASS]


def reorder(engine: Engine, piece: int, place: int) -> None:
    """Put the card at ``place`` of a unit stack on top of it."""
    unit = engine.piece(piece)
    card = unit.cards.pop(place)
    engine.put_on_top(unit, card)
    engine.emit_about("reorder", unit)


def _unit_stacks(engine: Engine, seat: SeatNumber) -> list[Piece]:
    player = engine.player(seat)
    return [piece for lying in (player.alert, player.reserve) for piece in lying if len(piece.cards) > 1]


def _different_below(piece: Piece) -> list[int]:
    """Return the places of cards below the top, one for each definition that is not the top's."""
    places: dict[CardNumber, int] = {}
    for place, card in enumerate(piece.cards[1:], start=1):
        if definition_of(card) != definition_of(piece.top):
            places.setdefault(definition_of(card), place)
    return list(places.values())
