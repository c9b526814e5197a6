"""Instructions: the single things that rules and card texts tell players to do.

Each is a frame of its own. Rules push them and go on when they are done; what may interfere with an
instruction has one place to do so. Influence is judged after each instruction that changes it (ruling 4).
Rulebook: Moving Cards in the Play Area, Revealing a Mystic Value, Depleting Your Deck, Glossary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import field

from ccg.rules import outcome
from ccg.rules.agenda import Choice, Engine, Frame, Replacement
from ccg.rules.events import EVERYBODY, only
from ccg.rules.options import NOTHING, Option
from ccg.rules.performing import Offered, Perform, announceable, fresh_scope, next_announced
from ccg.rules.state import Area, Card, Modifier, Piece, Role, Scope, Seat, owner_of


class Instruction(Frame):
    """One instruction; :meth:`happen` does it."""

    def run(self, engine: Engine) -> None:
        """Leave the agenda, then happen."""
        engine.end(self)
        self.happen(engine)

    def happen(self, engine: Engine) -> None:
        """Change the state and tell what happened."""
        raise NotImplementedError


class Replaceable(Instruction, kw_only=True):
    """An instruction instead of which something else may happen to some of its subjects.

    ``asked`` are the replacements already considered: each only once for an instruction, by the piece that
    says it (a linked mission is one of its own), its number there, and the subject.
    """

    asked: list[tuple[int, int, int]] = field(default_factory=list)

    def run(self, engine: Engine) -> None:
        if self.kind() in engine.catalog.replaced and self._interrupted(engine):
            return
        super().run(engine)

    def kind(self) -> str:
        """The name under which replacements know it."""
        raise NotImplementedError

    def subjects(self) -> list[int]:
        """The pieces or seats that it is about to happen to."""
        raise NotImplementedError

    def about(self, subject: int) -> int:
        """The piece that "it" is in a replacement for ``subject``; 0 where none is spoken of."""
        return 0

    def spare(self, subject: int) -> None:
        """Leave ``subject`` out, since something else happened instead."""
        raise NotImplementedError

    def _interrupted(self, engine: Engine) -> bool:
        """Let the next replacement that fits be considered, in turn order from the first player."""
        sources = sorted(_bearers(engine), key=lambda source: source[0].area != Area.RESOURCE)  # bases first
        for subject in self.subjects():
            for seat in engine.seats():
                for piece, card, you, bearer in sources:
                    if you != seat:
                        continue
                    scope = Scope(you, card, piece.id, about=self.about(subject))
                    if self._begin_replacement(engine, subject, scope, bearer):
                        return True
        return False

    def _begin_replacement(self, engine: Engine, subject: int, scope: Scope, bearer: int) -> bool:
        for number, replacement in enumerate(engine.script(scope.card).replacements):
            key = (bearer, number, subject)
            if replacement.kind == self.kind() and key not in self.asked and replacement.fits(engine, scope, subject):
                self.asked.append(key)
                engine.push(Replace(scope=fresh_scope(engine, scope), number=number, subject=subject))
                return True
        return False


def _bearers(engine: Engine) -> Iterator[tuple[Piece, Card, Seat, int]]:
    """Give the sources of texts in force, each with the number of the piece that bears it: itself, or what is linked.

    Of equal missions linked to one unit each is one.
    """
    met: Counter[tuple[int, Card]] = Counter()
    for piece, card, you in engine.sources():
        linked = [link.id for link in piece.links if not link.exhausted and link.top == card]
        bearer = linked[met[piece.id, card]] if linked else piece.id
        met[piece.id, card] += 1
        yield piece, card, you, bearer


class Replace(Offered, kw_only=True):
    """Replacement ``number`` of a card is considered for ``subject``: whether, its cost, then its effect.

    ``step``: 0 may, 1 choices, 2 cost, 3 effect, 4 the instruction beneath goes on without the subject.
    """

    number: int
    subject: int
    step: int = 0

    def run(self, engine: Engine) -> None:
        replacement = self._replacement(engine)
        if self.step == 0:
            if not announceable(engine, self.scope, replacement.cost, replacement.effect):
                engine.end(self)
            elif replacement.may:
                engine.ask(self.scope.you, "may")
            else:
                self.step = 1
        elif self.step == 1:
            if self.settled(engine):
                self.step = 2
                engine.tell("trigger", self.scope.you, self.scope.card, self.scope.piece)
        elif self.step < 4:
            self.step += 1
            block = replacement.cost if self.step == 3 else replacement.effect
            if block >= 0:
                engine.push(Perform(scope=self.scope, block=block, cost=self.step == 3))
        else:
            engine.end(self)
            beneath = engine.state.agenda[-1]
            if replacement.instead and isinstance(beneath, Replaceable):
                beneath.spare(self.subject)

    def wanted(self, engine: Engine) -> Choice | None:
        replacement = self._replacement(engine)
        return next_announced(engine, self.scope, (replacement.cost, replacement.effect))

    def _replacement(self, engine: Engine) -> Replacement:
        return engine.script(self.scope.card).replacements[self.number]


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


class Defeat(Replaceable):
    """Put pieces from play into their owners' discard piles (Glossary: defeat)."""

    pieces: list[int]

    def kind(self) -> str:
        return "defeat"

    def subjects(self) -> list[int]:
        return self.pieces

    def about(self, subject: int) -> int:
        return subject

    def spare(self, subject: int) -> None:
        self.pieces = [piece for piece in self.pieces if piece != subject]

    def happen(self, engine: Engine) -> None:
        for piece in _leaving(engine, self.pieces):
            put_away(engine, piece, "defeat")


class Sacrifice(Instruction):
    """Put one's own pieces into their owners' discard piles; this does not defeat them."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _leaving(engine, self.pieces):
            put_away(engine, piece, "sacrifice")


class SacrificeSupply(Frame):
    """``seat`` sacrifices a supply card of theirs that lies under piece ``under`` (Glossary: sacrifice).

    They may look at them (ruling 7), so they choose one if they are not all equal.
    """

    seat: Seat
    under: int

    def run(self, engine: Engine) -> None:
        supplies = self._supplies(engine)
        if len({card >> 3 for card in supplies}) > 1:
            engine.ask(self.seat, "which_supply")
        else:
            self._sacrifice(engine, supplies[:1])

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", card) for card in sorted({card >> 3 for card in self._supplies(engine)})]

    def take(self, engine: Engine, option: Option) -> None:
        self._sacrifice(engine, [card for card in self._supplies(engine) if card >> 3 == option.card][:1])

    def _supplies(self, engine: Engine) -> list[Card]:
        stack = engine.find(self.under)
        return stack.supplies if stack is not None else []

    def _sacrifice(self, engine: Engine, cards: list[Card]) -> None:
        engine.end(self)
        for card in cards:
            engine.piece(self.under).supplies.remove(card)
            outcome.to_discard(engine, [card])
            engine.tell("sacrifice", self.seat, card, target=self.under, source="supply", to="discard")

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class SacrificeBeneath(Instruction):
    """Sacrifice a card under the top one of a unit stack for +1 power (Play an Ability; ruling 15)."""

    piece: int
    card: Card

    def happen(self, engine: Engine) -> None:
        unit = engine.find(self.piece)
        if unit is not None and self.card in unit.cards[1:]:
            del unit.cards[unit.cards.index(self.card, 1)]
            outcome.to_discard(engine, [self.card])
            engine.modify(Modifier("power", Scope(unit.controller, self.card, unit.id), [unit.id], amount=1))
            engine.tell("boost", unit.controller, self.card, unit.id, number=1, to="discard", target_card=unit.top)


# ---------------------------------------------------------------- entering play


class EnterPlay(Instruction):
    """A card comes into play in its player's reserve area, face up (PLAY-2, PLAY-3)."""

    seat: Seat
    card: Card

    def happen(self, engine: Engine) -> None:
        role = engine.role(self.card)
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
        unit.role = engine.role(self.card)
        engine.tell("overlay", unit.controller, self.card, unit.id, target_card=covered, source="hand")


# ---------------------------------------------------------------- hands and decks


class Draw(Instruction):
    """Each of ``seats``, in that order, draws ``number`` cards."""

    seats: list[Seat]
    number: int

    def happen(self, engine: Engine) -> None:
        for seat in self.seats:
            draw(engine, seat, self.number)


class Discard(Frame):
    """A player discards ``number`` cards of their own choice from hand (Glossary: discard)."""

    seat: Seat
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
        return [Option("choose", card) for card in sorted({card >> 3 for card in engine.player(self.seat).hand})]

    def take(self, engine: Engine, option: Option) -> None:
        self.number -= 1
        discard(engine, self.seat, option.card << 3 | self.seat)

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


class Mill(Instruction):
    """Each of ``seats`` puts ``number`` cards from the top of their deck into their discard pile."""

    seats: list[Seat]
    number: int

    def happen(self, engine: Engine) -> None:
        for seat in self.seats:
            for _ in range(self.number):
                card = top_card(engine, seat)
                if card is not None:
                    engine.player(seat).deck.pop()
                    outcome.to_discard(engine, [card])
                    engine.tell("mill", seat, card, source="deck", to="discard")


class Put(Instruction):
    """Put pieces from play into their owners' hands or decks; what lies with them goes as in ruling 14."""

    pieces: list[int]
    place: str

    def happen(self, engine: Engine) -> None:
        for piece in _leaving(engine, self.pieces):
            engine.tell("put", piece.controller, piece.top, piece.id, source=piece.area.name.lower(), to=self.place)
            if self.place == "reserve":
                engine.move(piece, Area.RESERVE)
                continue
            take_out(engine, piece, self.place)


class Search(Frame):
    """A player searches their deck for one of ``wanted`` (definitions), may take it, and shuffles.

    Taking nothing is always allowed (GEN-5); a card sought by its kind is shown to all.
    """

    seat: Seat
    wanted: list[int]
    shown: bool

    def run(self, engine: Engine) -> None:
        engine.ask(self.seat, "search")

    def options(self, engine: Engine) -> list[Option]:
        deck = {card >> 3 for card in engine.player(self.seat).deck}
        return [Option("choose", card) for card in sorted(deck.intersection(self.wanted))] + [NOTHING]

    def take(self, engine: Engine, option: Option) -> None:
        engine.end(self)
        player = engine.player(self.seat)
        if option != NOTHING:
            card = option.card << 3 | self.seat
            player.deck.remove(card)
            player.hand.append(card)
            if self.shown:
                player.shown.append(card)
            known = EVERYBODY if self.shown else only(self.seat)
            engine.tell("search", self.seat, card, source="deck", to="hand", known_to=known)
        engine.state.chance.shuffle(player.deck)
        engine.tell("shuffle", self.seat)

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.seat


# ---------------------------------------------------------------- influence


class Influence(Replaceable):
    """Change the influence of several players at the same time: ``changes`` are seats and amounts.

    What is prevented now does not happen ("can't" beats "can").
    """

    changes: list[tuple[Seat, int]]

    def kind(self) -> str:
        return "lose influence"

    def subjects(self) -> list[int]:
        return [seat for seat, amount in self.changes if amount < 0]

    def spare(self, subject: int) -> None:
        self.changes = [(seat, amount) for seat, amount in self.changes if seat != subject]

    def happen(self, engine: Engine) -> None:
        for seat, amount in self.changes:
            if amount and not engine.player(seat).lost and not prevented(engine, amount):
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


def shuffle_discard_pile(engine: Engine, seat: Seat) -> None:
    """Shuffle a player's discard pile into their deck."""
    player = engine.player(seat)
    player.deck.extend(player.discard)
    player.discard.clear()
    engine.state.chance.shuffle(player.deck)
    engine.tell("reshuffle", seat, source="discard", to="deck")


def discard(engine: Engine, seat: Seat, card: Card) -> None:
    """Let a player put ``card`` from hand into their discard pile."""
    player = engine.player(seat)
    player.hand.remove(card)
    if card in player.shown:
        player.shown.remove(card)
    outcome.to_discard(engine, [card])
    engine.tell("discard", seat, card, source="hand", to="discard")


def put_card(engine: Engine, card: Card, place: str) -> None:
    """Put ``card`` into its owner's hand, or on top of, under, or shuffled into their deck."""
    owner = engine.player(owner_of(card))
    if owner.lost:
        owner.gone.append(card)
    elif place == "hand":
        owner.hand.append(card)
        owner.shown.append(card)
    elif place == "discard pile":
        owner.discard.append(card)
    elif place == "bottom of deck":
        owner.deck.insert(0, card)
    else:
        owner.deck.append(card)
        if place == "deck":
            engine.state.chance.shuffle(owner.deck)


def take_out(engine: Engine, piece: Piece, place: str) -> None:
    """Take ``piece`` out of play into its owners' hands or decks; what lies with it is discarded (ruling 14)."""
    engine.remove(piece)
    outcome.to_discard(engine, outcome.cards_of(piece)[len(piece.cards) :])
    for card in piece.cards:
        put_card(engine, card, place)


def put_away(engine: Engine, piece: Piece, verb: str) -> None:
    """Take ``piece`` out of play; every card in it goes to its own owner's discard pile (ruling 14)."""
    engine.tell(verb, piece.controller, piece.top, piece.id, source=piece.area.name.lower(), to="discard")
    engine.remove(piece)
    outcome.to_discard(engine, outcome.cards_of(piece))


def prevented(engine: Engine, amount: int) -> bool:
    """Whether influence cannot change in the direction of ``amount`` now."""
    what = "influence gain" if amount > 0 else "influence loss"
    return any(force.word == what for force in engine.in_force("prevent"))


def _in_play(engine: Engine, pieces: list[int]) -> list[Piece]:
    return [piece for piece in map(engine.find, pieces) if piece is not None]


def _leaving(engine: Engine, pieces: list[int]) -> list[Piece]:
    """Give those that can leave play: every player has one base, all through the game."""
    return [piece for piece in _in_play(engine, pieces) if piece.role != Role.BASE]


def _in_area(engine: Engine, pieces: list[int], area: Area) -> list[Piece]:
    return [piece for piece in _in_play(engine, pieces) if piece.area == area]
