"""Instructions: the single things that rules and abilities of cards tell players to do.

Each is a frame of its own. Rules push them and go on when they are done; what may interfere with an
instruction has one place to do so. Influence is judged after each instruction that changes it (ruling 4).
Rulebook: Moving Cards in the Play Area, Revealing a Mystic Value, Depleting Your Deck, Glossary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Literal

from msgspec import field

from ccg.rules.core import loops, zones
from ccg.rules.core.engine import Choice, Engine, Frame, InstructionKind, Replacement, Returned
from ccg.rules.core.options import Option
from ccg.rules.core.state import (
    Area,
    CardNumber,
    Context,
    Modifier,
    Piece,
    Role,
    SeatNumber,
    definition_of,
)
from ccg.rules.rulebook.resolving import (
    AbilityStep,
    Offered,
    Perform,
    announceable,
    choosable,
    fresh_context,
    next_announced,
    part_of,
    payment_of,
)


class Replaced(Returned, frozen=True):
    """Something else has happened to ``subject`` instead of an instruction."""

    subject: int


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
        if self.kind() in engine.catalog.replaced and not engine.is_cut_off() and self._interrupted(engine):
            return
        super().run(engine)

    def kind(self) -> InstructionKind:
        """The name under which replacements know it."""
        raise NotImplementedError

    def subjects(self, engine: Engine) -> list[int]:
        """The pieces or seats that it is about to happen to."""
        raise NotImplementedError

    def about(self, subject: int) -> int:
        """The piece that "it" is in a replacement for ``subject``; 0 where none is spoken of."""
        return 0

    def spare(self, subject: int) -> None:
        """Leave ``subject`` out, since something else happened instead."""
        raise NotImplementedError

    def receive(self, engine: Engine, returned: Returned) -> None:
        """Something else has happened to one of the subjects."""
        if isinstance(returned, Replaced):
            self.spare(returned.subject)
        else:
            super().receive(engine, returned)

    def _interrupted(self, engine: Engine) -> bool:
        """Let the next replacement that fits be considered, in turn order from the first player."""
        sources = sorted(_bearers(engine), key=lambda source: source[0].area != Area.RESOURCE)  # bases first
        for subject in self.subjects(engine):
            for seat in engine.seats():
                for piece, card, you, bearer in sources:
                    if you != seat:
                        continue
                    context = Context(you, card, piece.id, about=self.about(subject))
                    if self._begin_replacement(engine, subject, context, bearer):
                        return True
        return False

    def _begin_replacement(self, engine: Engine, subject: int, context: Context, bearer: int) -> bool:
        for number, replacement in enumerate(engine.script(context.card).replacements):
            key = (bearer, number, subject)
            if replacement.kind == self.kind() and key not in self.asked and replacement.fits(engine, context, subject):
                self.asked.append(key)
                engine.push(Replace(context=fresh_context(engine, context), number=number, subject=subject))
                return True
        return False


def _bearers(engine: Engine) -> Iterator[tuple[Piece, CardNumber, SeatNumber, int]]:
    """Yield the sources of active abilities, each with the number of the piece that has it: itself, or what is linked.

    Of equal missions linked to one unit each is one.
    """
    met: Counter[tuple[int, CardNumber]] = Counter()
    for piece, card, you in engine.sources():
        linked = [link.id for link in piece.links if not link.exhausted and link.top == card]
        bearer = linked[met[piece.id, card]] if linked else piece.id
        met[piece.id, card] += 1
        yield piece, card, you, bearer


class Replace(Offered, kw_only=True):
    """Replacement ``number`` of a card is considered for ``subject``: whether, its cost, then its effect.

    When it is over the instruction goes on, without the subject if that is what is replaced.
    """

    sets_off: ClassVar[bool] = True

    number: int
    subject: int
    step: AbilityStep = AbilityStep.MAY

    def run(self, engine: Engine) -> None:
        replacement = self._replacement(engine)
        if self.step == AbilityStep.MAY:
            refused = replacement.may and loops.held(engine, self.context.you)
            if refused or not announceable(engine, self.context, replacement.cost, replacement.effect):
                engine.end(self)
            elif replacement.may:
                engine.ask(self.context.you, "may")
            else:
                self.step = AbilityStep.CHOICES
        elif self.step == AbilityStep.CHOICES:
            if replacement.may and not choosable(engine, self.context, (replacement.cost, replacement.effect)):
                engine.end(self)
            elif self.settled(engine):
                self.step = AbilityStep.COST
                engine.emit("trigger", self.context.you, self.context.card, self.context.piece)
        elif self.step == AbilityStep.COST:
            self.step = AbilityStep.EFFECT
            engine.push(*payment_of(self.context, replacement.cost))
        elif self.step == AbilityStep.EFFECT:
            self.step = AbilityStep.OVER
            if replacement.effect >= 0:
                engine.push(Perform(context=part_of(self.context), block=replacement.effect))
        else:
            engine.end(self, Replaced(self.subject) if replacement.instead else None)

    def spoken_of(self, engine: Engine) -> int:
        return self.context.about

    def wanted(self, engine: Engine) -> Choice | None:
        replacement = self._replacement(engine)
        return next_announced(engine, self.context, (replacement.cost, replacement.effect))

    def _replacement(self, engine: Engine) -> Replacement:
        return engine.script(self.context.card).replacements[self.number]


# ---------------------------------------------------------------- moving cards in the play area


class Ready(Instruction):
    """Move pieces from the reserve area to the alert area; others are left as they are (MOVE-2)."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_area(engine, self.pieces, Area.RESERVE):
            engine.move(piece, Area.ALERT)
            engine.emit_about("ready", piece, source="reserve", to="alert")


class Commit(Instruction):
    """Move pieces from the alert area to the reserve area; others are left as they are (MOVE-4)."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_area(engine, self.pieces, Area.ALERT):
            engine.move(piece, Area.RESERVE)
            engine.emit_about("commit", piece, source="alert", to="reserve")


class Exhaust(Instruction):
    """Turn face-up pieces face down where they lie."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            if not piece.exhausted:
                engine.turn(piece, exhausted=True)
                engine.emit_about("exhaust", piece)


class Restore(Instruction):
    """Turn face-down pieces face up where they lie."""

    pieces: list[int]

    def happen(self, engine: Engine) -> None:
        for piece in _in_play(engine, self.pieces):
            if piece.exhausted:
                engine.turn(piece, exhausted=False)
                engine.emit_about("restore", piece)


# ---------------------------------------------------------------- leaving play


class Defeat(Replaceable):
    """Put pieces from play into their owners' discard piles (Glossary: defeat)."""

    pieces: list[int]

    def kind(self) -> InstructionKind:
        return "defeat"

    def subjects(self, engine: Engine) -> list[int]:
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

    seat: SeatNumber
    under: int

    def run(self, engine: Engine) -> None:
        supplies = self._supplies(engine)
        if len({definition_of(card) for card in supplies}) > 1:
            engine.ask(self.seat, "which_supply")
        else:
            self._sacrifice(engine, supplies[:1])

    def options(self, engine: Engine) -> list[Option]:
        return [Option("choose", card) for card in sorted({definition_of(card) for card in self._supplies(engine)})]

    def take(self, engine: Engine, option: Option) -> None:
        self._sacrifice(engine, [card for card in self._supplies(engine) if definition_of(card) == option.card][:1])

    def _supplies(self, engine: Engine) -> list[CardNumber]:
        stack = engine.find(self.under)
        return stack.supplies if stack is not None else []

    def _sacrifice(self, engine: Engine, cards: list[CardNumber]) -> None:
        engine.end(self)
        for card in cards:
            engine.piece(self.under).supplies.remove(card)
            zones.to_discard(engine, [card])
            engine.emit("sacrifice", self.seat, card, target=self.under, source="supply", to="discard")

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.seat


class Put(Instruction):
    """Put pieces from play into their owners' hands, decks or reserve areas; what lies with them: ruling 14."""

    pieces: list[int]
    place: str

    def happen(self, engine: Engine) -> None:
        for piece in _leaving(engine, self.pieces):
            engine.emit_about("put", piece, source=piece.area.name.lower(), to=self.place)
            if self.place == "reserve":
                engine.move(piece, Area.RESERVE, piece.owner)
                continue
            zones.leave_play(engine, piece, self.place)


class SacrificeBeneath(Instruction):
    """Sacrifice a card under the top one of a unit stack for +1 power (Play an Ability; ruling 15)."""

    piece: int
    card: CardNumber

    def happen(self, engine: Engine) -> None:
        unit = engine.find(self.piece)
        if unit is not None and self.card in unit.cards[1:]:
            engine.take_from_stack(unit, unit.cards.index(self.card, 1))
            zones.to_discard(engine, [self.card])
            engine.modify(Modifier("power", Context(unit.controller, self.card, unit.id), [unit.id], amount=1))
            engine.emit("boost", unit.controller, self.card, unit.id, number=1, to="discard", target_card=unit.top)


# ---------------------------------------------------------------- entering play


class EnterPlay(Instruction):
    """A card comes into play in its player's reserve area, face up (PLAY-2, PLAY-3)."""

    seat: SeatNumber
    card: CardNumber

    def happen(self, engine: Engine) -> None:
        role = engine.role(self.card)
        piece = engine.enter(role, Area.RESERVE, self.seat, self.card)
        engine.emit("enter", self.seat, self.card, piece.id, source="hand", to="reserve")


class Overlay(Instruction):
    """A card is put on top of a unit of its title, which is restored where it lies (ruling 13)."""

    piece: int
    card: CardNumber

    def happen(self, engine: Engine) -> None:
        unit = engine.piece(self.piece)
        covered = unit.top
        engine.put_on_top(unit, self.card)
        engine.turn(unit, exhausted=False)
        engine.emit("overlay", unit.controller, self.card, unit.id, target_card=covered, source="hand")


# ---------------------------------------------------------------- what several of them share


def put_away(engine: Engine, piece: Piece, verb: Literal["defeat", "sacrifice"]) -> None:
    """Take ``piece`` out of play; every card in it goes to its own owner's discard pile (ruling 14)."""
    engine.emit_about(verb, piece, source=piece.area.name.lower(), to="discard")
    zones.leave_play(engine, piece)


def _in_play(engine: Engine, pieces: list[int]) -> list[Piece]:
    return [piece for piece in map(engine.find, pieces) if piece is not None]


def _leaving(engine: Engine, pieces: list[int]) -> list[Piece]:
    """Return those that can leave play: every player has one base, all through the game."""
    return [piece for piece in _in_play(engine, pieces) if piece.role != Role.BASE]


def _in_area(engine: Engine, pieces: list[int], area: Area) -> list[Piece]:
    return [piece for piece in _in_play(engine, pieces) if piece.area == area]
