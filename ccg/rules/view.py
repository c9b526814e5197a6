"""What a player may see, built by allowing: each part is copied in on purpose, hidden ones never are.

:func:`view` is the only way from a game to a screen; a spectator (None) is a viewer too. Rulebook: Game
Zones (who may look where); rulings 7 (supply cards) and 39 (revealed cards).
"""

from __future__ import annotations

from msgspec import Struct

from ccg.rules import characteristics, words
from ccg.rules.agenda import Engine
from ccg.rules.cards import KeywordName, Resource
from ccg.rules.events import Event
from ccg.rules.options import NO_CARD, NOBODY, Option
from ccg.rules.payment import OWED, Payment, cheapest
from ccg.rules.state import Card, Piece, Result, Role, Seat


class LinkView(Struct, frozen=True):
    """A mission linked to a unit: a piece of its own, with its number."""

    id: int
    card: str
    owner: Seat
    exhausted: bool


class PieceView(Struct, frozen=True):
    """A card in play; numbers, traits and keywords as they now are. ``cards`` is the stack, top first."""

    id: int
    card: str
    cards: list[str]
    owner: Seat
    controller: Seat
    role: str
    power: int
    threat: int
    mystic: int
    traits: tuple[str, ...]
    keywords: tuple[KeywordName, ...]
    exhausted: bool
    supplies: int
    supply_cards: list[str]
    makes: Resource | None
    yields: int
    links: list[LinkView]
    pending: bool


class PlayerView(Struct, frozen=True):
    """One player's side. ``hand_cards`` is the whole hand for its player, else the cards shown of it."""

    seat: Seat
    name: str
    influence: int
    lost: bool
    deck: int
    hand: int
    hand_cards: list[str]
    discard: list[str]
    removed: list[str]
    stacks: list[PieceView]
    persistent: list[PieceView]
    alert: list[PieceView]
    reserve: list[PieceView]


class ChallengeView(Struct, frozen=True):
    """The challenge that is going on; ``mystic`` are the values revealed so far, by seat."""

    challenging: Seat
    challenged: Seat | None
    challenger: int
    defender: int | None
    threat: int | None
    cylon_player: Seat | None
    as_type: str
    step: str
    mystic: list[tuple[Seat, int]]
    passed: list[Seat]


class OptionView(Struct, frozen=True):
    """A legal option with the things it is about, so that a screen can show it where they lie."""

    key: str
    verb: str
    text: str
    card: str | None = None
    piece: int | None = None
    target: int | None = None
    player: Seat | None = None
    word: str | None = None
    number: int | None = None


class DecisionView(Struct, frozen=True):
    """Who must choose. Everything beyond that, and that it is a half-made move, only its player sees."""

    seat: Seat
    kind: str
    prompt: str
    chain: list[str]
    options: list[OptionView]
    can_take_back: bool
    owed: dict[str, int]
    proposal: list[str]


class ResultView(Struct, frozen=True):
    """How the game ended; nobody among ``winners`` is a draw."""

    winners: tuple[Seat, ...]
    losers: tuple[Seat, ...]
    reason: str


class View(Struct, frozen=True):
    """The game as ``viewer`` sees it (None: a spectator)."""

    viewer: Seat | None
    turn: int
    phase: str
    step: str
    first: Seat
    fleet_defense: int
    threat_level: int
    players: list[PlayerView]
    threats: list[PieceView]
    challenge: ChallengeView | None
    decision: DecisionView | None
    result: ResultView | None


class EventView(Struct, frozen=True):
    """Something that happened, as one viewer may know it; ``text`` is its sentence in the log."""

    kind: str
    text: str
    player: Seat | None = None
    card: str | None = None
    piece: int | None = None
    target: int | None = None
    number: int | None = None
    source: str | None = None
    to: str | None = None
    opponent: Seat | None = None


ROLES = tuple(role.name.lower() for role in Role)
"""The names of roles, as views show them."""


def view(engine: Engine, viewer: Seat | None, options: list[Option], can_take_back: bool) -> View:
    """Build what ``viewer`` may see. ``options`` are those of the decision that is waiting."""
    state = engine.state
    return View(
        viewer=viewer,
        turn=state.turn,
        phase=state.phase.value,
        step=_kind(engine, viewer),
        first=state.first,
        fleet_defense=characteristics.fleet_defense(engine),
        threat_level=characteristics.threat_level(engine),
        players=[_player(engine, seat, viewer) for seat in range(len(state.players))],
        threats=[_piece(engine, piece, viewer) for piece in state.threats],
        challenge=_challenge(engine),
        decision=_decision(engine, viewer, options, can_take_back) if state.asking is not None else None,
        result=_result(state.result),
    )


def event_view(engine: Engine, event: Event, viewer: Seat | None) -> EventView:
    """Build what ``viewer`` may know of ``event``."""
    card = event.card_for(viewer)
    return EventView(
        kind=event.kind,
        text=words.sentence(engine, event, viewer),
        player=event.player,
        card=engine.card(card).id if card is not None else None,
        piece=event.piece,
        target=event.target,
        number=event.number,
        source=event.source,
        to=event.to,
        opponent=event.opponent,
    )


def _player(engine: Engine, seat: Seat, viewer: Seat | None) -> PlayerView:
    player = engine.player(seat)
    seen = player.hand if seat == viewer else player.shown
    return PlayerView(
        seat=seat,
        name=player.name,
        influence=player.influence,
        lost=player.lost,
        deck=len(player.deck),
        hand=len(player.hand),
        hand_cards=_ids(engine, seen),
        discard=_ids(engine, player.discard),
        removed=_ids(engine, player.removed),
        stacks=[_piece(engine, piece, viewer) for piece in player.resource if piece.is_stack],
        persistent=[_piece(engine, piece, viewer) for piece in player.resource if not piece.is_stack],
        alert=[_piece(engine, piece, viewer) for piece in player.alert],
        reserve=[_piece(engine, piece, viewer) for piece in player.reserve],
    )


def _piece(engine: Engine, piece: Piece, viewer: Seat | None) -> PieceView:
    definition = engine.definition(piece)
    power, threat, mystic, traits, keywords = characteristics.read(engine, piece)
    stack = piece.role <= Role.ASSET
    return PieceView(
        id=piece.id,
        card=definition.id,
        cards=_ids(engine, piece.cards),
        owner=piece.owner,
        controller=piece.controller,
        role=ROLES[piece.role],
        power=power,
        threat=threat,
        mystic=mystic,
        traits=traits,
        keywords=keywords,
        exhausted=piece.exhausted,
        supplies=len(piece.supplies),
        supply_cards=_ids(engine, piece.supplies) if piece.controller == viewer else [],
        makes=definition.produces if stack else None,
        yields=characteristics.yields(engine, piece) if stack else 0,
        links=[LinkView(link.id, engine.definition(link).id, link.controller, link.exhausted) for link in piece.links],
        pending=definition.ability_pending,
    )


def _challenge(engine: Engine) -> ChallengeView | None:
    challenge = engine.state.challenge
    if challenge is None:
        return None
    sides = (challenge.challenging, challenge.opponent)
    return ChallengeView(
        challenging=challenge.challenging,
        challenged=challenge.challenged,
        challenger=challenge.challenger,
        defender=challenge.defender or None,
        threat=challenge.threat or None,
        cylon_player=challenge.cylon_player,
        as_type=challenge.role.name.lower(),
        step=challenge.stage.value,
        mystic=[(seat, value) for seat, value in zip(sides, challenge.mystic, strict=True) if value is not None],
        passed=challenge.passed,
    )


def _decision(engine: Engine, viewer: Seat | None, options: list[Option], can_take_back: bool) -> DecisionView:
    state = engine.state
    assert state.asking is not None
    mine = viewer == state.asking
    payment = state.agenda[-1] if mine and isinstance(state.agenda[-1], Payment) else None
    return DecisionView(
        seat=state.asking,
        kind=_kind(engine, viewer),
        prompt=words.prompt(engine, viewer),
        chain=words.chain(engine) if mine else [],
        options=[option_view(engine, option) for option in options] if mine else [],
        can_take_back=can_take_back and mine,
        owed={
            resource: amount for resource, amount in zip(OWED, payment.owed, strict=True) if amount
        } if payment else {},
        proposal=[f"pay {stack}" for stack in cheapest(engine, payment)] if payment else [],
    )  # fmt: skip


def _kind(engine: Engine, viewer: Seat | None) -> str:
    """Give the kind of the decision that is waiting; of a half-made move others know only that one is made."""
    state = engine.state
    if viewer == state.asking or not state.agenda:
        return state.question
    if state.question == "expedite":
        return "action" if state.challenge is None else "effects"
    beneath = next(frame for frame in reversed(state.agenda) if not frame.half_made())
    return beneath.asks if beneath is not state.agenda[-1] else state.question


def option_view(engine: Engine, option: Option) -> OptionView:
    """Build what the deciding player sees of an option."""
    return OptionView(
        key=option.key(engine.catalog),
        verb=option.verb,
        text=words.option_text(engine, option),
        card=engine.catalog.cards[option.card].id if option.card != NO_CARD else None,
        piece=option.piece or None,
        target=option.target or None,
        player=option.player if option.player != NOBODY else None,
        word=option.word or None,
        number=option.number if option.number >= 0 else None,
    )


def _result(result: Result | None) -> ResultView | None:
    return ResultView(result.winners, result.losers, result.reason) if result is not None else None


def _ids(engine: Engine, cards: list[Card]) -> list[str]:
    ids = engine.catalog.ids
    return [ids[card >> 3] for card in cards]
