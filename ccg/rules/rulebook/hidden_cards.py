"""Looking at, revealing and taking cards of hands, decks and discard piles (rulings 19, 39, 45)."""

from __future__ import annotations

from typing import Literal

from ccg.rules.core.engine import Engine, Frame, Returned
from ccg.rules.core.events import EVERYBODY, only
from ccg.rules.core.options import Option
from ccg.rules.core.state import CardNumber, Piece, SeatNumber, card_of, definition_of, owner_of
from ccg.rules.core.zones import put_card, to_discard
from ccg.rules.rulebook.hands_and_decks import take_from_hand, top_card

Then = Literal["one on top", "may go to the bottom", "nothing", "one to the bottom"]


class TopCards(Frame):
    """``seat`` sees the top ``number`` cards of the deck of ``whose``, which are arranged.

    "one on top": one stays on top, the others go to the bottom in an order of choice. "may go to the
    bottom": the card may. "one to the bottom": one goes to the bottom and the rest into the hand of
    ``whose``. The cards are ``seen`` while that goes on; ``by`` decides.
    """

    seat: SeatNumber
    whose: SeatNumber
    number: int
    then: Then
    by: SeatNumber
    seen: list[CardNumber] | None = None
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
        self.seen = []
        for _ in range(self.number):
            card = self.next_card(engine)
            if card is None:
                break
            engine.player(self.whose).deck.pop()
            self.seen.append(card)
            self.emit_seen(engine, card)

    def next_card(self, engine: Engine) -> CardNumber | None:
        """Return the next card to be seen, or None if there is none."""
        raise NotImplementedError

    def emit_seen(self, engine: Engine, card: CardNumber) -> None:
        """Emit the event that ``card`` is seen, to those who may know it."""
        raise NotImplementedError

    def options(self, engine: Engine) -> list[Option]:
        assert self.seen is not None
        if self.then == "may go to the bottom":
            return [Option("yes"), Option("no")]
        return [Option("choose", card) for card in sorted({definition_of(card) for card in self.seen})]

    def take(self, engine: Engine, option: Option) -> None:
        assert self.seen is not None
        deck = engine.player(self.whose).deck
        if self.then == "may go to the bottom":
            if option.verb == "yes":
                deck.insert(0, self.seen.pop())
            self._over(engine)
            return
        card = next(card for card in self.seen if definition_of(card) == option.card)
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
        engine.emit("arranged", self.by, opponent=self.whose)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat in (self.seat, self.whose, self.by)

    def held(self) -> list[CardNumber]:
        return self.seen or []

    def looked_at(self, seat: SeatNumber) -> int:
        return len(self.seen or ()) if seat == self.whose else 0

    def dropped(self, engine: Engine) -> None:
        """Return the cards not arranged yet to the deck, in their old order, below those kept on top."""
        player = engine.player(self.whose)
        if self.seen and not player.lost:
            place = len(player.deck) - self.kept
            player.deck[place:place] = reversed(self.seen)
            self.seen = []


class Look(TopCards):
    """The cards are seen by ``seat`` alone; it stops where the deck ends in the middle (ruling 77)."""

    def next_card(self, engine: Engine) -> CardNumber | None:
        return top_card(engine, self.whose) if not self.seen or engine.player(self.whose).deck else None

    def emit_seen(self, engine: Engine, card: CardNumber) -> None:
        engine.emit("look", self.seat, card, known_to=only(self.seat), opponent=self.whose)


class RevealTop(TopCards):
    """The cards are revealed to all; it goes on with the new deck where the old one ends (DEPL-2; ruling 77)."""

    def next_card(self, engine: Engine) -> CardNumber | None:
        return top_card(engine, self.whose)

    def emit_seen(self, engine: Engine, card: CardNumber) -> None:
        engine.emit("reveal", self.seat, card, source="deck", opponent=self.whose)


class RevealHand(Frame):
    """Players show their hands to all; what was shown stays known until it moves (ruling 39)."""

    seats: list[SeatNumber]

    def run(self, engine: Engine) -> None:
        engine.end(self)
        for seat in self.seats:
            player = engine.player(seat)
            player.shown = list(player.hand)
            for card in player.hand:
                engine.emit("reveal", seat, card, source="hand")


class Take(Frame):
    """``by`` chooses one of the ``wanted`` cards in a zone of ``whose``, and it goes ``into`` another place.

    Cards taken from a discard pile, or out of a revealed hand, are seen by all; others only by their player.
    """

    by: SeatNumber
    whose: SeatNumber
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
        move_card(engine, card_of(option.card, self.whose), self.source, self.into, self.by)

    def _there(self, engine: Engine) -> list[int]:
        player = engine.player(self.whose)
        zone = player.hand if self.source == "hand" else player.discard
        return sorted({definition_of(card) for card in zone}.intersection(self.wanted))

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat in (self.by, self.whose)


def move_card(engine: Engine, card: CardNumber, source: str, into: str, by: SeatNumber) -> None:
    """Move a card out of its owner's hand or discard pile to another place."""
    owner = engine.player(owner_of(card))
    seen = source == "discard pile" or into == "discard pile" or by != owner_of(card)
    if source == "hand":
        seen = take_from_hand(engine, card, openly=seen) or seen
    else:
        owner.discard.remove(card)
    put_card(engine, card, into)
    if into == "hand" and not seen:
        owner.shown.remove(card)
    known = EVERYBODY if seen else only(by)
    discarded = source == "hand" and into == "discard pile"
    engine.emit("discard" if discarded else "take", owner_of(card), card, source=source, to=into, known_to=known)


class PutElsewhere(Returned, frozen=True):
    """The event ``card`` that is being carried out lies somewhere, and does not go to the discard pile."""

    card: CardNumber


class Conclude(Frame):
    """A played event has taken effect and goes to its owner's discard pile, unless its text put it elsewhere."""

    seat: SeatNumber
    card: CardNumber
    elsewhere: bool = False

    def run(self, engine: Engine) -> None:
        engine.end(self)
        if not self.elsewhere:
            to_discard(engine, [self.card])
        engine.emit("event over", self.seat, self.card, to="discard")

    def receive(self, engine: Engine, returned: Returned) -> None:
        if isinstance(returned, PutElsewhere) and returned.card == self.card:
            self.elsewhere = True
        else:
            super().receive(engine, returned)

    def held(self) -> list[CardNumber]:
        return [] if self.elsewhere else [self.card]


class AddSupply(Frame):
    """``seat`` puts a card face down under one of their stacks: an event's own ``card``, or (None) one from hand."""

    seat: SeatNumber
    under: int
    card: CardNumber | None = None

    def run(self, engine: Engine) -> None:
        stack = engine.find(self.under)
        if stack is None or (self.card is None and not engine.player(self.seat).hand):
            engine.end(self)
        elif self.card is None:
            engine.ask(self.seat, "take")
        else:
            engine.end(self, PutElsewhere(self.card))
            self._put(engine, stack, self.card)

    def options(self, engine: Engine) -> list[Option]:
        return [
            Option("choose", card) for card in sorted({definition_of(card) for card in engine.player(self.seat).hand})
        ]

    def take(self, engine: Engine, option: Option) -> None:
        card = card_of(option.card, self.seat)
        take_from_hand(engine, card, openly=False)
        engine.end(self)
        self._put(engine, engine.piece(self.under), card)

    def _put(self, engine: Engine, stack: Piece, card: CardNumber) -> None:
        stack.supplies.append(card)
        engine.emit(
            "supply", self.seat, card, target=stack.id, to="supply", target_card=stack.top, known_to=only(self.seat)
        )

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat
