"""Playing a card from hand: announce, pay, add expedite cards, resolve in order (Play a Card, Expedite)."""

from __future__ import annotations

from msgspec import field

from ccg.rules.agenda import Engine, Frame
from ccg.rules.cards import CardDef
from ccg.rules.instructions import EnterPlay, Overlay
from ccg.rules.options import NO, Option
from ccg.rules.outcome import to_discard
from ccg.rules.payment import Amounts, Payer, Payment, covers, funds
from ccg.rules.ready_phase import take_from_hand
from ccg.rules.state import Card, Piece, Seat


class Play(Payer):
    """``seat`` plays ``card``. ``step``: 0 announce, 1 paying, 2 paid, 3 resolving.

    ``excess`` is what the payment made beyond the cost; ``queue`` the cards that resolve, in order: the
    card itself, then the expedite cards added to it. They are in no zone until they have resolved.
    """

    seat: Seat
    card: Card
    step: int = 0
    excess: Amounts = field(default_factory=lambda: [0, 0, 0])
    queue: list[Card] = field(default_factory=list)

    def run(self, engine: Engine) -> None:
        if self.step == 0:
            self.step = 1
            cost = engine.card(self.card).cost
            if any(cost):
                engine.push(Payment(self.seat, list(cost), self.card))
            else:
                self.paid(engine, [0, 0, 0])
        elif self.step == 2 and self._addable(engine):
            engine.ask(self.seat, "expedite")
        elif self.queue:
            self.step = 3
            resolve_card(engine, self.seat, self.queue.pop(0))
        else:
            engine.end(self)

    def paid(self, engine: Engine, excess: Amounts) -> None:
        self.step = 2
        self.excess = excess
        self._announce(engine, self.card)

    def options(self, engine: Engine) -> list[Option]:
        return [Option("play", definition) for definition in self._addable(engine)] + [NO]

    def take(self, engine: Engine, option: Option) -> None:
        if option == NO:
            self.step = 3
            return
        cost = engine.catalog.cards[option.card].expedite
        assert cost is not None
        self.excess = [have - price for have, price in zip(self.excess, cost, strict=True)]
        self._announce(engine, option.card << 3 | self.seat)

    def half_made(self) -> bool:
        return self.step < 2

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat

    def held(self) -> list[Card]:
        return self.queue

    def _announce(self, engine: Engine, card: Card) -> None:
        take_from_hand(engine, self.seat, card >> 3)
        self.queue.append(card)
        engine.tell("play", self.seat, card, source="hand")

    def _addable(self, engine: Engine) -> list[int]:
        """Give the definitions in hand whose expedite cost the excess covers (ruling 11)."""
        if not any(self.excess):
            return []
        found = []
        for definition in sorted({card >> 3 for card in engine.player(self.seat).hand}):
            card = engine.catalog.cards[definition]
            if card.expedite and covers(self.excess, card.expedite) and playable_now(engine, card):
                found.append(definition)
        return found


def playable_now(engine: Engine, card: CardDef) -> bool:
    """Whether a card of this type may be played at this moment: only events during a challenge (CHAL-2b)."""
    return card.type != "base" and (card.type == "event" or engine.state.challenge is None)


def play_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the cards that ``seat`` can play from hand: legal now, and payable (PAY-6)."""
    means = funds(engine, seat)
    options = []
    for definition in sorted({card >> 3 for card in engine.player(seat).hand}):
        card = engine.catalog.cards[definition]
        if covers(means, card.cost) and playable_now(engine, card):
            options.append(Option("play", definition))
    return options


def resolve_card(engine: Engine, seat: Seat, card: Card) -> None:
    """Let a card that was played and paid for take effect (PLAY-2 to PLAY-4)."""
    definition = engine.card(card)
    if definition.type == "event":
        engine.push(Conclude(seat, card))
        return
    covered = overlaid_units(engine, seat, definition)
    if len(covered) > 1:
        engine.push(ChooseStack(seat, card))
    elif covered:
        engine.push(Overlay(covered[0].id, card))
    else:
        engine.push(EnterPlay(seat, card))


def overlaid_units(engine: Engine, seat: Seat, definition: CardDef) -> list[Piece]:
    """Give the units of ``seat`` that a singular unit of this title must be put on (Overlaying cards)."""
    if not (definition.is_unit and definition.singular):
        return []
    player = engine.player(seat)
    return [
        piece
        for lying in (player.alert, player.reserve)
        for piece in lying
        if piece.is_unit and engine.definition(piece).title == definition.title and engine.definition(piece).singular
    ]


class Conclude(Frame):
    """A played event has taken effect and goes to its owner's discard pile."""

    seat: Seat
    card: Card

    def run(self, engine: Engine) -> None:
        engine.end(self)
        to_discard(engine, [self.card])
        engine.tell("event over", self.seat, self.card, to="discard")

    def held(self) -> list[Card]:
        return [self.card]


class ChooseStack(Frame):
    """``seat`` has several units of the title and chooses which one the card goes on."""

    seat: Seat
    card: Card

    def run(self, engine: Engine) -> None:
        engine.ask(self.seat, "choose")

    def options(self, engine: Engine) -> list[Option]:
        units = overlaid_units(engine, self.seat, engine.card(self.card))
        return [Option("choose", piece=unit.id) for unit in units]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        engine.push(Overlay(option.piece, self.card))

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat

    def held(self) -> list[Card]:
        return [self.card]
