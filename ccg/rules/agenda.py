"""The agenda: what is still to happen, as a stack of frames, and the engine that works it off.

A frame is plain data with a little procedure: ``run`` carries out its next step and returns. A step may
put further frames on top (they are done first), ask a player (the engine then waits), or end the frame.
There is no other control flow: whatever a game is in the middle of can be saved, copied and gone on with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import ClassVar, NamedTuple

from msgspec import Struct

from ccg.rules.cards import CardDef, Catalog, Requirement
from ccg.rules.causes import Cause, CauseKind, Lasts
from ccg.rules.errors import EngineError
from ccg.rules.events import EVERYBODY, Event
from ccg.rules.language.phrases import Selector
from ccg.rules.options import Option
from ccg.rules.state import Area, Card, Modifier, Phase, Piece, Player, Role, Scope, Seat, State, Until, Waiting

STEP_LIMIT = 5_000
"""Steps between two decisions after which a game counts as caught in a loop (a fault, never a hang).

Three thousand random games with all cards took 230 at most."""

DEPTH_LIMIT = 1_500
"""Frames on the agenda after which cards count as setting each other off for ever, asking or not (real games: 91)."""

EVENT_LIMIT = 20_000
"""Events between two decisions after which what cards do counts as endless (real games: 138)."""

MOST_NAMED, EVENTS_LOOKED_AT = 4, 400
"""How many cards are named as those that go on for ever, and among how many of the last events they are sought."""


class Frame(Struct, tag=True, array_like=True):
    """Something that is happening. Subclasses add their data and say what their steps do.

    ``asks`` is the question of a frame under which half-made moves are made; one that ``stands_alone`` does not
    go with the frame beneath it when a player leaves.
    """

    asks: ClassVar[str] = ""
    stands_alone: ClassVar[bool] = False

    def run(self, engine: Engine) -> None:
        """Carry out the next step: change things, push frames, ask, or end."""
        raise EngineError("frame", f"{type(self).__name__} has no steps")

    def options(self, engine: Engine) -> list[Option]:
        """List everything that the player asked by this frame may choose."""
        raise EngineError("frame", f"{type(self).__name__} asks nothing")

    def take(self, engine: Engine, option: Option) -> None:
        """Go on with what was chosen."""
        raise EngineError("frame", f"{type(self).__name__} asks nothing")

    def half_made(self) -> bool:
        """Whether this belongs to a move that can still be taken back."""
        return False

    def taken_back(self) -> None:
        """Forget the move begun above this frame, which was taken back."""

    def belongs_to(self, seat: Seat) -> bool:
        """Whether this frame, with what it set going above it, goes when the player leaves the game."""
        return False

    def forget(self, seat: Seat) -> None:
        """Take out what the player at ``seat``, who leaves the game, was still to do in this frame."""

    def held(self) -> list[Card]:
        """Give the cards that are in no zone because they are just being played."""
        return []


# ---------------------------------------------------------------- what cards do, ready for use


class Choice(NamedTuple):
    """Something to be chosen for an ability: its ``number`` in ``scope.chosen``, and what may be chosen.

    ``kind`` is pieces, players, mode, number, may, cards or supplies; ``least`` and ``most`` say how many, and
    ``what`` the phrase says, if it is one.
    """

    number: int
    kind: str
    candidates: Callable[[Engine, Scope], list[int]]
    least: int = 1
    most: int = 1
    what: Selector | None = None

    @property
    def question(self) -> str:
        """The kind of decision in which this is chosen."""
        return "may" if self.kind == "may" else "choose"

    def option(self, candidate: int) -> Option:
        """Give the option that stands for ``candidate``."""
        if self.kind == "players":
            return Option("choose", player=candidate)
        if self.kind in ("mode", "number"):
            return Option("choose", number=candidate)
        if self.kind == "may":
            return Option("yes" if candidate else "no")
        if self.kind == "cards":
            return Option("choose", candidate >> 3)
        if self.kind == "supplies":
            return Option("choose", target=candidate, word="supply")
        return Option("choose", piece=candidate)


class Verb:
    """One compiled step of an ability. Subclasses are the verbs of the language."""

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        """Give the choices made as the ability is played, in order (Meeting Requirements)."""
        return iter(())

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        """Give the choice made only as this step is carried out, if there is one."""
        return None

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        """Carry the step out: give the frames that do it."""
        raise NotImplementedError

    def possible(self, engine: Engine, scope: Scope) -> bool:
        """Whether this step could do anything now (EFF-5)."""
        return True


class Action(NamedTuple):
    """An ability played as an action or in a challenge: blocks for its cost and its effect."""

    cost: int
    effect: int
    season: Callable[[Engine, Scope], bool] | None = None
    once: bool = False


class Trigger(NamedTuple):
    """An ability set off by events of ``kinds`` that ``fits``; ``effect`` is its block.

    ``cost`` is the block of what its controller may pay for it (-1: no cost); ``may`` that they may decline.
    """

    kinds: tuple[str, ...]
    fits: Callable[[Engine, Scope, Event], bool]
    begin: Callable[[Waiting], Frame]
    effect: int
    cost: int = -1
    may: bool = False
    once: bool = False


class Change(NamedTuple):
    """A continuous change of ``kind``: which pieces it touches, how much or what it says, and while what."""

    kind: str
    touches: Callable[[Engine, Scope, Piece], bool]
    amount: Callable[[Engine, Scope, Piece], int]
    word: str = ""
    holds: Callable[[Engine, Scope], bool] | None = None


class Replacement(NamedTuple):
    """What may happen instead of an instruction of ``kind`` to a piece or player that ``fits``.

    Unless it is ``instead``, the instruction still happens, changed by the effect (a loss reduced).
    """

    kind: str
    fits: Callable[[Engine, Scope, int], bool]
    effect: int
    cost: int = -1
    may: bool = False
    instead: bool = True


class Script(NamedTuple):
    """All that a card does. Blocks are lists of steps, referred to by their numbers."""

    blocks: tuple[tuple[Verb, ...], ...] = ()
    choices: int = 0
    effect: int = -1
    red: int = -1
    actions: tuple[Action, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    changes: tuple[Change, ...] = ()
    printed_changes: tuple[int, ...] = ()
    changing: frozenset[str] = frozenset()
    replacements: tuple[Replacement, ...] = ()
    adds: str | None = None
    counts_as: tuple[Requirement, ...] = ()
    helps: str = ""
    excluded: Callable[[Engine, Scope, Piece], bool] | None = None
    react: bool = False
    season: Callable[[Engine, Scope], bool] | None = None
    passive: bool = False


NO_SCRIPT = Script()


class Force(NamedTuple):
    """A change in force: from a card in play, or made for a while by an effect (``pieces``, if named).

    It ends ``until`` a moment, or ``lasts`` as long as its card is in play or linked.
    """

    change: Change | None
    scope: Scope
    pieces: list[int] | None
    fixed: int
    word: str
    until: Until | None = None
    lasts: Lasts = ""

    def touches(self, engine: Engine, piece: Piece) -> bool:
        """Whether it changes ``piece``."""
        if self.pieces is not None:
            return piece.id in self.pieces
        return self.change is not None and self.change.touches(engine, self.scope, piece)

    def amount(self, engine: Engine, piece: Piece) -> int:
        """By how much."""
        if self.pieces is not None or self.change is None:
            return self.fixed
        return self.change.amount(engine, self.scope, piece)

    def cause(self, kind: CauseKind, amount: int = 0, word: str = "") -> Cause:
        """Tell it as the cause of a difference: by ``amount``, or of the ``word``."""
        return Cause(kind, amount, word, self.scope.card, 0 if self.until else self.scope.piece, self.until, self.lasts)


# ---------------------------------------------------------------- the engine


class Engine:
    """A game as the rules see it: state, catalogue, and the events since the last choice."""

    __slots__ = ("_forces", "_found", "_kinds", "_sources", "catalog", "events", "scripts", "settling", "state")

    def __init__(self, state: State[Frame], catalog: Catalog) -> None:
        self.state = state
        self.catalog = catalog
        self.scripts: tuple[Script, ...] = catalog.scripts
        self.events: list[Event] = []
        self.settling: dict[int, tuple[str, ...]] = {}
        self._found: dict[int, Piece] | None = None
        self._forces: dict[str, list[Force]] = {}
        self._sources: list[tuple[Piece, Card, Seat]] | None = None
        self._kinds: frozenset[str] | None = None

    # -- the agenda

    def push(self, *frames: Frame) -> None:
        """Put ``frames`` on the agenda so that the first of them is done first."""
        self.state.agenda.extend(reversed(frames))

    def end(self, frame: Frame) -> None:
        """Take ``frame`` off the agenda, where it must be on top."""
        if self.state.agenda.pop() is not frame:
            raise EngineError("agenda", f"{type(frame).__name__} ended while something lay above it")

    def ask(self, seat: Seat, question: str) -> None:
        """Wait for ``seat`` to choose among the options of the frame on top."""
        self.state.asking = seat
        self.state.question = question

    def advance(self) -> None:
        """Work off the agenda until somebody must choose or the game is over.

        Raises :class:`EngineError` "loop", naming the cards, where that does not come to an end.
        """
        state = self.state
        for _ in range(STEP_LIMIT):
            if state.asking is not None or state.result is not None:
                return
            if state.waiting:
                waiting, state.waiting = state.waiting, []
                state.agenda.append(TriggerRound(waiting))
            if len(state.agenda) > DEPTH_LIMIT or len(self.events) > EVENT_LIMIT:
                break
            state.agenda[-1].run(self)
        raise EngineError("loop", f"What {self._going_on()} would never end; it was stopped and nothing has changed.")

    def _going_on(self) -> str:
        """Name the cards whose abilities are being carried out again and again, the busiest first."""
        scopes = (getattr(frame, "scope", None) for frame in self.state.agenda)
        busy = Counter(scope.card >> 3 for scope in scopes if scope is not None)
        busy.update(
            event.card >> 3
            for event in self.events[-EVENTS_LOOKED_AT:]
            if event.kind in ("trigger", "use", "red") and event.card is not None
        )
        most = max(busy.values(), default=0)
        names = [self.catalog.names[card] for card, times in busy.most_common(MOST_NAMED) if 2 * times >= most]
        if not names:
            return f"{type(self.state.agenda[-1]).__name__} does"
        return f"{' and '.join(names)} {'do' if len(names) > 1 else 'does'}"

    def tell(
        self,
        kind: str,
        player: Seat | None = None,
        card: Card | None = None,
        piece: int | None = None,
        number: int | None = None,
        source: str | None = None,
        to: str | None = None,
        target: int | None = None,
        opponent: Seat | None = None,
        target_card: Card | None = None,
        known_to: int = EVERYBODY,
        why: tuple[Cause, ...] = (),
    ) -> None:
        """Record that something happened (see :class:`~ccg.rules.events.Event` for the parts)."""
        event = Event(kind, player, card, piece, target, number, source, to, opponent, target_card, known_to, why)
        self.events.append(event)
        self.stale()
        if kind in self.catalog.occasions:
            self._hear(event)

    def _hear(self, event: Event) -> None:
        """Let the triggers that ``event`` sets off wait for their turn (ruling 18)."""
        about = self.find(event.piece or 0)
        for piece, card, you in self.sources():
            script = self.scripts[card >> 3]
            for number, trigger in enumerate(script.triggers):
                if event.kind in trigger.kinds and not (trigger.once and (piece.id, card, number) in self.state.used):
                    scope = Scope(you, card, piece.id, about=event.piece or 0)
                    scope.whom = event.player if event.player is not None else -1
                    scope.value = event.number or 0
                    if about is not None:
                        scope.owner = about.owner
                    if trigger.fits(self, scope, event):
                        self.state.waiting.append(Waiting(number, scope))

    # -- what cards say

    def script(self, card: Card) -> Script:
        """Give what ``card`` does."""
        return self.scripts[card >> 3]

    def sources(self) -> list[tuple[Piece, Card, Seat]]:
        """Give every card in play with a text that works by itself, as piece, card and the player it speaks to.

        Face-up units, bases and persistent missions, and the missions linked to units; not assets,
        unresolved missions or Cylon threats. Kept until something happens.
        """
        if self._sources is None:
            self._sources = [
                source
                for player in self.state.players
                for lying in (player.alert, player.reserve, player.resource)
                for piece in lying
                if piece.links or self.scripts[piece.cards[0] >> 3].passive
                for source in self.speaking(piece)
                if self.scripts[source[1] >> 3].passive
            ]
        return self._sources

    def speaking(self, piece: Piece) -> Iterator[tuple[Piece, Card, Seat]]:
        """Give those of the cards of ``piece`` whose text works: itself, and what is linked to it."""
        card = piece.cards[0]
        if self.scripts[card >> 3] is not NO_SCRIPT:
            challenge = self.state.challenge
            if works(piece, challenge is not None and challenge.has(piece.id)):
                yield piece, card, piece.controller
        for link in piece.links:
            if not link.exhausted and self.scripts[link.cards[0] >> 3] is not NO_SCRIPT:
                yield piece, link.cards[0], link.controller

    def in_force(self, kind: str) -> list[Force]:
        """Give the changes of ``kind`` in force: those of cards in play, then those made for a while."""
        found = self._forces.get(kind)
        if found is None:
            found = self._forces[kind] = self._gather(kind)
        return found

    def kinds_of_change(self) -> frozenset[str]:
        """Give the kinds of change that could be in force: those of texts that work, and of effects that last."""
        if self._kinds is None:
            scripts = {card >> 3 for _, card, _ in self.sources()}
            kinds = [self.scripts[script].changing for script in scripts]
            lasting = [modifier.kind for modifier in self.state.modifiers]
            self._kinds = frozenset().union(*kinds, lasting)
        return self._kinds

    def _gather(self, kind: str) -> list[Force]:
        found = []
        if kind in self.catalog.changes and kind in self.kinds_of_change():
            for piece, card, you in self.sources():
                script = self.scripts[card >> 3]
                for number in script.printed_changes:
                    change = script.changes[number]
                    if change.kind == kind:
                        scope = Scope(you, card, piece.id)
                        if change.holds is None or change.holds(self, scope):
                            lasts: Lasts = "in play" if card == piece.cards[0] else "linked"
                            found.append(Force(change, scope, None, 0, change.word, None, lasts))
        for modifier in self.state.modifiers:
            if modifier.kind == kind:
                scope = modifier.scope
                made = self.scripts[scope.card >> 3].changes[modifier.change] if modifier.change >= 0 else None
                if made is not None and made.holds is not None and not made.holds(self, scope):
                    continue
                found.append(Force(made, scope, modifier.pieces, modifier.amount, modifier.word, modifier.until))
        return found

    def stale(self) -> None:
        """Forget what was worked out about texts in force: something has changed."""
        self._forces.clear()
        self._sources = self._kinds = None

    def modify(self, modifier: Modifier) -> None:
        """Let a change begin that lasts for a while."""
        self.state.modifiers.append(modifier)
        self.stale()

    def expire(self, *until: Until) -> None:
        """Let the changes end that last just until now."""
        self.state.modifiers = [modifier for modifier in self.state.modifiers if modifier.until not in until]
        self.stale()

    # -- players and turn order

    def seats(self, start: Seat | None = None) -> list[Seat]:
        """Give the players still in the game in turn order from ``start`` (default: the first player)."""
        players = self.state.players
        begin = self.state.first if start is None else start
        return [seat for seat in (*range(begin, len(players)), *range(begin)) if not players[seat].lost]

    def next_seat(self, seat: Seat) -> Seat:
        """Give the player to the left of ``seat`` who is still in the game."""
        players = self.state.players
        left = (seat + 1) % len(players)
        while players[left].lost:
            left = (left + 1) % len(players)
        return left

    def opponents(self, seat: Seat) -> list[Seat]:
        """Give the other players still in the game, in turn order from the left of ``seat``."""
        return [other for other in self.seats(seat) if other != seat]

    def player(self, seat: Seat) -> Player:
        """Give what the player at ``seat`` has."""
        return self.state.players[seat]

    # -- pieces

    def card(self, card: Card) -> CardDef:
        """Give the definition of ``card``."""
        return self.catalog.cards[card >> 3]

    def definition(self, piece: Piece) -> CardDef:
        """Give the definition of the card on top of ``piece``."""
        return self.catalog.cards[piece.cards[0] >> 3]

    def role(self, card: Card) -> Role:
        """Give what a personnel or ship card is as a unit; both may lie in one stack, under one title."""
        return Role[self.card(card).type.upper()]

    def pieces(self) -> Iterator[Piece]:
        """Give every piece in play, fleet by fleet from seat 0, then the Cylon threats; links follow their unit."""
        for player in self.state.players:
            for lying in (player.alert, player.reserve, player.resource):
                for piece in lying:
                    yield piece
                    yield from piece.links
        yield from self.state.threats

    def find(self, piece: int) -> Piece | None:
        """Give the piece with this number, or None if it has left play."""
        if self._found is None:
            self._found = {found.id: found for found in self.pieces()}
        return self._found.get(piece)

    def piece(self, piece: int) -> Piece:
        """Give the piece with this number, which is known to be in play."""
        found = self.find(piece)
        if found is None:
            raise EngineError("piece", f"piece {piece} is not in play")
        return found

    def enter(self, role: Role, area: Area, controller: Seat, card: Card) -> Piece:
        """Put ``card`` into play as a new piece at the end of its area."""
        state = self.state
        self.stale()
        piece = Piece(state.next_piece, role, area, controller, [card])
        state.next_piece += 1
        self.place(piece).append(piece)
        if self._found is not None:
            self._found[piece.id] = piece
        return piece

    def place(self, piece: Piece) -> list[Piece]:
        """Give the list in which ``piece`` lies."""
        if piece.area == Area.CENTER:
            return self.state.threats
        if piece.area == Area.LINKED:
            return self.host(piece).links
        return self.state.players[piece.controller].area(piece.area)

    def host(self, link: Piece) -> Piece:
        """Give the unit to which a mission is linked."""
        return next(unit for unit in self.pieces() if any(other is link for other in unit.links))

    def link(self, mission: Piece, unit: Piece) -> None:
        """Take ``mission`` from where it lies and link it to ``unit``."""
        self.remove(mission)
        mission.area = Area.LINKED
        unit.links.append(mission)
        self._found = None

    def move(self, piece: Piece, area: Area) -> None:
        """Move ``piece`` to the end of another area of its controller's fleet."""
        self.remove(piece)
        piece.area = area
        self.place(piece).append(piece)
        if self._found is not None:
            self._found[piece.id] = piece

    def remove(self, piece: Piece) -> None:
        """Take ``piece`` from where it lies; where its cards go is the caller's business."""
        self.stale()
        lying = self.place(piece)
        for i, other in enumerate(lying):
            if other is piece:
                del lying[i]
                break
        self._found = None

    @property
    def phase(self) -> Phase:
        """The phase that is going on."""
        return self.state.phase


def works(piece: Piece, in_challenge: bool) -> bool:
    """Whether the text of ``piece`` works where it lies: face up, and neither asset nor unresolved mission."""
    if piece.role == Role.ASSET or (piece.exhausted and not in_challenge):
        return False
    return piece.role != Role.MISSION or piece.area == Area.RESOURCE


class TriggerRound(Frame):
    """Triggered abilities resolve, from the first player round, each player ordering their own (ruling 18)."""

    stands_alone: ClassVar[bool] = True

    waiting: list[Waiting]

    def run(self, engine: Engine) -> None:
        if not self.waiting:
            engine.end(self)
            return
        mine = self._of_next_player(engine)
        if len({waiting.scope.card >> 3 for waiting in mine}) > 1:
            engine.ask(mine[0].scope.you, "trigger_order")
        else:
            self._begin(engine, mine[0])

    def options(self, engine: Engine) -> list[Option]:
        definitions = sorted({waiting.scope.card >> 3 for waiting in self._of_next_player(engine)})
        return [Option("choose", definition) for definition in definitions]

    def take(self, engine: Engine, option: Option) -> None:
        mine = self._of_next_player(engine)
        self._begin(engine, next(waiting for waiting in mine if waiting.scope.card >> 3 == option.card))

    def forget(self, seat: Seat) -> None:
        self.waiting = [waiting for waiting in self.waiting if waiting.scope.you != seat]

    def _of_next_player(self, engine: Engine) -> list[Waiting]:
        for seat in engine.seats():
            mine = [waiting for waiting in self.waiting if waiting.scope.you == seat]
            if mine:
                return mine
        return []

    def _begin(self, engine: Engine, waiting: Waiting) -> None:
        self.waiting.remove(waiting)
        trigger = engine.script(waiting.scope.card).triggers[waiting.trigger]
        engine.push(trigger.begin(waiting))
