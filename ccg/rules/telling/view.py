"""What a player may see, as records; :mod:`ccg.rules.telling.viewing` builds them."""

from __future__ import annotations

from msgspec import Struct

from ccg.rules.cards.definitions import KeywordName, Resource
from ccg.rules.core.causes import CauseKind
from ccg.rules.core.legality import Reason
from ccg.rules.core.state import SeatNumber


class Shown(Struct, frozen=True, omit_defaults=True, gc=False):
    """What the parts of a view share: written out, they leave out what has its default value.

    They hold nothing that could hold them, so Python's search for cycles passes them by.
    """


class CauseView(Shown, frozen=True):
    """Why something is not as it is printed: by ``amount``, or the ``word`` gained ("Pilot") or lost ("-Pilot").

    It comes from the text of ``card`` and ends ``until`` a moment; or as long as the card is "in play" or
    "linked": then it is the ``piece``, or linked to it.
    """

    kind: CauseKind
    card: str
    until: str
    amount: int = 0
    word: str = ""
    piece: int | None = None


class LinkView(Shown, frozen=True):
    """A mission linked to a unit: a piece of its own, with its number."""

    id: int
    card: str
    owner: SeatNumber
    exhausted: bool = False


class PieceView(Shown, frozen=True):
    """A card in play; numbers, traits and keywords as they now are.

    ``owner`` is named where that is not its controller. ``beneath`` are the cards of the stack under ``card``,
    from the top; ``supply_cards`` those of the ``supplies`` that the viewer may look at. A base or asset
    ``makes`` so many resources as it ``yields``. ``why`` says what makes numbers and words other than printed.
    """

    id: int
    card: str
    controller: SeatNumber
    role: str
    owner: SeatNumber | None = None
    power: int = 0
    threat: int = 0
    mystic: int = 0
    traits: tuple[str, ...] = ()
    keywords: tuple[KeywordName, ...] = ()
    exhausted: bool = False
    beneath: tuple[str, ...] = ()
    supplies: int = 0
    supply_cards: tuple[str, ...] = ()
    makes: Resource | None = None
    yields: int = 0
    links: tuple[LinkView, ...] = ()
    pending: bool = False
    why: tuple[CauseView, ...] = ()


class PlayerView(Shown, frozen=True):
    """One player's side. ``hand_cards`` is the whole hand for its player, else the cards shown of it.

    ``why`` says what is other for this player now: costs, mystic values, what stacks make, being challenged.
    """

    seat: SeatNumber
    name: str
    influence: int
    deck: int
    hand: int
    lost: bool = False
    hand_cards: list[str] = []
    discard: list[str] = []
    removed: list[str] = []
    stacks: list[PieceView] = []
    persistent: list[PieceView] = []
    alert: list[PieceView] = []
    reserve: list[PieceView] = []
    why: list[CauseView] = []


class ChallengeView(Shown, frozen=True):
    """The challenge that is going on; ``mystic`` are the values revealed so far, by seat.

    ``stake`` is the influence that the challenged player loses if nobody defends, or that beating the Cylon
    threat earns.
    """

    challenging: SeatNumber
    challenger: int
    as_type: str
    step: str
    challenged: SeatNumber | None = None
    defender: int | None = None
    threat: int | None = None
    cylon_player: SeatNumber | None = None
    mystic: list[tuple[SeatNumber, int]] = []
    passed: list[SeatNumber] = []
    stake: int = 0


class OptionView(Shown, frozen=True):
    """A legal option with the things it is about, so that a screen can show it where they lie.

    One that ``helps_opponent`` is good for an opponent and for nobody else, as far as its words tell; one that
    ``harms_you`` is bad for its player and does nothing else.
    """

    key: str
    verb: str
    text: str
    card: str | None = None
    piece: int | None = None
    target: int | None = None
    player: SeatNumber | None = None
    word: str | None = None
    number: int | None = None
    helps_opponent: bool = False
    harms_you: bool = False


class UseView(Shown, frozen=True):
    """Something its player could do with a card: play, use, boost or resolve it, challenge or defend with it.

    It is the card with this id in hand, or the ``piece``, whose ability has this ``number`` (and is that of
    the linked mission ``card``, if that is named). Without a ``reason`` it can be done now; else ``text``
    says why not, ``missing`` which resources it wants, ``unmet`` which requirements.
    """

    verb: str
    card: str | None = None
    piece: int | None = None
    number: int | None = None
    reason: Reason | None = None
    text: str = ""
    missing: dict[str, int] = {}
    unmet: list[str] = []


class DecisionView(Shown, frozen=True):
    """Who must choose. Everything beyond that, and that it is a half-made move, only its player sees.

    Where several must choose at once, each sees their own decision, and everybody else that of the first of them;
    ``others`` are those who must choose besides ``seat``.

    ``card`` is the one that asks: by its text, or because it is played or paid for; ``piece`` is that card in play.
    Where the rulebook asks, there is none. ``unable`` are the units that cannot do what is asked, each with the reason.
    """

    seat: SeatNumber
    kind: str
    prompt: str
    card: str | None = None
    piece: int | None = None
    chain: list[str] = []
    options: list[OptionView] = []
    can_take_back: bool = False
    owed: dict[str, int] = {}
    proposal: list[str] = []
    unable: list[UseView] = []
    others: list[SeatNumber] = []


class ResultView(Shown, frozen=True):
    """How the game ended. Without ``winners`` it is a draw of those who are not among the ``losers``."""

    winners: tuple[SeatNumber, ...]
    losers: tuple[SeatNumber, ...]
    reason: str


class View(Struct, frozen=True, gc=False):
    """The game as ``viewer`` sees it (None: a spectator).

    ``why`` says what changes the fleet defense level, and what influence may not do.
    """

    viewer: SeatNumber | None
    turn: int
    phase: str
    step: str
    first: SeatNumber
    fleet_defense: int
    threat_level: int
    players: list[PlayerView]
    threats: list[PieceView]
    challenge: ChallengeView | None
    decision: DecisionView | None
    result: ResultView | None
    why: list[CauseView]


class EventView(Shown, frozen=True):
    """Something that happened, as one viewer may know it; ``text`` is its sentence in the log.

    ``why`` says what was added to a revealed mystic value; ``against`` is the total of the other side.
    """

    kind: str
    text: str
    player: SeatNumber | None = None
    card: str | None = None
    piece: int | None = None
    target: int | None = None
    number: int | None = None
    source: str | None = None
    to: str | None = None
    opponent: SeatNumber | None = None
    why: list[CauseView] = []
    against: int | None = None
