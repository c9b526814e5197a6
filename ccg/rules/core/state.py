"""The state of a game as plain data: what lies where, and what is still to happen.

Nothing here has rules of its own. The tree is made of small typed records that can be compared, saved
to bytes and read back at every decision. A card is one small number, :func:`card_of`: which definition
in the catalogue, and who owns it. Cards in hidden zones are no more than that, so nothing can follow one
through a shuffle; a card in play is a :class:`Piece` with a number that is fresh each time.

Rulebook: Game Zones (fleet with alert, reserve and resource area, deck, discard pile, hand, removed).
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, Generic, Literal, TypeVar, get_args

from msgspec import field

from ccg.rules.core.chance import Chance
from ccg.rules.core.data import Data

SeatNumber = int
"""A player's place in turn order, from 0; the next number sits to the left."""

CardNumber = int
"""A card somewhere in the game: definition and owner in one number (:func:`card_of`)."""

WINNING_INFLUENCE: Final = 20
MOST_PLAYERS = 8


def card_of(definition: int, owner: SeatNumber) -> CardNumber:
    """Return the card with this definition (its index in the catalogue) that ``owner`` brought."""
    return definition << 3 | owner


def owner_of(card: CardNumber) -> SeatNumber:
    """Return the player who brought ``card``."""
    return card & 7


def definition_of(card: CardNumber) -> int:
    """Return which definition ``card`` has: its index in the catalogue.

    Where it is asked for every piece and card again (the texts in force, the options of a player, views) ``card >> 3``
    stands for it, since calling a function takes longer than the shift.
    """
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


UNITS: Final[tuple[Role, ...]] = (Role.PERSONNEL, Role.SHIP)
STACKS: Final[tuple[Role, ...]] = (Role.BASE, Role.ASSET)
"""Roles that are asked for all the time: found here at once, while an enumeration takes long to find a member."""

ROLES = tuple(role.name.lower() for role in Role)
"""The names of roles, as cards and views have them."""


class Phase(StrEnum):
    """The phases of a turn, and the setup before the first (Turn Structure)."""

    SETUP = "setup"
    READY = "ready"
    EXECUTION = "execution"
    CYLON = "cylon"


class Piece(Data):
    """A card in play, with all that lies with it: a unit stack, a resource stack, a mission, a threat.

    ``cards`` is the stack, top first; ``supplies`` are the face-down cards under a base or asset;
    ``links`` the missions linked to a unit, pieces of their own. ``exhausted`` means that it lies face down.
    """

    id: int
    role: Role
    area: Area
    controller: SeatNumber
    cards: list[CardNumber]
    exhausted: bool = False
    supplies: list[CardNumber] = field(default_factory=list)
    links: list[Piece] = field(default_factory=list)

    @property
    def top(self) -> CardNumber:
        """The card whose text and numbers count."""
        return self.cards[0]

    @property
    def owner(self) -> SeatNumber:
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


class Player(Data):
    """What one player has. Decks and discard piles have their top card last.

    ``removed`` is the zone of cards removed from the game, open to all; ``gone`` are the cards that left the
    game together with their player, which nobody may look at. ``shown`` are the cards of the hand that
    everybody has been shown. ``resource`` holds the base first, then assets and persistent missions in the
    order in which they came.
    """

    name: str
    influence: int
    deck: list[CardNumber]
    hand: list[CardNumber] = field(default_factory=list)
    discard: list[CardNumber] = field(default_factory=list)
    removed: list[CardNumber] = field(default_factory=list)
    gone: list[CardNumber] = field(default_factory=list)
    alert: list[Piece] = field(default_factory=list)
    reserve: list[Piece] = field(default_factory=list)
    resource: list[Piece] = field(default_factory=list)
    shown: list[CardNumber] = field(default_factory=list)
    lost: bool = False

    def area(self, area: Area) -> list[Piece]:
        """Return the pieces of one area of this player's fleet."""
        if area == Area.ALERT:
            return self.alert
        return self.reserve if area == Area.RESERVE else self.resource


class Context(Data):
    """What the words of an ability refer to while it is played and resolves.

    ``you`` is the player it speaks to, ``card`` the card it is printed on, ``piece`` that card in play (0
    for an event). ``chosen`` holds what was chosen for each choice of the ability, by its number: piece
    numbers, a seat, a mode, or 0 and 1 for no and yes (None: not yet). ``it`` are the pieces spoken of
    last, ``x`` a value read on the way; ``about``, ``whom`` and ``value`` are the piece, the player
    and the number of the event that set a trigger off. ``owner`` is who owned "it", should it have left play.
    ``played`` says that the card has left the hand from which it is played.
    """

    you: SeatNumber
    card: CardNumber
    piece: int = 0
    chosen: list[list[int] | None] = field(default_factory=list)
    it: list[int] = field(default_factory=list)
    x: int = 0
    about: int = 0
    whom: SeatNumber = -1
    value: int = 0
    owner: SeatNumber = -1
    played: bool = False


class Until(StrEnum):
    """When a change that was made for a while ends (Effects: until the end of the phase, unless stated)."""

    PHASE = "end of phase"
    TURN = "end of turn"
    CHALLENGE = "end of challenge"
    NEXT_ACTION = "next action"


ModifierKind = Literal[
    "power", "threat", "trait", "keyword", "cannot", "immune", "not singular",  # what a card is and can do
    "cheaper", "convert", "price", "revealed",  # what a player pays, makes and reveals
    "fleet", "prevent",  # the fleet defense level; what influence cannot do
]  # fmt: skip
"""What an active modifier changes."""

MODIFIER_KINDS: tuple[ModifierKind, ...] = get_args(ModifierKind)


class Modifier(Data):
    """A change of a certain ``kind`` that an effect has made for a while.

    It is on the ``pieces`` named, or (None) on whatever the change numbered ``change`` in the script of
    ``context.card`` touches as it stands. ``amount`` and ``word`` say how much or what.
    """

    kind: ModifierKind
    context: Context
    pieces: list[int] | None = None
    change: int = -1
    amount: int = 0
    word: str = ""
    until: Until = Until.PHASE


Reveal = Literal["sum", "choose", "skip"]
"""What an effect makes of a mystic value to be revealed: one more, added or to choose from, or power instead."""


class ComingReveal(Data):
    """What becomes of mystic values that ``seat`` reveals for a challenge ``until`` a moment (the next, this turn).

    Instead of one that is skipped the ``pieces`` get so much power as ``context`` has read for X.
    """

    seat: SeatNumber
    how: Reveal
    context: Context
    pieces: list[int]
    until: Until


class Granted(Data):
    """What effects have granted or ordered for the course of the turn, until the procedure it concerns takes it up.

    ``extra_actions`` are the players of extra actions, ``phase_over`` says that the execution phase ends,
    ``more_phases`` how many execution and Cylon phases follow, ``first`` who goes first in the next Cylon phase (the
    last of those still in the game), ``reveals`` what becomes of mystic values to be revealed.
    """

    extra_actions: list[SeatNumber] = field(default_factory=list)
    phase_over: bool = False
    more_phases: int = 0
    first: list[SeatNumber] = field(default_factory=list)
    reveals: list[ComingReveal] = field(default_factory=list)

    def expire(self, until: tuple[Until, ...]) -> None:
        """Forget what was granted just until now."""
        if Until.PHASE in until:
            self.extra_actions.clear()
            self.phase_over = False
        if Until.TURN in until:
            self.more_phases = 0
            self.first.clear()
        if self.reveals:
            self.reveals = [reveal for reveal in self.reveals if reveal.until not in until]


class Deeds(Data):
    """What players have done in this phase, so that loops are noticed (:mod:`ccg.rules.core.loops`; ruling 92).

    ``positions`` are checksums of those that stood after each deed, ``done`` how much each seat has done, ``held`` who
    can only pass from now on. ``chained`` is how often anybody had to choose for what was set off by what was set off.
    """

    positions: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    held: list[SeatNumber] = field(default_factory=list)
    chained: int = 0


class Waiting(Data):
    """A triggered ability that has been set off: number ``trigger`` of its card, with its ``context``."""

    trigger: int
    context: Context


class Delayed(Data):
    """Something to be done at a later moment: block ``block`` of its card's script."""

    moment: str
    block: int
    context: Context


class Stage(StrEnum):
    """How far a challenge has come; the view shows it as the steps of the challenge."""

    DECLARED = "declared"
    DEFEND = "defend"
    EFFECTS = "effects"
    MYSTIC = "mystic"
    RESULT = "result"


Fate = tuple[str, str]
"""What an effect makes of the outcome of a challenge: who of those who take part, and what becomes of it."""


class Challenge(Data):
    """The challenge that is going on: who, with what, against whom (Challenge Procedure).

    Against a player ``challenged`` is a seat; against a Cylon threat ``threat`` is its piece and
    ``cylon_player`` the player who stands for it. Unused seats and pieces are None and 0.
    ``mystic`` holds the values revealed for the challenger and for the defender, ``margin`` by how much the
    defender won (negative: lost). ``over`` says that an effect has ended it, ``fates`` what effects make of
    its outcome, ``resolved`` that this has been carried out, and ``reacting`` are units that may defend from
    where they lie. ``role`` is what the challenger challenges as, ``defending_as`` what a defender of a player
    defends as.
    """

    challenging: SeatNumber
    challenger: int
    challenged: SeatNumber | None = None
    threat: int = 0
    cylon_player: SeatNumber | None = None
    role: Role = Role.PERSONNEL
    defender: int = 0
    defended: bool = False
    stage: Stage = Stage.DECLARED
    passed: list[SeatNumber] = field(default_factory=list)
    mystic: list[int | None] = field(default_factory=lambda: [None, None])
    margin: int = 0
    over: bool = False
    fates: list[Fate] = field(default_factory=list)
    reacting: list[int] = field(default_factory=list)
    defending_as: Role = Role.PERSONNEL
    resolved: bool = False

    @property
    def opponent(self) -> SeatNumber:
        """The player on the other side: the challenged player, or the Cylon player."""
        seat = self.challenged if self.challenged is not None else self.cylon_player
        assert seat is not None
        return seat

    def has(self, piece: int) -> bool:
        """Return whether ``piece`` takes part as challenger or defender."""
        return piece in (self.challenger, self.defender)


class Result(Data):
    """How a game ended. ``reason``: influence; last, time or absent (all others are gone); draw, agreed or abandoned
    (nobody won).

    Who is neither winner nor loser has drawn.
    """

    winners: tuple[SeatNumber, ...]
    losers: tuple[SeatNumber, ...]
    reason: str


F = TypeVar("F", bound=Data)


class State(Data, Generic[F]):
    """The whole game. ``agenda`` is the stack of what is still to happen (top last).

    ``asking`` is the player who must choose now (None: nobody; the agenda goes on) and ``question``
    the kind of that decision. ``modifiers`` are changes of what cards are, can do or cost that effects have made for a
    while, ``granted`` what effects have ordered for the course of the turn.

    ``waiting`` are triggers set off and not yet resolved, ``delayed`` what is to happen at a later moment, ``used`` the
    abilities played that are allowed once a turn: piece, card, how many equal cards lie beneath it, and number
    (:meth:`~ccg.rules.core.board.Board.use_of`). ``resolved`` are the players who have resolved their one mission of
    this execution phase, ``deeds`` what players have done in this phase.
    """

    players: list[Player]
    chance: Chance
    agenda: list[F] = field(default_factory=list)
    turn: int = 0
    phase: Phase = Phase.SETUP
    first: SeatNumber = 0
    next_piece: int = 1
    threats: list[Piece] = field(default_factory=list)
    challenge: Challenge | None = None
    modifiers: list[Modifier] = field(default_factory=list)
    granted: Granted = field(default_factory=Granted)
    waiting: list[Waiting] = field(default_factory=list)
    delayed: list[Delayed] = field(default_factory=list)
    used: list[tuple[int, CardNumber, int, int]] = field(default_factory=list)
    resolved: list[SeatNumber] = field(default_factory=list)
    deeds: Deeds = field(default_factory=Deeds)
    asking: SeatNumber | None = None
    question: str = ""
    result: Result | None = None
