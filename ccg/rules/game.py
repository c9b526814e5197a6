"""The public face of the engine: start a game, look at the decision, choose, view, copy, save, load.

>>> from ccg.rules import Game, Seat
>>> from ccg.rules.authoring.card_files import read_catalog
>>> catalog = read_catalog()
>>> base, ship = (next(card.id for card in catalog if card.type == kind) for kind in ("base", "ship"))
>>> game = Game.start([Seat("Ana", base, [ship] * 60), Seat("Ben", base, [ship] * 60)], catalog, b"doc")
>>> game.decision.kind, game.decision.seat
('opening_hand', 1)
>>> [game.key(option) for option in game.decision.options]
['keep', 'redraw']
>>> events = game.choose("keep")
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Literal

from ccg.rules import saving
from ccg.rules.cards.definitions import Catalog
from ccg.rules.core import characteristics, loops, outcome
from ccg.rules.core.chance import Chance, Drawing
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.events import Event, EventKind
from ccg.rules.core.options import NO_CARD, Decision, Option, read_key
from ccg.rules.core.state import MOST_PLAYERS, Area, Player, Result, Role, State, card_of
from ccg.rules.core.work import NO_LIMIT, WORK_LIMIT
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.errors import EngineError, IllegalOption, SetupError
from ccg.rules.record import Record, Seat
from ccg.rules.rulebook.challenge import Reaction
from ccg.rules.rulebook.setup import Setup
from ccg.rules.rulebook.turn import Turns
from ccg.rules.telling import viewing
from ccg.rules.telling.view import EventView, UseView, View

MUCH_TO_READ: Final = 40
"""Active changes in play from which on all numbers are read as a move is made; ordinary games have a few."""

MOVES_BETWEEN_COPIES: Final = 8
"""After how many moves the state is copied again to go back to; up to so many are made again where one fails."""

PUBLIC_BUT_FOR_THE_HAND = ("action", "effects", "defend", "cylon")
"""Kinds of decision whose options come from what lies open, and from the hand alone besides."""

ASKING = "Texts in play ask for themselves without end"
BACK: Final = "back"
CONCEDE: Final = "concede"
DRAW: Final = f"{CONCEDE} all"

DrawReason = Literal["draw", "agreed", "abandoned"]
"""Why a game is ended as a draw: by who runs the table, by agreement, or because nobody has come back to it."""

_DRAW_REASONS: dict[str, DrawReason] = {DRAW: "draw", f"{DRAW} agreed": "agreed", f"{DRAW} abandoned": "abandoned"}

Leaving = Literal["concede", "time", "absent"]
"""Why a player leaves: by their own will, out of time, or away for too long; the rules are the same for all."""

_LEAVING: dict[Leaving, tuple[EventKind, str]] = {
    "concede": ("concede", "last"),
    "time": ("out of time", "time"),
    "absent": ("absent", "absent"),
}
"""The event of that, and the reason of the result where it ends the game."""


class Game:
    """A game in progress. ``decision`` is who must choose what; :meth:`choose` is the only way on.

    Opening hands are asked of all players at once: ``deciding`` are all who must choose, and :meth:`decision_of` says
    what each of them is asked. Who knows of one decision at a time answers ``decision``, that of the first of them.
    """

    __slots__ = ("_can_go_back", "_copied", "_decision", "_since", "beginning", "drawings", "engine")

    def __init__(self, engine: Engine, decision: Decision | None = None, can_go_back: bool = True) -> None:
        """Make a game of ``engine``; ``decision``, where it is known, is the one that it has come to."""
        self.engine = engine
        engine.rest()
        self.beginning: list[Event] = []
        """What happened before the first decision, right after :meth:`start`; empty for a game read back."""
        self.drawings: list[Drawing] = []
        """What chance decided in the last move; right after :meth:`start`, before the first decision."""
        self._decision = decision
        self._copied: object = None
        """The packed state of some moves ago, to go back to where a move fails."""
        self._since: list[Callable[[Engine], None]] = []
        """The moves made since then."""
        self._can_go_back = can_go_back

    # -- beginning

    @classmethod
    def start(cls, seats: Sequence[Seat], catalog: Catalog, seed: bytes) -> Game:
        """Set up a game of 2 to 8 ``seats`` in turn order (rulebook: Setup).

        The same seats, catalogue and seed give the same game. Raises :class:`SetupError` for a wrong
        number of seats, an unknown card, a base that is none, or a base in a deck; how large a deck must
        be is a matter of formats, not of the engine.
        """
        if not 2 <= len(seats) <= MOST_PLAYERS:
            raise SetupError("seats", f"A game has 2 to {MOST_PLAYERS} players, not {len(seats)}.")
        players = [_seat_down(seat, place, catalog) for place, seat in enumerate(seats)]
        state: State[Frame] = State(players, Chance(seed))
        engine = Engine(state, compile_scripts(catalog))
        for place, seat in enumerate(seats):
            engine.enter(Role.BASE, Area.RESOURCE, place, card_of(catalog.index[seat.base], place))
        state.agenda = [Turns(), Setup()]
        engine.advance()
        game = cls(engine)
        game.beginning, engine.events = engine.events, []
        game.drawings, engine.drawings = engine.drawings, []
        return game

    @classmethod
    def replay(cls, record: Record, catalog: Catalog) -> Game:
        """Play a recorded game again to its last move; raises :class:`IllegalOption` where it no longer fits.

        What this engine has recorded with these cards was legal then and is so now, so its options are not
        listed again.
        """
        game = cls.start(record.seats, catalog, record.seed)
        known = record.engine == saving.ENGINE_VERSION and record.catalog == catalog.fingerprint
        for number, move in enumerate(record.moves):
            try:
                game.move(move, known, record.by[number] if record.by else None)
            except (LookupError, StopIteration, ValueError, EngineError) as error:
                raise IllegalOption("not_offered", f"Move {number}, {move!r}, does not fit this game.") from error
        return game

    # -- choosing

    @property
    def decision(self) -> Decision | None:
        """Who must choose what, with every legal option; None when the game is over.

        Of several who must choose at once, it is the first one from the first player on.
        """
        state = self.engine.state
        if self._decision is None and state.asking is not None:
            frame = state.agenda[-1]
            options = frame.options(self.engine)
            source = self.engine.asked_by()
            card, piece = (source.card >> 3, source.piece) if source is not None else (NO_CARD, 0)
            self._decision = Decision(state.asking, state.question, options, frame.half_made(), card, piece)
        return self._decision

    @property
    def deciding(self) -> tuple[int, ...]:
        """All seats that must choose now, that of ``decision`` first; none when the game is over."""
        return tuple(self.engine.deciding())

    def decision_of(self, seat: int) -> Decision | None:
        """Return what the player at ``seat`` must choose now; None if nothing is asked of them."""
        decision = self.decision
        if decision is None or decision.seat == seat:
            return decision
        if seat not in self.engine.deciding():
            return None
        return Decision(
            seat, decision.kind, decision.options, decision.can_take_back, decision.card, decision.piece
        )  # fmt: skip

    def key(self, option: Option) -> str:
        """Return the stable name of ``option``."""
        return option.key(self.engine.catalog)

    def choose(self, choice: Option | str, seat: int | None = None) -> list[Event]:
        """Take a legal option, given itself or by its key; return the events up to the next decision.

        ``seat`` is who chooses, one of :attr:`deciding` (None: the first of them).

        Raises :class:`IllegalOption` if it is not one of the decision's options, :class:`EngineError` if what
        the cards do never ends (docs/errors.md); nothing has changed then.
        """
        decision = self._asked(seat)
        option = read_key(choice, self.engine.catalog) if isinstance(choice, str) else choice
        if option not in decision.options or (isinstance(choice, str) and self.key(option) != choice):
            raise IllegalOption("not_offered", f"{str(choice)[:80]!r} is not among the legal options.")
        return self._take(option, decision.seat, listing=True)

    def take_back(self) -> list[Event]:
        """Leave a half-made move; the player is asked again what to do.

        Raises :class:`IllegalOption` if the move has been paid for or there is none.
        """
        if not self._asked().can_take_back:
            raise IllegalOption("too_late", "There is no half-made move to take back.")
        return self._go_on(_leave_move)

    def concede(self, seat: int, why: Leaving = "concede") -> list[Event]:
        """Let the player at ``seat`` leave the game, at any time (ruling 5); ``why`` is told, and changes no rule.

        Raises :class:`IllegalOption` if the game is over or they have left already.
        """
        players = self.engine.state.players
        if self.result is not None or not 0 <= seat < len(players) or players[seat].lost:
            raise IllegalOption("not_playing", "Only a player who is still in the game can concede.")
        return self._go_on(partial(_leave_game, seat, why))

    def draw(self, why: DrawReason = "draw") -> list[Event]:
        """End the game without winner or loser, whatever is going on: for tables at which nothing else is possible,
        whose players have agreed on it, or to which nobody has come back.

        Raises :class:`IllegalOption` if the game is over.
        """
        if self.result is not None:
            raise IllegalOption("over", "The game is over.")
        return self._go_on(partial(_end_in_draw, why))

    def move(self, move: str, known: bool = False, seat: int | None = None) -> list[Event]:
        """Make a move as records write it: an option's key, "back", "concede SEAT", or "concede all" for a draw.

        More words say why: "concede SEAT time" or "absent", "concede all agreed" or "abandoned".
        ``known`` says that it is known to be legal, so that the options need not be listed to tell. ``seat`` is whose
        choice it is, where it is one (None: that of the first who is asked).
        """
        if move == BACK:
            return self.take_back()
        if move in _DRAW_REASONS:
            return self.draw(_DRAW_REASONS[move])
        if move.startswith(CONCEDE):
            leaver, _, why = move[len(CONCEDE) :].strip().partition(" ")
            leaving = next((one for one in _LEAVING if one == (why or CONCEDE)), None)
            if leaver.isdecimal() and leaving is not None:
                return self.concede(int(leaver[:2]), leaving)  # nobody sits there, however long the number
        if known:
            return self._take(read_key(move, self.engine.catalog), seat, listing=False)
        return self.choose(move, seat)

    @property
    def result(self) -> Result | None:
        """Who has won and lost, or None while the game goes on."""
        return self.engine.state.result

    # -- seeing

    @property
    def forced(self) -> bool:
        """Whether whoever must choose has one option, and everybody can see that.

        So it is if there would be no other, whatever cards they held: nobody learns anything from an answer that
        comes at once.
        """
        decision = self.decision
        if decision is None or len(decision.options) != 1 or decision.kind not in PUBLIC_BUT_FOR_THE_HAND:
            return False
        imagined = Game(saving.copy(self.engine))
        player = imagined.engine.player(decision.seat)
        if player.hand:
            player.hand = [card_of(number, decision.seat) for number in range(len(self.engine.catalog.cards))]
        try:
            # Who holds a card that may be played against a challenger was asked about it before.
            if decision.kind == "defend" and Reaction(decision.seat).offered(imagined.engine):
                return False
            return imagined._asked().options == decision.options
        except EngineError:  # some card that nobody holds asks for itself without end
            return False

    def view(self, seat: int | None) -> View:
        """Return the game as the player at ``seat`` may see it; None is a spectator."""
        decision = self.decision
        if decision is None:
            return viewing.view(self.engine, seat, [], can_take_back=False)
        return viewing.view(self.engine, seat, decision.options, decision.can_take_back)

    def reasons(self, seat: int) -> list[UseView]:
        """Return all that the player at ``seat`` could do with cards in hand and in play, each with why not now.

        What the player who decides can do are the options of their decision; nobody is told anything that
        they may not know.
        """
        options = self._asked().options if seat in self.engine.deciding() else []
        return viewing.uses(self.engine, seat, options)

    def seen(self, event: Event, seat: int | None) -> EventView:
        """Return what the player at ``seat`` (None: a spectator) may know of ``event``."""
        return viewing.event_view(self.engine, event, seat)

    # -- keeping

    def copy(self) -> Game:
        """Return an equal game that goes its own way."""
        return Game(saving.copy(self.engine))

    def trial(self) -> Game:
        """Return a copy for one move, quicker than :meth:`copy` where the game itself stays as it is meanwhile.

        Where the move fails the copy is of no use any more, as it can go back to nothing; where it succeeds the copy
        is a game like others.
        """
        return Game(saving.copy(self.engine), self.decision, can_go_back=False)

    def save(self) -> bytes:
        """Return the game as bytes, to be read by :meth:`load`; equal games give equal bytes."""
        return saving.save(self.engine)

    @classmethod
    def load(cls, data: bytes, catalog: Catalog) -> Game:
        """Read a saved game; raises :class:`StateError` if the bytes are damaged or of another catalogue."""
        return cls(saving.load(data, catalog))

    def digest(self) -> str:
        """Return a hash of the saved game: equal games, equal digests."""
        return digest_of(self.save())

    # -- inside

    def _asked(self, seat: int | None = None) -> Decision:
        """Return what is asked of ``seat``, or (None) of the first who is asked."""
        decision = self.decision
        if decision is None:
            raise IllegalOption("over", "The game is over.")
        own = decision if seat is None else self.decision_of(seat)
        if own is None:
            raise IllegalOption("not_offered", "This player has nothing to choose now.")
        return own

    def _take(self, option: Option, seat: int | None, listing: bool) -> list[Event]:
        deciding = self.engine.deciding()
        if not deciding:
            raise IllegalOption("over", "The game is over.")
        if seat is None:
            seat = deciding[0]
        elif seat not in deciding:
            raise IllegalOption("not_offered", "This player has nothing to choose now.")
        return self._go_on(partial(_answer, option, seat), WORK_LIMIT, listing)

    def _go_on(self, change: Callable[[Engine], None], most_work: int = NO_LIMIT, listing: bool = False) -> list[Event]:
        """Make ``change`` and go on to the next decision; if that fails, the game stands where it stood before.

        It fails where more than ``most_work`` is needed. With ``listing`` that goes for the options of the next
        decision too and for what everybody will look at: a table never stands where it takes seconds to show.
        """
        if self._can_go_back and (self._copied is None or len(self._since) >= MOVES_BETWEEN_COPIES):
            self._copied, self._since = saving.pack(self.engine), []
        try:
            self._make(change, most_work)
            if listing and self.engine.state.asking is not None:
                self._look_ahead()
        except Exception as error:
            if self._can_go_back:
                self._go_back()
            if isinstance(error, RecursionError):
                raise EngineError("loop", f"{ASKING}; the move was stopped and nothing has changed.") from error
            raise
        if self._can_go_back:
            self._since.append(change)
        self._can_go_back = True
        engine = self.engine
        engine.most_work = NO_LIMIT
        events, engine.events = engine.events, []
        self.drawings, engine.drawings = engine.drawings, []
        return events

    def _make(self, change: Callable[[Engine], None], most_work: int) -> None:
        """Make ``change`` and go on to where somebody is asked; what stands where that fails is of no use."""
        engine = self.engine
        self._decision = None
        engine.begin_work(most_work)
        engine.stir()
        change(engine)
        engine.advance()
        if engine.state.asking is not None:
            loops.note_choice(engine)
        engine.rest()

    def _go_back(self) -> None:
        """Return to before the move that failed: unpack the copy, and make the moves since then once more."""
        self.engine = saving.unpack(self._copied, self.engine.catalog)
        self.engine.rest()
        made, self._copied, self._since = self._since, None, []
        for change in made:
            self._make(change, NO_LIMIT)
            self.engine.events = []
            self.engine.drawings = []
        self._decision = None

    def _look_ahead(self) -> None:
        """List the options of the next decision, and read all numbers where the texts in play make that much work."""
        assert self.decision is not None
        if characteristics.count_active(self.engine) > MUCH_TO_READ:
            characteristics.read_all(self.engine)


def digest_of(saved: bytes) -> str:
    """Return the digest of the game that was saved as these bytes: what :meth:`Game.digest` gives."""
    return hashlib.sha256(saved).hexdigest()[:32]


def _answer(option: Option, seat: int, engine: Engine) -> None:
    engine.state.asking = None
    engine.state.agenda[-1].take_from(engine, seat, option)


def _leave_move(engine: Engine) -> None:
    outcome.take_back(engine)
    engine.state.asking = None


def _leave_game(seat: int, why: Leaving, engine: Engine) -> None:
    event, reason = _LEAVING[why]
    engine.emit(event, seat)
    outcome.leave(engine, [seat], conceding=True, reason=reason)


def _end_in_draw(why: DrawReason, engine: Engine) -> None:
    if why == "agreed":
        engine.emit("agreed draw")
    elif why == "abandoned":
        engine.emit("abandoned")
    outcome.finish(engine, [], why, drawn=engine.seats(0))


def _seat_down(seat: Seat, place: int, catalog: Catalog) -> Player:
    unknown = sorted({card for card in [seat.base, *seat.deck] if card not in catalog})
    if unknown:
        raise SetupError("unknown_card", f"{seat.name}: there is no card {', '.join(unknown[:5])}.", place)
    if catalog[seat.base].type != "base":
        raise SetupError("base", f"{seat.name}: {catalog[seat.base].name} is not a base.", place)
    if any(catalog[card].type == "base" for card in set(seat.deck)):
        raise SetupError("base_in_deck", f"{seat.name}: a base cannot be part of the deck.", place)
    deck = [card_of(catalog.index[card], place) for card in reversed(seat.deck)]
    return Player(seat.name, catalog[seat.base].influence or 0, deck)
