"""Looking at, revealing and taking cards of hands, decks and discard piles (rulings 19, 39, 45)."""

from __future__ import annotations

from typing import Literal

from ccg.rules.agenda import Engine, Frame
from ccg.rules.events import EVERYBODY, only
from ccg.rules.instructions import put_card, top_card
from ccg.rules.options import Option
from ccg.rules.outcome import to_discard
from ccg.rules.state import Card, Piece, Seat

Then = Literal["one on top", "may go to the bottom", "nothing", "one to the bottom"]


class Look(Frame):
    """``seat`` looks at the top ``number`` cards of the deck of ``whose``, and arranges them.

    "one on top": one stays on top, the others go to the bottom in an order of choice. "may go to the
    bottom": the card may. "one to the bottom": one goes to the bottom and the rest into the hand of
    ``whose``. The cards are ``seen`` while that goes on; ``shown`` says that everybody sees them, and
    ``by`` who decides.
    """

    seat: Seat
    whose: Seat
    number: int
    then: Then
    by: Seat
    shown: bool = False
    seen: list[Card] | None = None
    kept: bool = False

    def run(self, engine: Engine) -> None:
        if self.seen is None:
            self._begin(engine)
        elif not self.seen or self.then == "nothing":
            self._over(engine)
        elif len(self.seen) == 1 and self.then == "one on top":
            self._put_last(engine)
        else:
            engine.ask(self.by, "look")

    def _begin(self, engine: Engine) -> None:
        deck = engine.player(self.whose).deck
        self.seen = []
        for _ in range(self.number):
            card = top_card(engine, self.whose) if not self.seen or deck else None
            if card is None:
                break
            engine.player(self.whose).deck.pop()
            self.seen.append(card)
            known = EVERYBODY if self.shown else only(self.seat)
            engine.tell("look", self.seat, card, known_to=known, opponent=self.whose)

    def options(self, engine: Engine) -> list[Option]:
        assert self.seen is not None
        if self.then == "may go to the bottom":
            return [Option("yes"), Option("no")]
        return [Option("choose", card) for card in sorted({card >> 3 for card in self.seen})]

    def take(self, engine: Engine, option: Option) -> None:
        assert self.seen is not None
        deck = engine.player(self.whose).deck
        if self.then == "may go to the bottom":
            if option.verb == "yes":
                deck.insert(0, self.seen.pop())
            self._over(engine)
            return
        card = next(card for card in self.seen if card >> 3 == option.card)
        self.seen.remove(card)
        if self.then == "one to the bottom":
            deck.insert(0, card)
            engine.player(self.whose).hand.extend(self.seen)
            engine.player(self.whose).shown.extend(self.seen)
            self.seen.clear()
        elif self.kept:
            deck.insert(0, card)
        else:
            self.kept = True
            deck.append(card)

    def _put_last(self, engine: Engine) -> None:
        """The last card goes under all others, or stays where it was if it was the only one."""
        assert self.seen is not None
        deck = engine.player(self.whose).deck
        if self.kept:
            deck.insert(0, self.seen.pop())
        else:
            deck.append(self.seen.pop())

    def _over(self, engine: Engine) -> None:
        engine.player(self.whose).deck.extend(reversed(self.seen or []))
        engine.end(self)
        engine.tell("arranged", self.by, opponent=self.whose)

    def belongs_to(self, seat: Seat) -> bool:
        return seat in (self.seat, self.whose, self.by)

    def held(self) -> list[Card]:
        return self.seen or []


class RevealHand(Frame):
    """Players show their hands to all; what was shown stays known until it moves (ruling 39)."""

    seats: list[Seat]

    def run(self, engine: Engine) -> None:
        engine.end(self)
        for seat in self.seats:
            player = engine.player(seat)
            player.shown = list(player.hand)
            for card in player.hand:
                engine.tell("reveal", seat, card, source="hand")


class Take(Frame):
    """``by`` chooses one of the ``wanted`` cards in a zone of ``whose``, and it goes ``into`` another place.

    Cards taken from a discard pile, or out of a revealed hand, are seen by all; others only by their player.
    """

    by: Seat
    whose: Seat
    wanted: list[int]
    source: Literal["hand", "discard pile"]
    into: str

    def run(self, engine: Engine) -> None:
        if self._there(engine):
            engine.ask(self.by, "take")
        else:
            engine.end(self)

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", card) for card in self._there(engine)]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        move_card(engine, option.card << 3 | self.whose, self.source, self.into, self.by)

    def _there(self, engine: Engine) -> list[int]:
        player = engine.player(self.whose)
        zone = player.hand if self.source == "hand" else player.discard
        return sorted({card >> 3 for card in zone}.intersection(self.wanted))

    def belongs_to(self, seat: Seat) -> bool:
        return seat in (self.by, self.whose)


def move_card(engine: Engine, card: Card, source: str, into: str, by: Seat) -> None:
    """Move a card out of its owner's hand or discard pile to another place."""
    owner = engine.player(card & 7)
    zone = owner.hand if source == "hand" else owner.discard
    zone.remove(card)
    seen = source == "discard pile" or into == "discard pile" or card in owner.shown or by != card & 7
    if source == "hand" and card in owner.shown:
        owner.shown.remove(card)
    put_card(engine, card, into)
    if into == "hand" and not seen:
        owner.shown.remove(card)
    known = EVERYBODY if seen else only(by)
    kind = "discard" if source == "hand" and into == "discard pile" else "take"
    engine.tell(kind, card & 7, card, source=source, to=into, known_to=known)


class Conclude(Frame):
    """A played event has taken effect and goes to its owner's discard pile, unless its text put it elsewhere."""

    seat: Seat
    card: Card
    elsewhere: bool = False

    def run(self, engine: Engine) -> None:
        engine.end(self)
        if not self.elsewhere:
            to_discard(engine, [self.card])
        engine.tell("event over", self.seat, self.card, to="discard")

    def held(self) -> list[Card]:
        return [] if self.elsewhere else [self.card]


class AddSupply(Frame):
    """``seat`` puts a card face down under one of their stacks: ``card``, or (None) one from hand."""

    seat: Seat
    under: int
    card: Card | None = None

    def run(self, engine: Engine) -> None:
        stack = engine.find(self.under)
        if stack is None or (self.card is None and not engine.player(self.seat).hand):
            engine.end(self)
        elif self.card is None:
            engine.ask(self.seat, "take")
        else:
            engine.end(self)
            self._put(engine, stack, self.card)

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", card) for card in sorted({card >> 3 for card in engine.player(self.seat).hand})]

    def take(self, engine: Engine, option: Option) -> None:
        card = option.card << 3 | self.seat
        player = engine.player(self.seat)
        player.hand.remove(card)
        if card in player.shown:
            player.shown.remove(card)
        engine.end(self)
        self._put(engine, engine.piece(self.under), card)

    def _put(self, engine: Engine, stack: Piece, card: Card) -> None:
        if self.card is not None:
            self._leave_limbo(engine)
        stack.supplies.append(card)
        engine.tell(
            "supply", self.seat, card, target=stack.id, to="supply", target_card=stack.top, known_to=only(self.seat)
        )

    def _leave_limbo(self, engine: Engine) -> None:
        """The event that is being carried out goes under a stack and not to the discard pile."""
        for frame in engine.state.agenda:
            if isinstance(frame, Conclude) and frame.card == self.card:
                frame.elsewhere = True

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat
