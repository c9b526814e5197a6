"""What happens to the cards of hands, decks and discard piles: drawn, discarded, sought, and a new deck made.

Rulebook: Depleting Your Deck, Glossary (discard); rulings 19 and 52.
"""

from __future__ import annotations

from ccg.rules.core import zones
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.events import EVERYBODY, only
from ccg.rules.core.options import NOTHING, Option
from ccg.rules.core.state import CardNumber, SeatNumber, card_of, definition_of, owner_of
from ccg.rules.rulebook.instructions import Instruction


class Draw(Instruction):
    """Each of ``seats``, in that order, draws ``number`` cards."""

    seats: list[SeatNumber]
    number: int

    def happen(self, engine: Engine) -> None:
        for seat in self.seats:
            draw(engine, seat, self.number)


class Discard(Frame):
    """A player discards ``number`` cards of their own choice from hand (Glossary: discard)."""

    seat: SeatNumber
    number: int

    def run(self, engine: Engine) -> None:
        hand = engine.player(self.seat).hand
        if self.number <= 0 or not hand:
            engine.end(self)
        elif self.number >= len(hand):
            self.number = 0
            for card in list(hand):
                discard(engine, self.seat, card)
        else:
            engine.ask(self.seat, "discard")

    def options(self, engine: Engine) -> list[Option]:
        return [
            Option("choose", card) for card in sorted({definition_of(card) for card in engine.player(self.seat).hand})
        ]

    def take(self, engine: Engine, option: Option) -> None:
        self.number -= 1
        discard(engine, self.seat, card_of(option.card, self.seat))

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class Mill(Instruction):
    """Each of ``seats`` puts ``number`` cards from the top of their deck into their discard pile."""

    seats: list[SeatNumber]
    number: int

    def happen(self, engine: Engine) -> None:
        for seat in self.seats:
            for _ in range(self.number):
                card = top_card(engine, seat)
                if card is not None:
                    engine.player(seat).deck.pop()
                    zones.to_discard(engine, [card])
                    engine.emit("mill", seat, card, source="deck", to="discard")


class Search(Frame):
    """A player searches their deck for one of ``wanted`` (definitions), may take it, and shuffles.

    Taking nothing is always allowed (GEN-5); a card sought by its kind is ``shown`` to all. It goes ``into``
    another zone once the deck has been shuffled.
    """

    seat: SeatNumber
    wanted: list[int]
    shown: bool
    into: str

    def run(self, engine: Engine) -> None:
        if engine.player(self.seat).deck:
            engine.ask(self.seat, "search")
        else:  # nothing to take or to shuffle (ruling 52)
            engine.end(self)

    def options(self, engine: Engine) -> list[Option]:
        deck = {definition_of(card) for card in engine.player(self.seat).deck}
        return [Option("choose", card) for card in sorted(deck.intersection(self.wanted))] + [NOTHING]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        player = engine.player(self.seat)
        if option != NOTHING:
            card = card_of(option.card, self.seat)
            player.deck.remove(card)
            engine.shuffle(self.seat, "search")
            self._put(engine, card)
        else:
            engine.shuffle(self.seat, "search")
        engine.emit("shuffle", self.seat)

    def _put(self, engine: Engine, card: CardNumber) -> None:
        zones.put_card(engine, card, self.into)
        known = EVERYBODY if self.shown or self.into == "discard pile" else only(self.seat)
        if self.into == "hand" and not self.shown:
            engine.player(self.seat).shown.remove(card)
        engine.emit("search", self.seat, card, source="deck", to=self.into, known_to=known)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


def draw(engine: Engine, seat: SeatNumber, number: int) -> None:
    """Let a player draw ``number`` cards, from a new deck where the old one ends (DEPL-2)."""
    player = engine.player(seat)
    for _ in range(number):
        card = top_card(engine, seat)
        if card is None:
            return
        player.deck.pop()
        player.hand.append(card)
        engine.emit("draw", seat, card, source="deck", to="hand", known_to=only(seat))


def top_card(engine: Engine, seat: SeatNumber) -> CardNumber | None:
    """Return the top card of a deck, first making a new deck of the discard pile if there is none.

    None if both are empty (Depleting Your Deck; ruling 19).
    """
    player = engine.player(seat)
    if not player.deck:
        if not player.discard:
            return None
        player.deck, player.discard = player.discard, []
        engine.shuffle(seat, "new deck")
        engine.emit("reshuffle", seat, source="discard", to="deck")
    return player.deck[-1]


def shuffle_discard_pile(engine: Engine, seat: SeatNumber) -> None:
    """Shuffle a player's discard pile into their deck."""
    player = engine.player(seat)
    player.deck.extend(player.discard)
    player.discard.clear()
    engine.shuffle(seat, "discard pile")
    engine.emit("reshuffle", seat, source="discard", to="deck")


def take_from_hand(engine: Engine, card: CardNumber, openly: bool = True) -> bool:
    """Take ``card`` out of its owner's hand; return whether it is one that all have seen.

    Of equal cards it is the one that tells nobody of another: one that all have seen if it is put down ``openly``, else
    one that nobody has seen.
    """
    owner = engine.player(owner_of(card))
    owner.hand.remove(card)
    seen = owner.shown.count(card)
    if seen and (openly or seen > owner.hand.count(card)):
        owner.shown.remove(card)
        return True
    return False


def put_back(engine: Engine, card: CardNumber, seen: bool) -> None:
    """Put back into its owner's hand a card that was taken from there; all know it again if all had ``seen`` it."""
    owner = engine.player(owner_of(card))
    owner.hand.append(card)
    if seen:
        owner.shown.append(card)


def discard(engine: Engine, seat: SeatNumber, card: CardNumber) -> None:
    """Let a player put ``card`` from hand into their discard pile."""
    take_from_hand(engine, card)
    zones.to_discard(engine, [card])
    engine.emit("discard", seat, card, source="hand", to="discard")
