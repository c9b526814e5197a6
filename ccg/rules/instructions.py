"""Instructions: the single things that rules and card texts tell players to do.

Each is a frame of its own. Rules push them and go on when they are done; what may interfere with an
instruction has one place to do so. Influence is judged after each instruction that changes it (ruling 4).
Rulebook: Moving Cards in the Play Area, Revealing a Mystic Value, Depleting Your Deck, Glossary.
"""

from __future__ import annotations

from ccg.rules import outcome
from ccg.rules.agenda import Engine, Frame
from ccg.rules.events import only
from ccg.rules.state import Area, Card, Modifier, Piece, Role, Seat


class Instruction(Frame):
    """One instruction; :meth:`happen` does it."""

    def run(self, engine: Engine) -> None:
        """Leave the agenda, then happen."""
        engine.end(self)
        self.happen(engine)

    def happen(self, engine: Engine) -> None:
        """Change the state and tell what happened."""
        raise NotImplementedError


# ---------------------------------------------------------------- moving cards in the play area


class Ready(Instruction):
    """Move pieces from the reserve area to the alert area; others are left as they are (MOVE-2)."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_area(engine, self.pieces, Area.RESERVE):
            engine.move(piece, Area.ALERT)
            engine.tell("ready", piece.controller, piece.top, piece.id, source="reserve", to="alert")


class Commit(Instruction):
    """Move pieces from the alert area to the reserve area; others are left as they are (MOVE-4)."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_area(engine, self.pieces, Area.ALERT):
            engine.move(piece, Area.RESERVE)
            engine.tell("commit", piece.controller, piece.top, piece.id, source="alert", to="reserve")


class Exhaust(Instruction):
    """Turn face-up pieces face down where they lie."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            if not piece.exhausted:
                piece.exhausted = True
                engine.tell("exhaust", piece.controller, piece.top, piece.id)


class Restore(Instruction):
    """Turn face-down pieces face up where they lie."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            if piece.exhausted:
                piece.exhausted = False
                engine.tell("restore", piece.controller, piece.top, piece.id)


# ---------------------------------------------------------------- leaving play


class Defeat(Instruction):
    """Put pieces from play into their owners' discard piles (Glossary: defeat)."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            put_away(engine, piece, "defeat")


class Sacrifice(Instruction):
    """Put one's own pieces into their owners' discard piles; this does not defeat them."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            put_away(engine, piece, "sacrifice")


class SacrificeSupply(Instruction):
    """Put one supply card, which lies under piece ``under``, into its owner's discard pile."""

    under: int
    card: Card

    def happen(self, engine: Engine) -> None:
        stack = engine.find(self.under)
        if stack is not None and self.card in stack.supplies:
            stack.supplies.remove(self.card)
            outcome.to_discard(engine, [self.card])
            engine.tell("sacrifice", stack.controller, self.card, target=stack.id, source="supply", to="discard")


class SacrificeBeneath(Instruction):
    """Sacrifice a card under the top one of a unit stack for +1 power (Play an Ability; ruling 15)."""

    piece: int
    card: Card

    def happen(self, engine: Engine) -> None:
        unit = engine.find(self.piece)
        if unit is not None and self.card in unit.cards[1:]:
            del unit.cards[unit.cards.index(self.card, 1)]
            outcome.to_discard(engine, [self.card])
            engine.state.modifiers.append(Modifier(unit.id, 1, self.card))
            engine.tell("boost", unit.controller, self.card, unit.id, number=1, to="discard", target_card=unit.top)


# ---------------------------------------------------------------- entering play


class EnterPlay(Instruction):
    """A card comes into play in its player's reserve area, face up (PLAY-2, PLAY-3)."""

    seat: Seat
    card: Card

    def happen(self, engine: Engine) -> None:
        role = Role[engine.card(self.card).type.upper()]
        piece = engine.enter(role, Area.RESERVE, self.seat, self.card)
        engine.tell("enter", self.seat, self.card, piece.id, source="hand", to="reserve")


class Overlay(Instruction):
    """A card is put on top of a unit of its title, which is restored where it lies (ruling 13)."""

    piece: int
    card: Card

    def happen(self, engine: Engine) -> None:
        unit = engine.piece(self.piece)
        covered = unit.top
        unit.cards.insert(0, self.card)
        unit.exhausted = False
        unit.role = Role[engine.card(self.card).type.upper()]
        engine.tell("overlay", unit.controller, self.card, unit.id, target_card=covered, source="hand")


# ---------------------------------------------------------------- hands and decks


class Draw(Instruction):
    """Each of ``seats``, in that order, draws ``number`` cards."""

    seats: list[Seat]
    number: int

    def happen(self, engine: Engine) -> None:
        for seat in self.seats:
            draw(engine, seat, self.number)


class RevealMystic(Instruction):
    """A player reveals a mystic value: their deck's top card is shown and discarded.

    ``side`` is the place in the challenge's ``mystic`` that it is for: 0 challenger, 1 defender.
    """

    seat: Seat
    side: int

    def happen(self, engine: Engine) -> None:
        card = top_card(engine, self.seat)
        value = 0
        if card is not None:
            engine.player(self.seat).deck.pop()
            value = engine.card(card).mystic or 0
            outcome.to_discard(engine, [card])
            engine.tell("mystic", self.seat, card, number=value, source="deck", to="discard")
        challenge = engine.state.challenge
        if challenge is not None:
            challenge.mystic[self.side] = value


# ---------------------------------------------------------------- influence


class Influence(Instruction):
    """Change the influence of several players at the same time: ``changes`` are seats and amounts."""

    changes: list[tuple[Seat, int]]

    def happen(self, engine: Engine) -> None:
        for seat, amount in self.changes:
            if amount and not engine.player(seat).lost:
                engine.player(seat).influence += amount
                engine.tell("gain" if amount > 0 else "lose influence", seat, number=abs(amount))
        outcome.judge(engine)


# ---------------------------------------------------------------- what several of them share


def draw(engine: Engine, seat: Seat, number: int) -> None:
    """Let a player draw ``number`` cards, from a new deck where the old one ends (DEPL-2)."""
    player = engine.player(seat)
    for _ in range(number):
        card = top_card(engine, seat)
        if card is None:
            return
        player.deck.pop()
        player.hand.append(card)
        engine.tell("draw", seat, card, source="deck", to="hand", known_to=only(seat))


def top_card(engine: Engine, seat: Seat) -> Card | None:
    """Give the top card of a deck, first making a new deck of the discard pile if there is none.

    None if both are empty (Depleting Your Deck; ruling 19).
    """
    player = engine.player(seat)
    if not player.deck:
        if not player.discard:
            return None
        player.deck, player.discard = player.discard, []
        engine.state.chance.shuffle(player.deck)
        engine.tell("reshuffle", seat, source="discard", to="deck")
    return player.deck[-1]


def put_away(engine: Engine, piece: Piece, verb: str) -> None:
    """Take ``piece`` out of play; every card in it goes to its own owner's discard pile (ruling 14)."""
    engine.tell(verb, piece.controller, piece.top, piece.id, source=piece.area.name.lower(), to="discard")
    engine.remove(piece)
    outcome.to_discard(engine, outcome.cards_of(piece))


def _in_play(engine: Engine, pieces: list[int]) -> list[Piece]:
    return [piece for piece in map(engine.find, pieces) if piece is not None]


def _in_area(engine: Engine, pieces: list[int], area: Area) -> list[Piece]:
    return [piece for piece in _in_play(engine, pieces) if piece.area == area]
