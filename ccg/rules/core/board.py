"""The board: what lies where, who plays and what lasts, and every way in which that changes.

Whatever is worked out from the board is kept until it changes; each change here says so by :meth:`Board.stale`.
Nothing here knows what is still to happen or what cards do: that is :class:`~ccg.rules.core.engine.Engine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.core.state import (
    Area,
    CardNumber,
    Challenge,
    F,
    Modifier,
    Phase,
    Piece,
    Player,
    Role,
    SeatNumber,
    State,
    Until,
)
from ccg.rules.errors import EngineError


class Board(Generic[F]):
    """The state of a game with its catalogue, as rules ask and change it."""

    __slots__ = ("_found", "_orders", "cards", "catalog", "state")

    def __init__(self, state: State[F], catalog: Catalog) -> None:
        self.state = state
        self.catalog = catalog
        self.cards: tuple[CardDef, ...] = catalog.cards
        self._found: dict[int, Piece] | None = None
        self._orders: dict[SeatNumber, list[SeatNumber]] = {}

    def stale(self) -> None:
        """Discard what was worked out from the board, which has changed.

        Called only by the methods that change it: a piece enters, leaves, moves, is turned or has another card
        on top, a challenge begins, ends or gets its defender, an effect begins or ends. Whatever else conditions
        depend on, such as a hand or the phase, is not cached.
        """

    # -- what lasts for a while

    def modify(self, modifier: Modifier) -> None:
        """Add a modifier that lasts for a while."""
        self.state.modifiers.append(modifier)
        self.stale()

    def expire(self, *until: Until) -> None:
        """Remove the modifiers that last until now."""
        if self.state.modifiers:
            self.state.modifiers = [modifier for modifier in self.state.modifiers if modifier.until not in until]
            self.stale()
        self.state.granted.expire(until)

    def reword(self, modifier: Modifier, word: str) -> None:
        """Replace the ``word`` of a modifier."""
        modifier.word = word
        self.stale()

    def drop(self, modifiers: Iterable[Modifier]) -> None:
        """Remove these modifiers."""
        for modifier in modifiers:
            self.state.modifiers.remove(modifier)
            self.stale()

    # -- once each turn

    def use_of(self, piece: int, card: CardNumber, number: int) -> tuple[int, CardNumber, int, int]:
        """Return the key under which a use of ability ``number`` of ``card``, which is on or at ``piece``, is recorded.

        Equal cards of a stack differ in how many of them lie beneath: a new copy on top counts as a new card, and the
        uses of the copy that it covers stay recorded for that one (rulings 20, 87).
        """
        stack = self.find(piece)
        beneath = stack.cards[1:].count(card) if stack is not None and stack.cards[0] == card else 0
        return piece, card, beneath, number

    def is_used(self, piece: int, card: CardNumber, number: int) -> bool:
        """Return whether this ability, allowed once each turn, was used in this turn."""
        return self.use_of(piece, card, number) in self.state.used

    def take_from_stack(self, stack: Piece, place: int, becoming: int = 0) -> CardNumber:
        """Take the card at ``place`` out of a unit stack; piece ``becoming``, if not 0, takes over its recorded uses.

        The uses of equal cards above it are recorded anew, as one card less lies beneath them.
        """
        card = stack.cards.pop(place)
        stack.role = self.role(stack.cards[0])
        beneath = stack.cards[place:].count(card)
        moved = [
            (becoming, card, 0, number)
            for piece, other, copy, number in self.state.used
            if (piece, other, copy) == (stack.id, card, beneath)
        ]
        kept = [
            use if use[:2] != (stack.id, card) or use[2] < beneath else (stack.id, card, use[2] - 1, use[3])
            for use in self.state.used
            if use[:3] != (stack.id, card, beneath)
        ]
        self.state.used = kept + moved if becoming else kept
        self.stale()
        return card

    # -- players and turn order

    def seats(self, start: SeatNumber | None = None) -> list[SeatNumber]:
        """Return the players still in the game in turn order from ``start`` (default: the first player)."""
        begin = self.state.first if start is None else start
        order = self._orders.get(begin)
        if order is None:
            players = self.state.players
            if not 0 <= begin < len(players):
                raise EngineError("seat", f"there is no seat {begin}")
            everybody = [*range(begin, len(players)), *range(begin)]
            order = self._orders[begin] = [seat for seat in everybody if not players[seat].lost]
        return order[:]

    def leave(self, seat: SeatNumber) -> None:
        """Note that the player at ``seat`` is in the game no more."""
        self.state.players[seat].lost = True
        self._orders.clear()

    def next_seat(self, seat: SeatNumber) -> SeatNumber:
        """Return the player to the left of ``seat`` who is still in the game."""
        players = self.state.players
        left = (seat + 1) % len(players)
        while players[left].lost:
            left = (left + 1) % len(players)
        return left

    def opponents(self, seat: SeatNumber) -> list[SeatNumber]:
        """Return the other players still in the game, in turn order from the left of ``seat``."""
        return [other for other in self.seats(seat) if other != seat]

    def player(self, seat: SeatNumber) -> Player:
        """Return what the player at ``seat`` has."""
        return self.state.players[seat]

    # -- pieces

    def card(self, card: CardNumber) -> CardDef:
        """Return the definition of ``card``."""
        return self.cards[card >> 3]

    def definition(self, piece: Piece) -> CardDef:
        """Return the definition of the card on top of ``piece``."""
        return self.cards[piece.cards[0] >> 3]

    def role(self, card: CardNumber) -> Role:
        """Return what a personnel or ship card is as a unit; both may lie in one stack, under one title."""
        return Role[self.card(card).type.upper()]

    def pieces(self) -> Iterator[Piece]:
        """Return every piece in play, fleet by fleet from seat 0, then the Cylon threats; links follow their unit."""
        for player in self.state.players:
            for lying in (player.alert, player.reserve, player.resource):
                for piece in lying:
                    yield piece
                    yield from piece.links
        yield from self.state.threats

    def find(self, piece: int) -> Piece | None:
        """Return the piece with this number, or None if it has left play."""
        if self._found is None:
            self._found = {found.id: found for found in self.pieces()}
        return self._found.get(piece)

    def piece(self, piece: int) -> Piece:
        """Return the piece with this number, which is known to be in play."""
        found = self.find(piece)
        if found is None:
            raise EngineError("piece", f"piece {piece} is not in play")
        return found

    def enter(self, role: Role, area: Area, controller: SeatNumber, card: CardNumber) -> Piece:
        """Put ``card`` into play as a new piece at the end of its area."""
        state = self.state
        self.stale()
        piece = Piece(state.next_piece, role, area, controller, [card])
        state.next_piece += 1
        self.place(piece).append(piece)
        if self._found is not None:
            self._found[piece.id] = piece
        return piece

    def turn(self, piece: Piece, exhausted: bool) -> None:
        """Turn ``piece`` face down or face up where it lies."""
        piece.exhausted = exhausted
        self.stale()

    def put_on_top(self, unit: Piece, card: CardNumber) -> None:
        """Put ``card`` on top of a unit stack."""
        unit.cards.insert(0, card)
        unit.role = self.role(card)
        self.stale()

    def place(self, piece: Piece) -> list[Piece]:
        """Return the list in which ``piece`` lies."""
        if piece.area == Area.CENTER:
            return self.state.threats
        if piece.area == Area.LINKED:
            return self.host(piece).links
        return self.state.players[piece.controller].area(piece.area)

    def host(self, link: Piece) -> Piece:
        """Return the unit to which a mission is linked."""
        return next(unit for unit in self.pieces() if any(other is link for other in unit.links))

    def link(self, mission: Piece, unit: Piece) -> None:
        """Take ``mission`` from where it lies and link it to ``unit``."""
        self.remove(mission)
        mission.area = Area.LINKED
        unit.links.append(mission)
        self._found = None
        self.stale()

    def move(self, piece: Piece, area: Area, controller: SeatNumber | None = None) -> None:
        """Move ``piece`` to the end of another area of its controller's fleet, or of that of a new ``controller``."""
        self.remove(piece)
        piece.area = area
        if controller is not None:
            piece.controller = controller
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

    # -- the challenge

    def begin_challenge(self, challenge: Challenge) -> None:
        """Set the current challenge."""
        self.state.challenge = challenge
        self.stale()

    def set_defender(self, challenge: Challenge, piece: int) -> None:
        """Set the defender of the current challenge."""
        challenge.defender = piece
        challenge.defended = True
        self.stale()

    def end_challenge(self) -> None:
        """Clear the current challenge."""
        self.state.challenge = None
        self.stale()

    @property
    def phase(self) -> Phase:
        """The phase that is going on."""
        return self.state.phase
