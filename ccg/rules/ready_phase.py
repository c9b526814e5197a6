"""The ready phase: ready, restore, draw two, one resource card, reorder unit stacks (Ready Phase)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.agenda import Engine, Frame
from ccg.rules.events import only
from ccg.rules.instructions import Draw, Ready, Restore
from ccg.rules.options import PASS, Option
from ccg.rules.setup import UNNAMED, settle_first_player
from ccg.rules.state import Area, Card, Phase, Piece, Role, Seat

CARDS_DRAWN = 2


class ReadyPhase(Frame):
    """The phase at its ``step``, numbered as in the rulebook; 0 is its beginning.

    ``waiting`` are the players who still act in step 4 or 5, the next one first.
    """

    step: int = 0
    waiting: list[Seat] = field(default_factory=list)
    named: Seat = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.step in (4, 5):
            self._ask_next(engine)
            return
        self.step += 1
        if self.step == 1:
            engine.state.phase = Phase.READY
            settle_first_player(engine, self.named)
            engine.tell("phase", number=engine.state.turn, to=Phase.READY.value)
            engine.push(Ready([p.id for player in engine.state.players for p in player.reserve if not p.exhausted]))
        elif self.step == 2:
            engine.push(Restore([piece.id for piece in engine.pieces() if piece.exhausted]))
        elif self.step == 3:
            engine.push(Draw(engine.seats(), CARDS_DRAWN))
        elif self.step == 4:
            self.waiting = [seat for seat in engine.seats() if engine.player(seat).hand]

    def _ask_next(self, engine: Engine) -> None:
        self.waiting = [seat for seat in self.waiting if not engine.player(seat).lost]
        if self.waiting:
            engine.ask(self.waiting[0], "resource_card" if self.step == 4 else "reorder")
        elif self.step == 4:
            self.step = 5
            self.waiting = [seat for seat in engine.seats() if _unit_stacks(engine, seat)]
        else:
            engine.end(self)

    def options(self, engine: Engine) -> list[Option]:
        seat = self.waiting[0]
        return resource_options(engine, seat) if self.step == 4 else reorder_options(engine, seat)

    def take(self, engine: Engine, option: Option) -> None:
        seat = self.waiting[0]
        if option.verb == "reorder":
            reorder(engine, option.piece, option.number)
            return
        self.waiting.pop(0)
        if option.verb == "pass":
            engine.tell("pass", seat)
        else:
            play_resource_card(engine, seat, option)


def resource_options(engine: Engine, seat: Seat) -> list[Option]:
    """List what ``seat`` may do in step 4: an asset, a supply card under one of their stacks, or pass."""
    player = engine.player(seat)
    stacks = [piece.id for piece in player.resource if piece.is_stack]
    options: list[Option] = []
    for definition in sorted({card >> 3 for card in player.hand}):
        if engine.catalog.cards[definition].produces is not None:
            options.append(Option("asset", definition))
        options.extend(Option("supply", definition, target=stack) for stack in stacks)
    options.append(PASS)
    return options


def play_resource_card(engine: Engine, seat: Seat, option: Option) -> None:
    """Put a card from hand into the resource area. This is not the play of a card (ruling 8)."""
    card = take_from_hand(engine, seat, option.card)
    if option.verb == "asset":
        piece = engine.enter(Role.ASSET, Area.RESOURCE, seat, card)
        engine.tell("asset", seat, card, piece.id, source="hand", to="resource")
    else:
        stack = engine.piece(option.target)
        stack.supplies.append(card)
        engine.tell(
            "supply", seat, card, target=stack.id, source="hand", to="supply", target_card=stack.top,
            known_to=only(seat),
        )  # fmt: skip


def reorder_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the cards that ``seat`` may put on top of their unit stacks in step 5."""
    return [
        Option("reorder", piece.cards[place] >> 3, piece.id, number=place)
        for piece in _unit_stacks(engine, seat)
        for place in _different_below(piece)
    ] + [PASS]


def reorder(engine: Engine, piece: int, place: int) -> None:
    """Put the card at ``place`` of a unit stack on top of it."""
    unit = engine.piece(piece)
    card = unit.cards.pop(place)
    unit.cards.insert(0, card)
    unit.role = engine.role(card)
    engine.tell("reorder", unit.controller, card, unit.id)


def take_from_hand(engine: Engine, seat: Seat, definition: int) -> Card:
    """Take a card of this definition out of the hand of ``seat`` and give it."""
    player = engine.player(seat)
    card = definition << 3 | seat
    player.hand.remove(card)
    if card in player.shown and player.shown.count(card) > player.hand.count(card):
        player.shown.remove(card)
    return card


def _unit_stacks(engine: Engine, seat: Seat) -> list[Piece]:
    player = engine.player(seat)
    return [piece for lying in (player.alert, player.reserve) for piece in lying if len(piece.cards) > 1]


def _different_below(piece: Piece) -> list[int]:
    """Give the places of cards below the top, one for each definition that is not the top's."""
    places: dict[Card, int] = {}
    for place, card in enumerate(piece.cards[1:], start=1):
        if card >> 3 != piece.top >> 3:
            places.setdefault(card >> 3, place)
    return list(places.values())
