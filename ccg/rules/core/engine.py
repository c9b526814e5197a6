"""The agenda: what is still to happen, as a stack of frames, and the engine that works it off.

A frame is plain data with a little procedure: ``run`` carries out its next step and returns. A step may
put further frames on top (they are done first), ask a player (the engine then waits), or end the frame.
There is no other control flow: whatever a game is in the middle of can be saved, copied and gone on with.

No frame knows what lies beneath it. What it has found out it hands, as it ends, to the frame that pushed it:
``engine.end(self, Revealed(value))`` calls the ``receive`` of that frame, which takes what it waits for and hands
on everything else (docs/decisions/0003-frames-with-steps.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import ClassVar, Final, Literal

from ccg.rules.cards.definitions import Catalog, Requirement
from ccg.rules.cards.phrases import Selector
from ccg.rules.core.causes import Cause, CauseKind, Lasts
from ccg.rules.core.chance import Drawing
from ccg.rules.core.data import Data, Fixed, extended
from ccg.rules.core.events import EVERYBODY, Event, EventKind
from ccg.rules.core.options import Option, Owing
from ccg.rules.core.state import (
    Area,
    CardNumber,
    Context,
    ModifierKind,
    Piece,
    Role,
    SeatNumber,
    State,
    Until,
    Waiting,
    definition_of,
)
from ccg.rules.core.work import MeteredBoard
from ccg.rules.errors import EngineError

STEP_LIMIT: Final = 5_000
"""Steps between two decisions after which a game counts as caught in a loop (a fault, never a hang).

Three thousand random games with all cards took 230 at most."""

DEPTH_LIMIT = 1_500
"""Frames on the agenda after which cards count as setting each other off for ever, asking or not (real games: 91)."""

MOST_CHOICES: Final = 100
"""How often players may have to choose in one phase for what was set off by what was set off itself (ruling 92).

In random games with all cards nobody ever has to: nothing is set off that deep."""

EVENT_LIMIT: Final = 20_000
"""Events between two decisions after which what cards do counts as endless (real games: 138)."""

EVENTS_LOOKED_AT = 400
"""Among how many of the last events the cards that go on for ever are sought."""


class Source(Fixed, frozen=True):
    """The card that asks something: by its text, or because it is played; ``piece`` is the card in play, if it is."""

    card: CardNumber
    piece: int = 0


class Returned(Fixed, frozen=True):
    """What a frame hands to the one that pushed it; each kind is a small record beside the frame that makes it."""


class Frame(Data, tag=True):
    """Something that is happening. Subclasses add their data and say what their steps do.

    ``asks`` is the question of a frame under which half-made moves are made; one that ``stands_alone`` does not
    go with the frame beneath it when a player leaves. Where the ``rules_ask``, no card beneath the frame is the
    source of a question. ``chooses`` says what is to be chosen, where that is no :class:`Choice`. What lies above a
    frame that ``sets_off`` abilities was set off.
    """

    asks: ClassVar[str] = ""
    chooses: ClassVar[str] = ""
    stands_alone: ClassVar[bool] = False
    rules_ask: ClassVar[bool] = False
    sets_off: ClassVar[bool] = False

    def run(self, engine: Engine) -> None:
        """Carry out the next step: change things, push frames, ask, or end."""
        raise EngineError("frame", f"{type(self).__name__} has no steps")

    def options(self, engine: Engine) -> list[Option]:
        """List everything that the player asked by this frame may choose."""
        raise EngineError("frame", f"{type(self).__name__} asks nothing")

    def take(self, engine: Engine, option: Option) -> None:
        """Go on with what was chosen."""
        raise EngineError("frame", f"{type(self).__name__} asks nothing")

    def deciding(self, engine: Engine) -> list[SeatNumber]:
        """Return who is asked by this frame, from the one who is asked first; all are offered the same options.

        Most frames ask one player. One that asks several at once overrides :meth:`take_from` as well, and
        :meth:`answer_of` where answers wait for each other.
        """
        asking = engine.state.asking
        return [] if asking is None else [asking]

    def take_from(self, engine: Engine, seat: SeatNumber, option: Option) -> None:
        """Go on with what ``seat``, one of those asked, has chosen."""
        self.take(engine, option)

    def answer_of(self, seat: SeatNumber) -> Option | None:
        """Return what ``seat`` has chosen that is not carried out yet, as others who are asked at once go before."""
        return None

    def asked_by(self, engine: Engine) -> Source | None:
        """Return the card that asks what is asked here; None if it is that of the frame beneath, or none."""
        return None

    def choosing(self, engine: Engine) -> Choice | None:
        """Return what is chosen for an ability in this frame, if that is what it asks."""
        return None

    def requirement(self, engine: Engine) -> Requirement | None:
        """Return the requirement for which a question of this frame names a piece; None if it names none."""
        return None

    def spoken_of(self, engine: Engine) -> int:
        """Return the piece that a question of this frame is about, besides the card that asks; 0 if it is none."""
        return 0

    def comes_to_nothing(self, engine: Engine) -> bool:
        """Return whether this frame, not begun yet, would end at once without having asked or done anything."""
        return False

    def half_made(self) -> bool:
        """Return whether this frame belongs to a half-made move, which can still be taken back."""
        return False

    def announcing(self) -> Context | None:
        """Return the context of the half-made move for which this frame lets its player choose, if it does."""
        return None

    def owing(self) -> Owing | None:
        """Return what is still to be paid, if this frame is a payment."""
        return None

    def proposal(self, engine: Engine) -> list[int]:
        """Return the stacks that could be spent to pay what is owing; none if nothing is, or nothing is proposed."""
        return []

    def taken_back(self) -> None:
        """Forget the move begun above this frame, which was taken back."""

    def unmade(self, engine: Engine) -> None:
        """Take back what is half made in this frame, which itself goes on (ruling 90)."""

    def breaks_off(self, engine: Engine) -> bool:
        """Return whether this frame ends since a player left, so that all frames above it are dropped (ruling 90)."""
        return False

    def belongs_to(self, seat: SeatNumber) -> bool:
        """Return whether this frame, with what it set going above it, goes when the player leaves the game."""
        return False

    def forget(self, seat: SeatNumber) -> None:
        """Remove what the player at ``seat``, who leaves the game, was still to do in this frame."""

    def receive(self, engine: Engine, returned: Returned) -> None:
        """Take what a frame above this one hands down; what is not for this frame goes to the one that pushed it."""
        engine.hand_on(self, returned)

    def held(self) -> list[CardNumber]:
        """Return the cards that are in no zone because they are just being played."""
        return []

    def is_one_instruction(self) -> bool:
        """Return whether all that happens above it belongs to one instruction (rulings 4 and 18)."""
        return False

    def looked_at(self, seat: SeatNumber) -> int:
        """Return how many cards from the deck of the player at ``seat`` this only looks at (ZONE-5)."""
        return 0

    def dropped(self, engine: Engine) -> None:
        """Clean up as this frame is dropped unfinished: return cards only looked at, discard cards it holds."""


# ---------------------------------------------------------------- what cards do, ready for use


class Choice(Fixed, frozen=True):
    """Something to be chosen for an ability: its ``number`` in ``context.chosen``, and what may be chosen.

    ``kind`` is pieces, players, mode, number, may, cards or supplies; ``least`` and ``most`` say how many, and
    ``what`` the phrase says, if it is one.
    """

    number: int
    kind: str
    candidates: Callable[[Engine, Context], list[int]]
    least: int = 1
    most: int = 1
    what: Selector | None = None

    @property
    def question(self) -> str:
        """The kind of decision in which this is chosen."""
        return "may" if self.kind == "may" else "choose"

    def option(self, candidate: int) -> Option:
        """Return the option that stands for ``candidate``."""
        if self.kind == "players":
            return Option("choose", player=candidate)
        if self.kind in ("mode", "number"):
            return Option("choose", number=candidate)
        if self.kind == "may":
            return Option("yes" if candidate else "no")
        if self.kind == "cards":
            return Option("choose", definition_of(candidate))
        if self.kind == "supplies":
            return Option("choose", target=candidate, word="supply")
        return Option("choose", piece=candidate)


class Branch(Fixed, frozen=True):
    """A way that a step can go, for those who count: ``what`` it is called ("": not counted itself).

    It is taken as ``answer`` is given to the choice ``number``; without a number as ``block`` begins, or as the
    option ``word`` is chosen in a frame that the step has pushed. ``prefix`` stands before the names of the
    branches inside ``block``.
    """

    what: str
    block: int = -1
    number: int = -1
    answer: int = 0
    prefix: str = ""
    word: str = ""


@extended
class Effect:
    """One compiled step of an ability; subclasses belong to the words of the language.

    One that can be taken once each turn is remembered under its ``once_number``.
    """

    once_number: int | None = None

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        """Return the choices made as the ability is played, in order (Meeting Requirements)."""
        return iter(())

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        """Return the choice made only as this step is carried out, if there is one."""
        return None

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        """Carry the step out: return the frames that do it."""
        raise NotImplementedError

    def possible(self, engine: Engine, context: Context) -> bool:
        """Return whether this step could do anything now (EFF-5)."""
        return True

    def nameable(self, engine: Engine, context: Context) -> bool:
        """Return whether there is somebody or something that this step can be done to (rulings 81 and 97)."""
        return True

    def claims(self, engine: Engine, context: Context) -> list[int]:
        """Return the pieces that, in a cost, only pay as long as they are not spent or committed for something else."""
        return []

    def branches(self) -> Iterator[Branch]:
        """Return the ways that this step can go."""
        return iter(())


class ActivatedAbility(Fixed, frozen=True):
    """An ability played as an action or in a challenge: blocks for its cost and its effect."""

    cost: int
    effect: int
    condition: Callable[[Engine, Context], bool] | None = None
    once: bool = False


class Trigger(Fixed, frozen=True):
    """An ability set off by events of ``kinds`` that ``fits``; ``effect`` is its block.

    ``cost`` is the block of what its controller may pay for it (-1: no cost); ``may`` that they may decline.
    """

    kinds: tuple[EventKind, ...]
    fits: Callable[[Engine, Context, Event], bool]
    begin: Callable[[Waiting], Frame]
    effect: int
    cost: int = -1
    may: bool = False
    once: bool = False


class ContinuousEffect(Fixed, frozen=True):
    """A continuous change of ``kind``: which pieces it touches, how much or what it says, and while what."""

    kind: ModifierKind
    touches: Callable[[Engine, Context, Piece], bool]
    amount: Callable[[Engine, Context, Piece], int]
    word: str = ""
    holds: Callable[[Engine, Context], bool] | None = None


InstructionKind = Literal["defeat", "lose influence"]
"""The instructions instead of which something else may happen."""


class Replacement(Fixed, frozen=True):
    """What may happen instead of an instruction of ``kind`` to a piece or player that ``fits``.

    Unless it is ``instead``, the instruction still happens, changed by the effect (a loss reduced).
    """

    kind: InstructionKind
    fits: Callable[[Engine, Context, int], bool]
    effect: int
    cost: int = -1
    may: bool = False
    instead: bool = True


class Script(Fixed, frozen=True):
    """All that a card does. Blocks are lists of steps, referred to by their numbers.

    ``cost`` is paid for ``effect``, besides the resources, as an event is played or a mission resolved. What is played
    or used ``only_helps`` where it does good to what it targets, and nothing else; so with ``only_harms``.
    """

    blocks: tuple[tuple[Effect, ...], ...] = ()
    choices: int = 0
    effect: int = -1
    cost: int = -1
    red: int = -1
    actions: tuple[ActivatedAbility, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    changes: tuple[ContinuousEffect, ...] = ()
    printed_changes: tuple[int, ...] = ()
    changing: frozenset[ModifierKind] = frozenset()
    replacements: tuple[Replacement, ...] = ()
    adds: str | None = None
    counts_as: tuple[Requirement, ...] = ()
    helps: str = ""
    only_helps: bool = False
    only_harms: bool = False
    excluded: Callable[[Engine, Context, Piece], bool] | None = None
    react: Callable[[Engine, Context, Piece], bool] | None = None
    condition: Callable[[Engine, Context], bool] | None = None
    passive: bool = False
    hears: frozenset[EventKind] = frozenset()


NO_SCRIPT: Final = Script()


class ActiveModifier(Fixed, frozen=True):
    """A modifier that is active: from a card in play, or made for a while by an effect (``pieces``, if named).

    It ends ``until`` a moment, or ``lasts`` as long as its card is in play or linked.
    """

    change: ContinuousEffect | None
    context: Context
    pieces: list[int] | None
    fixed: int
    word: str
    until: Until | None = None
    lasts: Lasts = ""

    def holds(self, engine: Engine) -> bool:
        """Return whether what it depends on is so."""
        holds = self.change.holds if self.change is not None else None
        if holds is None:
            return True
        engine.deeper(self.context.card)
        held = holds(engine, self.context)
        engine.depth -= 1
        return held

    def touches(self, engine: Engine, piece: Piece) -> bool:
        """Return whether it changes ``piece``."""
        if self.pieces is not None:
            return piece.id in self.pieces
        if self.change is None:
            return False
        engine.deeper(self.context.card)
        touched = self.change.touches(engine, self.context, piece)
        engine.depth -= 1
        return touched

    def amount(self, engine: Engine, piece: Piece) -> int:
        """Return by how much, which is the same for every piece."""
        if self.pieces is not None or self.change is None:
            return self.fixed
        kept = engine.amounts.get(id(self)) if engine.still else None
        if kept is not None:
            return kept[1]
        engine.deeper(self.context.card)
        amount = self.change.amount(engine, self.context, piece)
        engine.depth -= 1
        if engine.keeps():
            engine.amounts[id(self)] = (self, amount)
        return amount

    def cause(self, kind: CauseKind, amount: int = 0, word: str = "") -> Cause:
        """Return the record of this modifier as a cause, for explanations: by ``amount``, or by ``word``."""
        return Cause(
            kind, amount, word, self.context.card, 0 if self.until else self.context.piece, self.until, self.lasts
        )


NO_MODIFIERS: Final[tuple[ActiveModifier, ...]] = ()


# ---------------------------------------------------------------- the engine


class Engine(MeteredBoard[Frame]):
    """A game as the rules see it: the board, the agenda, what cards do, and the events since the last choice."""

    __slots__ = (
        "_active_modifiers",
        "_depending",
        "_holding",
        "_kinds",
        "_occasions",
        "_sources",
        "amounts",
        "changes",
        "drawings",
        "events",
        "scripts",
        "settling",
        "still",
        "traits",
    )  # fmt: skip

    def __init__(self, state: State[Frame], catalog: Catalog) -> None:
        super().__init__(state, catalog)
        self.scripts: tuple[Script, ...] = catalog.scripts
        self._occasions: Set[str] = catalog.occasions
        self.events: list[Event] = []
        self.drawings: list[Drawing] = []
        self.settling: dict[int, tuple[str, ...]] = {}
        self._active_modifiers: dict[ModifierKind, list[ActiveModifier]] = {}
        self._depending: set[ModifierKind] = set()
        self._sources: list[tuple[Piece, CardNumber, SeatNumber]] | None = None
        self._kinds: Set[ModifierKind] | None = None
        self.still = False
        """Whether nothing changes, since somebody must choose: what is worked out then is kept."""
        # With each amount the modifier, by whose identity it is found: no other can come to have the same meanwhile.
        self.amounts: dict[int, tuple[ActiveModifier, int]] = {}
        self.changes: dict[tuple[ModifierKind, int], int] = {}
        self.traits: dict[int, tuple[str, ...]] = {}
        self._holding: dict[ModifierKind, list[ActiveModifier]] = {}

    # -- what is worked out and kept

    def rest(self) -> None:
        """Keep what is worked out from now on: nothing changes until :meth:`stir`."""
        self.still = True

    def stir(self) -> None:
        """Forget what was kept: from now on anything may change."""
        if self.still:
            self.still = False
            self._forget()

    def keeps(self) -> bool:
        """Return whether what has been worked out just now may be kept: nothing changes, and it is not half done."""
        return self.still and not self.settling

    def asked_anew(self, question: Callable[[], bool]) -> bool:
        """Return the answer to ``question`` about what is not so, such as a card that lies otherwise than it does.

        What was kept is not used for it, and nothing that is worked out for it is kept.
        """
        still, self.still = self.still, False
        try:
            return question()
        finally:
            self.still = still

    def _forget(self) -> None:
        self.amounts.clear()
        self.changes.clear()
        self.traits.clear()
        self._holding.clear()

    # -- chance

    def shuffle(self, seat: SeatNumber, why: str) -> None:
        """Put the deck of ``seat`` into random order, and note ``why`` and what came of it."""
        chance, deck = self.state.chance, self.state.players[seat].deck
        at, before = chance.drawn, tuple(deck)
        chance.shuffle(deck)
        self.drawings.append(Drawing(why, seat, at, before, tuple(deck)))

    def draw_lot(self, seats: list[SeatNumber], why: str) -> SeatNumber:
        """Return one of ``seats``, each equally likely, and note ``why`` it was drawn."""
        chance = self.state.chance
        at, drawn = chance.drawn, seats[chance.below(len(seats))]
        self.drawings.append(Drawing(why, drawn, at, tuple(seats), (drawn,)))
        return drawn

    # -- the agenda

    def push(self, *frames: Frame) -> None:
        """Put ``frames`` on the agenda so that the first of them is done first."""
        agenda = self.state.agenda
        for frame in reversed(frames):
            agenda.append(frame)

    def end(self, frame: Frame, returned: Returned | None = None) -> None:
        """Take ``frame`` off the agenda, where it must be on top, and hand what it ``returned`` to who pushed it."""
        agenda = self.state.agenda
        if agenda.pop() is not frame:
            raise EngineError("agenda", f"{type(frame).__name__} ended while something lay above it")
        if returned is not None and agenda:
            agenda[-1].receive(self, returned)

    def hand_on(self, frame: Frame, returned: Returned) -> None:
        """Hand what ``frame`` was handed, and does not wait for, to the frame that pushed it or that it interrupts.

        Where nobody waits for it any more, since who did has left the game, it is of no use.
        """
        agenda = self.state.agenda
        place = next(place for place, other in enumerate(agenda) if other is frame)
        if place:
            agenda[place - 1].receive(self, returned)

    def ask(self, seat: SeatNumber, question: str) -> None:
        """Wait for ``seat`` to choose among the options of the frame on top.

        Where that frame asks several at once (:meth:`Frame.deciding`), ``seat`` is the first of them.
        """
        self.state.asking = seat
        self.state.question = question

    def deciding(self) -> list[SeatNumber]:
        """Return who must choose now, in the order in which they are asked one by one: nearly always one player."""
        state = self.state
        return state.agenda[-1].deciding(self) if state.asking is not None and state.agenda else []

    def asked_by(self) -> Source | None:
        """Return the card that asks what is asked now; None where the rulebook does."""
        for frame in reversed(self.state.agenda):
            source = frame.asked_by(self)
            if source is not None:
                return source if self.find(source.piece) is not None else Source(source.card)
            if frame.rules_ask:
                return None
        return None

    def advance(self) -> None:
        """Work off the agenda until somebody must choose or the game is over.

        Raises :class:`EngineError` "loop", naming the cards, where that does not come to an end.
        """
        state, agenda, events = self.state, self.state.agenda, self.events
        self.depth = 0
        self.stir()
        for _ in range(STEP_LIMIT):
            if state.asking is not None or state.result is not None:
                return
            if state.waiting and not self.in_one_instruction():
                waiting, state.waiting = state.waiting, []
                agenda.append(TriggerRound(waiting))
            if len(agenda) > DEPTH_LIMIT or len(events) > EVENT_LIMIT:
                break
            agenda[-1].run(self)
        raise EngineError("loop", f"What {self._going_on()} would never end; it was stopped and nothing has changed.")

    def in_one_instruction(self) -> bool:
        """Return whether an instruction to several players is being carried out and some have not done it yet."""
        return any(frame.is_one_instruction() for frame in self.state.agenda)

    def set_off(self) -> int:
        """Return how many times over what is happening was set off: by what was set off itself, and so on."""
        times = 0
        for frame in self.state.agenda:
            if frame.sets_off:
                times += 1
        return times

    def is_cut_off(self) -> bool:
        """Return whether nothing is set off here, as abilities have set each other off too often (ruling 92)."""
        return self.state.deeds.chained >= MOST_CHOICES and self.set_off() > 1

    def deck_size(self, seat: SeatNumber) -> int:
        """Return how many cards a deck has; those that are only looked at have not left it (ZONE-5)."""
        size = len(self.state.players[seat].deck)
        for frame in self.state.agenda:
            size += frame.looked_at(seat)
        return size

    def _going_on(self) -> str:
        """Name the cards whose abilities are being carried out again and again, the busiest first."""
        contexts = (getattr(frame, "context", None) for frame in self.state.agenda)
        busy = Counter(definition_of(context.card) for context in contexts if context is not None)
        busy.update(
            definition_of(event.card)
            for event in self.events[-EVENTS_LOOKED_AT:]
            if event.kind in ("trigger", "use", "red") and event.card is not None
        )
        return self.named(busy, "does", "do") or f"{type(self.state.agenda[-1]).__name__} does"

    def emit(
        self,
        kind: EventKind,
        player: SeatNumber | None = None,
        card: CardNumber | None = None,
        piece: int | None = None,
        *,
        number: int | None = None,
        source: str | None = None,
        to: str | None = None,
        target: int | None = None,
        target_card: CardNumber | None = None,
        opponent: SeatNumber | None = None,
        known_to: int = EVERYBODY,
        why: tuple[Cause, ...] = (),
        against: int | None = None,
    ) -> None:
        """Record that something happened: who did it, with which card or piece; the rest is said by name.

        See :class:`~ccg.rules.core.events.Event` for the parts.
        """
        event = Event(
            kind, player, card, piece, target, number, source, to, opponent, target_card, known_to, why,
            against,
        )  # fmt: skip
        self.events.append(event)
        if kind in self._occasions:
            self._hear(event)

    def emit_about(
        self,
        kind: EventKind,
        piece: Piece,
        *,
        source: str | None = None,
        to: str | None = None,
        on: Piece | None = None,
        opponent: SeatNumber | None = None,
    ) -> None:
        """Record that its controller did something with ``piece``, or it happened to it: alone, or ``on`` another."""
        target, target_card = (None, None) if on is None else (on.id, on.cards[0])
        self.emit(
            kind, piece.controller, piece.cards[0], piece.id,
            source=source, to=to, target=target, target_card=target_card, opponent=opponent,
        )  # fmt: skip

    def _hear(self, event: Event) -> None:
        """Queue the triggered abilities whose condition ``event`` meets (ruling 18)."""
        about = self.find(event.piece or 0)
        for piece, card, you in self.sources():
            script = self.scripts[card >> 3]
            if event.kind not in script.hears:
                continue
            self.worked(card, len(script.triggers))
            for number, trigger in enumerate(script.triggers):
                if event.kind in trigger.kinds and not (trigger.once and self.is_used(piece.id, card, number)):
                    context = Context(you, card, piece.id, about=event.piece or 0)
                    context.whom = event.player if event.player is not None else -1
                    context.value = event.number or 0
                    if about is not None:
                        context.owner = about.owner
                    if trigger.fits(self, context, event):
                        self.state.waiting.append(Waiting(number, context))

    # -- what cards say

    def script(self, card: CardNumber) -> Script:
        """Return what ``card`` does."""
        return self.scripts[card >> 3]

    def sources(self) -> list[tuple[Piece, CardNumber, SeatNumber]]:
        """Return every card in play with active continuous or triggered abilities, as piece, card and their controller.

        Face-up units, bases and persistent missions, and the missions linked to units; not assets,
        unresolved missions or Cylon threats. Kept until the board changes.
        """
        if self._sources is None:
            passive = self.catalog.passive
            self._sources = [
                source
                for player in self.state.players
                for lying in (player.alert, player.reserve, player.resource)
                for piece in lying
                if piece.cards[0] >> 3 in passive or piece.links
                for source in self.speaking(piece)
                if source[1] >> 3 in passive
            ]
        return self._sources

    def speaking(self, piece: Piece) -> Iterator[tuple[Piece, CardNumber, SeatNumber]]:
        """Return those of the cards of ``piece`` whose text works: itself, and what is linked to it."""
        card = piece.cards[0]
        if self.scripts[card >> 3] is not NO_SCRIPT:
            challenge = self.state.challenge
            if works(piece, challenge is not None and challenge.has(piece.id)):
                yield piece, card, piece.controller
        for link in piece.links:
            if not link.exhausted and self.scripts[link.cards[0] >> 3] is not NO_SCRIPT:
                yield piece, link.cards[0], link.controller

    def says(self, piece: Piece, card: CardNumber) -> bool:
        """Return whether the abilities of ``card``, which is on top of ``piece`` or linked to it, are active."""
        if card == piece.cards[0]:
            challenge = self.state.challenge
            if works(piece, challenge is not None and challenge.has(piece.id)):
                return True
        return any(link.cards[0] == card and not link.exhausted for link in piece.links)

    def active_modifiers(self, kind: ModifierKind) -> Sequence[ActiveModifier]:
        """Return the active modifiers of ``kind``: those of cards in play, then those made for a while."""
        kinds = self._kinds
        if kind not in (self.kinds_of_change() if kinds is None else kinds):
            return NO_MODIFIERS
        found = self._active_modifiers.get(kind)
        if found is None:
            found = self._active_modifiers[kind] = self._gather(kind)
            if any(active.change is not None and active.change.holds is not None for active in found):
                self._depending.add(kind)
        if kind not in self._depending:
            return found
        holding = self._holding.get(kind) if self.still else None
        if holding is None:
            holding = [active for active in found if active.holds(self)]
            if self.keeps():
                self._holding[kind] = holding
        return holding

    def kinds_of_change(self) -> Set[ModifierKind]:
        """Return the kinds of modifiers that may be active: from active abilities, and from lasting effects."""
        if self._kinds is None:
            kinds = {modifier.kind for modifier in self.state.modifiers}
            for _, card, _ in self.sources():
                kinds |= self.scripts[card >> 3].changing
            self._kinds = kinds
        return self._kinds

    def _gather(self, kind: ModifierKind) -> list[ActiveModifier]:
        """Find the changes of ``kind`` that are or may come to be in force while the board stays as it is."""
        found: list[ActiveModifier] = []
        if kind in self.catalog.changes:
            for piece, card, you in self.sources():
                script = self.scripts[card >> 3]
                if kind not in script.changing:
                    continue
                for number in script.printed_changes:
                    change = script.changes[number]
                    if change.kind == kind:
                        lasts: Lasts = "in play" if card == piece.cards[0] else "linked"
                        found.append(
                            ActiveModifier(change, Context(you, card, piece.id), None, 0, change.word, None, lasts)
                        )
        for modifier in self.state.modifiers:
            if modifier.kind == kind:
                context = modifier.context
                made = self.scripts[context.card >> 3].changes[modifier.change] if modifier.change >= 0 else None
                found.append(
                    ActiveModifier(made, context, modifier.pieces, modifier.amount, modifier.word, modifier.until)
                )
        return found

    def stale(self) -> None:
        """Discard the cached modifiers and abilities: which cards are in play or active, or what lasts, has changed."""
        self._active_modifiers.clear()
        self._depending.clear()
        if self.still:
            self._forget()
        self._sources = self._kinds = None


def works(piece: Piece, in_challenge: bool) -> bool:
    """Return whether the abilities of ``piece`` are active: face up, and neither asset nor unresolved mission."""
    if piece.role == Role.ASSET or (piece.exhausted and not in_challenge):
        return False
    return piece.role != Role.MISSION or piece.area == Area.RESOURCE


class TriggerRound(Frame):
    """Triggered abilities resolve, from the first player round, each player ordering their own (ruling 18)."""

    stands_alone: ClassVar[bool] = True
    rules_ask: ClassVar[bool] = True
    sets_off: ClassVar[bool] = True

    waiting: list[Waiting]

    def run(self, engine: Engine) -> None:
        if engine.is_cut_off():
            self.waiting.clear()
        if not self.waiting:
            engine.end(self)
            return
        mine = self._of_next_player(engine)
        orderly = self._to_order(engine, mine)
        if len({definition_of(waiting.context.card) for waiting in orderly}) > 1:
            engine.ask(mine[0].context.you, "trigger_order")
        else:
            self._begin(engine, (orderly or mine)[0])

    def options(self, engine: Engine) -> list[Option]:
        orderly = self._to_order(engine, self._of_next_player(engine))
        return [Option("choose", card) for card in sorted({definition_of(waiting.context.card) for waiting in orderly})]

    def take(self, engine: Engine, option: Option) -> None:
        mine = self._to_order(engine, self._of_next_player(engine))
        self._begin(engine, next(waiting for waiting in mine if definition_of(waiting.context.card) == option.card))

    def _to_order(self, engine: Engine, mine: list[Waiting]) -> list[Waiting]:
        """Leave out those that come to nothing as things are: one of the others may yet let them be played.

        Whose order makes no difference is not asked for it (rulings 52 and 97).
        """
        if len({definition_of(waiting.context.card) for waiting in mine}) < 2:
            return mine
        return [
            waiting
            for waiting in mine
            if not engine.script(waiting.context.card).triggers[waiting.trigger].begin(waiting).comes_to_nothing(engine)
        ]

    def forget(self, seat: SeatNumber) -> None:
        self.waiting = [waiting for waiting in self.waiting if waiting.context.you != seat]

    def _of_next_player(self, engine: Engine) -> list[Waiting]:
        for seat in engine.seats():
            mine = [waiting for waiting in self.waiting if waiting.context.you == seat]
            if mine:
                return mine
        return []

    def _begin(self, engine: Engine, waiting: Waiting) -> None:
        self.waiting.remove(waiting)
        trigger = engine.script(waiting.context.card).triggers[waiting.trigger]
        engine.push(trigger.begin(waiting))
