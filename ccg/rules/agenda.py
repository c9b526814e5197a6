"""The agenda: what is still to happen, as a stack of frames, and the engine that works it off.

A frame is plain data with a little procedure: ``run`` carries out its next step and returns. A step may
put further frames on top (they are done first), ask a player (the engine then waits), or end the frame.
There is no other control flow: whatever a game is in the middle of can be saved, copied and gone on with.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ccg.rules.cards import CardDef, Catalog
from ccg.rules.errors import EngineError
from ccg.rules.events import EVERYBODY, Event
from ccg.rules.options import Option
from ccg.rules.state import Area, Card, Phase, Piece, Player, Role, Seat, State

STEP_LIMIT = 100_000
"""Steps between two decisions after which a game counts as caught in a loop (a fault, never a hang)."""


class Frame(Struct, tag=True, array_like=True):
    """Something that is happening. Subclasses add their data and say what their steps do."""

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
        """Whether this frame, with all above it, goes when the player leaves the game."""
        return False

    def held(self) -> list[Card]:
        """Give the cards that are in no zone because they are just being played."""
        return []


class Engine:
    """A game as the rules see it: state, catalogue, and the events since the last choice."""

    __slots__ = ("_found", "catalog", "events", "state")

    def __init__(self, state: State[Frame], catalog: Catalog) -> None:
        self.state = state
        self.catalog = catalog
        self.events: list[Event] = []
        self._found: dict[int, Piece] | None = None

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
        """Work off the agenda until somebody must choose or the game is over."""
        state = self.state
        for _ in range(STEP_LIMIT):
            if state.asking is not None or state.result is not None:
                return
            state.agenda[-1].run(self)
        raise EngineError("loop", f"no decision within {STEP_LIMIT} steps of {type(state.agenda[-1]).__name__}")

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
    ) -> None:
        """Record that something happened (see :class:`~ccg.rules.events.Event` for the parts)."""
        self.events.append(
            Event(kind, player, card, piece, target, number, source, to, opponent, target_card, known_to)
        )

    # -- players and turn order

    def seats(self, start: Seat | None = None) -> list[Seat]:
        """Give the players still in the game in turn order from ``start`` (default: the first player)."""
        players = self.state.players
        count = len(players)
        begin = self.state.first if start is None else start
        return [seat for seat in ((begin + i) % count for i in range(count)) if not players[seat].lost]

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

    def pieces(self) -> Iterator[Piece]:
        """Give every piece in play, fleet by fleet from seat 0, then the Cylon threats."""
        for player in self.state.players:
            yield from player.alert
            yield from player.reserve
            yield from player.resource
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
        return self.state.players[piece.controller].area(piece.area)

    def move(self, piece: Piece, area: Area) -> None:
        """Move ``piece`` to the end of another area of its controller's fleet."""
        self.remove(piece)
        piece.area = area
        self.place(piece).append(piece)
        if self._found is not None:
            self._found[piece.id] = piece

    def remove(self, piece: Piece) -> None:
        """Take ``piece`` from where it lies; where its cards go is the caller's business."""
        lying = self.place(piece)
        for i, other in enumerate(lying):
            if other is piece:
                del lying[i]
                break
        if self._found is not None:
            self._found.pop(piece.id, None)

    @property
    def phase(self) -> Phase:
        """The phase that is going on."""
        return self.state.phase
