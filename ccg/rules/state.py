"""The state of a game as plain data: what lies where, and what is still to happen.

Nothing here has rules of its own. The tree is made of small typed records that can be compared, saved
to bytes and read back at every decision. A card is one small number, :func:`card_of`: which definition
in the catalogue, and who owns it. Cards in hidden zones are no more than that, so nothing can follow one
through a shuffle; a card in play is a :class:`Piece` with a number that is fresh each time.

Rulebook: Game Zones (fleet with alert, reserve and resource area, deck, discard pile, hand, removed).
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Generic, TypeVar

from msgspec import Struct, field

from ccg.rules.chance import Chance

Seat = int
"""A player's place in turn order, from 0; the next number sits to the left."""

Card = int
"""A card somewhere in the game: definition and owner in one number (:func:`card_of`)."""

WINNING_INFLUENCE = 20
MOST_PLAYERS = 8


def card_of(definition: int, owner: Seat) -> Card:
    """Give the card with this definition (its index in the catalogue) that ``owner`` brought."""
    return definition << 3 | owner


def owner_of(card: Card) -> Seat:
    """Give the player who brought ``card``."""
    return card & 7


def definition_of(card: Card) -> int:
    """Give the index of the card's definition in the catalogue."""
    return card >> 3


class Area(IntEnum):
    """Where a piece lies: three areas of a fleet, between all players (a Cylon threat), or linked to a unit."""

    ALERT = 0
    RESERVE = 1
    RESOURCE = 2
    CENTER = 3
    LINKED = 4


class Role(IntEnum):
    """What a piece is in play; a personnel card that is an asset is no personnel any more."""

    BASE = 0
    ASSET = 1
    PERSONNEL = 2
    SHIP = 3
    MISSION = 4
    THREAT = 5


UNITS = (Role.PERSONNEL, Role.SHIP)
STACKS = (Role.BASE, Role.ASSET)
"""Roles that are asked for all the time: found here at once, while an enumeration takes long to find a member."""

ROLES = tuple(role.name.lower() for role in Role)
"""The names of roles, as cards and views have them."""


class Phase(StrEnum):
    """The phases of a turn, and the setup before the first (Turn Structure)."""

    SETUP = "setup"
    READY = "ready"
    EXECUTION = "execution"
    CYLON = "cylon"


class Piece(Struct, array_like=True):
    """A card in play, with all that lies with it: a unit stack, a resource stack, a mission, a threat.

    ``cards`` is the stack, top first; ``supplies`` are the face-down cards under a base or asset;
    ``links`` the missions linked to a unit, pieces of their own. ``exhausted`` means that it lies face down.
    """

    id: int
    role: Role
    area: Area
    controller: Seat
    cards: list[Card]
    exhausted: bool = False
    supplies: list[Card] = field(default_factory=list)
    links: list[Piece] = field(default_factory=list)

    @property
    def top(self) -> Card:
        """The card whose text and numbers count."""
        return self.cards[0]

    @property
    def owner(self) -> Seat:
        """Who owns the top card."""
        return self.cards[0] & 7

    @property
    def is_unit(self) -> bool:
        """Whether it is a personnel or a ship (Glossary: unit)."""
        return self.role in UNITS

    @property
    def is_stack(self) -> bool:
        """Whether it is a base or an asset (Glossary: resource stack)."""
        return self.role in STACKS


class Player(Struct, array_like=True):
    """What one player has. Decks and discard piles have their top card last.

    ``removed`` is the zone of cards removed from the game, open to all; ``gone`` are the cards that left the
    game together with their player, which nobody may look at. ``shown`` are the cards of the hand that
    everybody has been shown. ``resource`` holds the base first, then assets and persistent missions in the
    order in which they came.
    """

    name: str
    influence: int
    deck: list[Card]
    hand: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    removed: list[Card] = field(default_factory=list)
    gone: list[Card] = field(default_factory=list)
    alert: list[Piece] = field(default_factory=list)
    reserve: list[Piece] = field(default_factory=list)
    resource: list[Piece] = field(default_factory=list)
    shown: list[Card] = field(default_factory=list)
    lost: bool = False

    def area(self, area: Area) -> list[Piece]:
        """Give the pieces of one area of this player's fleet."""
        if area == Area.ALERT:
            return self.alert
        return self.reserve if area == Area.RESERVE else self.resource


class Scope(Struct, array_like=True):
    """What the words of an ability refer to while it is played and resolves.

    ``you`` is the player it speaks to, ``card`` the card it is printed on, ``piece`` that card in play (0
    for an event). ``chosen`` holds what was chosen for each choice of the ability, by its number: piece
    numbers, a seat, a mode, or 0 and 1 for no and yes (None: not yet). ``it`` are the pieces spoken of
    last, ``x`` a value read on the way; ``about``, ``whom`` and ``value`` are the piece, the player
    and the number of the event that set a trigger off. ``owner`` is who owned "it", should it have left play.
    """

    you: Seat
    card: Card
    piece: int = 0
    chosen: list[list[int] | None] = field(default_factory=list)
    it: list[int] = field(default_factory=list)
    x: int = 0
    about: int = 0
    whom: Seat = -1
    value: int = 0
    owner: Seat = -1


class Until(StrEnum):
    """When a change that was made for a while ends (Effects: until the end of the phase, unless stated)."""

    PHASE = "end of phase"
    TURN = "end of turn"
    CHALLENGE = "end of challenge"
    NEXT_ACTION = "next action"


class Modifier(Struct, array_like=True):
    """A change that an effect has made for a while, of ``kind`` power, gains, loses, cannot, fleet or prevent.

    It is on the ``pieces`` named, or (None) on whatever the change numbered ``change`` in the script of
    ``scope.card`` touches as it stands. ``amount`` and ``word`` say how much or what.
    """

    kind: str
    scope: Scope
    pieces: list[int] | None = None
    change: int = -1
    amount: int = 0
    word: str = ""
    until: Until = Until.PHASE


class Waiting(Struct, array_like=True):
    """A triggered ability that has been set off: number ``trigger`` of its card, with its ``scope``."""

    trigger: int
    scope: Scope


class Delayed(Struct, array_like=True):
    """Something to be done at a later moment: block ``block`` of its card's script."""

    moment: str
    block: int
    scope: Scope


class Stage(StrEnum):
    """How far a challenge has come; the view shows it as the steps of the challenge."""

    DECLARED = "declared"
    DEFEND = "defend"
    EFFECTS = "effects"
    MYSTIC = "mystic"
    RESULT = "result"


class Challenge(Struct, array_like=True):
    """The challenge that is going on: who, with what, against whom (Challenge Procedure).

    Against a player ``challenged`` is a seat; against a Cylon threat ``threat`` is its piece and
    ``cylon_player`` the player who stands for it. Unused seats and pieces are None and 0.
    ``mystic`` holds the values revealed for the challenger and for the defender, ``margin`` by how much the
    defender won (negative: lost). ``over`` says that an effect has ended it, ``fates`` what effects make of
    its outcome, and ``reacting`` are units that may defend from where they lie.
    """

    challenging: Seat
    challenger: int
    challenged: Seat | None = None
    threat: int = 0
    cylon_player: Seat | None = None
    role: Role = Role.PERSONNEL
    defender: int = 0
    defended: bool = False
    stage: Stage = Stage.DECLARED
    passed: list[Seat] = field(default_factory=list)
    mystic: list[int | None] = field(default_factory=lambda: [None, None])
    margin: int = 0
    over: bool = False
    fates: list[str] = field(default_factory=list)
    reacting: list[int] = field(default_factory=list)

    @property
    def opponent(self) -> Seat:
        """The player on the other side: the challenged player, or the Cylon player."""
        seat = self.challenged if self.challenged is not None else self.cylon_player
        assert seat is not None
        return seat

    def has(self, piece: int) -> bool:
        """Whether ``piece`` takes part as challenger or defender."""
        return piece in (self.challenger, self.defender)


class Result(Struct, frozen=True, array_like=True):
    """How a game ended. ``reason``: influence, last or draw; then nobody won, and who is no loser has drawn."""

    winners: tuple[Seat, ...]
    losers: tuple[Seat, ...]
    reason: str


F = TypeVar("F")


class State(Struct, Generic[F], array_like=True):
    """The whole game. ``agenda`` is the stack of what is still to happen (top last).

    ``asking`` is the player who must choose now (None: nobody; the agenda goes on) and ``question``
    the kind of that decision. ``waiting`` are triggers set off and not yet resolved, ``delayed`` what is to
    happen at a later moment, ``used`` the abilities (piece, card, number) played that are allowed once a turn.
    """

    players: list[Player]
    chance: Chance
    agenda: list[F] = field(default_factory=list)
    turn: int = 0
    phase: Phase = Phase.SETUP
    first: Seat = 0
    next_piece: int = 1
    threats: list[Piece] = field(default_factory=list)
    challenge: Challenge | None = None
    modifiers: list[Modifier] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    delayed: list[Delayed] = field(default_factory=list)
    used: list[tuple[int, Card, int]] = field(default_factory=list)
    asking: Seat | None = None
    question: str = ""
    result: Result | None = None
