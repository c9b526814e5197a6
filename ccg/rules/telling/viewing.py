"""Builds what a player may see, by allowing: each part is copied in on purpose, hidden ones never are.

:func:`view` is the only way from a game to a screen; a spectator (None) is a viewer too. The records are those of
:mod:`ccg.rules.telling.view`, in a module of their own as records are not compiled. Rulebook: Game Zones (who may look
where); rulings 7 (supply cards) and 39 (revealed cards).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ccg.rules.cards.definitions import Numbers
from ccg.rules.core import characteristics
from ccg.rules.core.causes import Cause
from ccg.rules.core.characteristics import ASSET, BASE, THREAT
from ccg.rules.core.engine import Engine
from ccg.rules.core.events import Event
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.core.state import ROLES, CardNumber, ModifierKind, Piece, Result, SeatNumber
from ccg.rules.rulebook.challenge import at_stake
from ccg.rules.rulebook.payment import OWED
from ccg.rules.telling import benefits, explanations, refusals, sentences
from ccg.rules.telling.refusals import Use
from ccg.rules.telling.view import (
    CauseView,
    ChallengeView,
    DecisionView,
    EventView,
    LinkView,
    OptionView,
    PieceView,
    PlayerView,
    ResultView,
    UseView,
    View,
)


def view(engine: Engine, viewer: SeatNumber | None, options: list[Option], can_take_back: bool) -> View:
    """Build what ``viewer`` may see. ``options`` are those of the decision that is waiting."""
    state = engine.state
    kinds, kind = characteristics.active_kinds(engine), _kind(engine, viewer)
    return View(
        viewer=viewer,
        turn=state.turn,
        phase=state.phase.value,
        step=kind,
        first=_first(engine),
        fleet_defense=characteristics.fleet_defense(engine),
        threat_level=characteristics.threat_level(engine),
        players=[_player(engine, seat, viewer, kinds) for seat in range(len(state.players))],
        threats=[_piece(engine, piece, kinds) for piece in state.threats],
        challenge=_challenge(engine),
        decision=_decision(engine, viewer, kind, options, can_take_back) if state.asking is not None else None,
        result=_result(state.result),
        why=_why(engine, explanations.of_game(engine)),
    )


def _first(engine: Engine) -> SeatNumber:
    """Return who goes first: if the first player has left, the next in turn order (all have left: nobody else)."""
    return next(iter(engine.seats()), engine.state.first)


def event_view(engine: Engine, event: Event, viewer: SeatNumber | None) -> EventView:
    """Build what ``viewer`` may know of ``event``."""
    card = event.card_for(viewer)
    return EventView(
        kind=event.kind,
        text=sentences.sentence(engine, event, viewer),
        player=event.player,
        card=engine.card(card).id if card is not None else None,
        piece=event.piece,
        target=event.target,
        number=event.number,
        source=event.source,
        to=event.to,
        opponent=event.opponent,
        why=_why(engine, event.why) if event.why else [],
        against=event.against,
    )


def _player(engine: Engine, seat: SeatNumber, viewer: SeatNumber | None, kinds: list[ModifierKind]) -> PlayerView:
    player = engine.player(seat)
    seen = player.hand if seat == viewer else player.shown
    stacks: list[PieceView] = []
    persistent: list[PieceView] = []
    for piece in player.resource:
        if piece.role <= ASSET:
            stacks.append(_stack(engine, piece, viewer, kinds))
        else:
            persistent.append(_piece(engine, piece, kinds))
    return PlayerView(
        seat=seat,
        name=player.name,
        influence=player.influence,
        deck=engine.deck_size(seat),
        hand=len(player.hand),
        lost=player.lost,
        hand_cards=_ids(engine, seen),
        discard=_ids(engine, player.discard),
        removed=_ids(engine, player.removed),
        stacks=stacks,
        persistent=persistent,
        alert=[_piece(engine, piece, kinds) for piece in player.alert],
        reserve=[_piece(engine, piece, kinds) for piece in player.reserve],
        why=_why(engine, explanations.of_player(engine, seat)),
    )


def _piece(engine: Engine, piece: Piece, kinds: list[ModifierKind]) -> PieceView:
    """Build a unit, mission or threat: what makes no resources."""
    top = piece.cards[0]
    definition, owner = engine.cards[top >> 3], top & 7
    numbers = characteristics.read(engine, piece, kinds)
    power, threat, mystic, traits, keywords = numbers
    return PieceView(  # fields by place, in the order of the class
        piece.id,
        definition.id,
        piece.controller,
        ROLES[piece.role],
        owner if owner != piece.controller else None,
        power,
        threat,
        mystic,
        traits,
        keywords,
        piece.exhausted,
        tuple(_ids(engine, piece.cards[1:])) if len(piece.cards) > 1 else (),
        0,
        (),
        None,
        0,
        tuple([_link(engine, link) for link in piece.links]) if piece.links else (),
        definition.ability_pending,
        _why_of(engine, piece, numbers, kinds) if kinds else (),
    )


def _stack(engine: Engine, stack: Piece, viewer: SeatNumber | None, kinds: list[ModifierKind]) -> PieceView:
    """Build a base or an asset; an asset makes its resource and is nothing else, whatever its card is (Resources)."""
    top, supplies = stack.cards[0], stack.supplies
    definition, owner = engine.cards[top >> 3], top & 7
    is_base = stack.role == BASE
    numbers = characteristics.read(engine, stack, kinds) if is_base else characteristics.NOT_READ
    power, threat, mystic, traits, keywords = numbers
    return PieceView(  # fields by place, in the order of the class
        stack.id,
        definition.id,
        stack.controller,
        ROLES[stack.role],
        owner if owner != stack.controller else None,
        power,
        threat,
        mystic,
        traits,
        keywords,
        stack.exhausted,
        (),
        len(supplies),
        tuple(_ids(engine, supplies)) if supplies and stack.controller == viewer else (),
        definition.produces,
        characteristics.yields(engine, stack),
        (),
        is_base and definition.ability_pending,
        _why_of(engine, stack, numbers, kinds) if kinds and is_base else (),
    )


def _why_of(engine: Engine, piece: Piece, numbers: Numbers, kinds: list[ModifierKind]) -> tuple[CauseView, ...]:
    """Return what makes ``piece`` other than printed; looked for only where something is."""
    as_printed = piece.role != THREAT and numbers == engine.catalog.printed[piece.cards[0] >> 3]
    if (as_printed and "cannot" not in kinds) or not characteristics.speaks(engine, piece):
        return ()
    causes = explanations.barred(engine, piece) if as_printed else explanations.of_piece(engine, piece, kinds)
    return tuple(_why(engine, causes))


def _why(engine: Engine, causes: Sequence[Cause]) -> list[CauseView]:
    if not causes:
        return []
    ids = engine.catalog.ids
    return [
        CauseView(
            cause.kind, ids[cause.card >> 3], cause.until or cause.lasts, cause.amount, cause.word, cause.piece or None
        )
        for cause in causes
        if cause.card is not None
    ]


def _link(engine: Engine, link: Piece) -> LinkView:
    return LinkView(link.id, engine.definition(link).id, link.controller, link.exhausted)


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
        as_type=ROLES[challenge.role],
        step=challenge.stage.value,
        mystic=[(seat, value) for seat, value in zip(sides, challenge.mystic, strict=True) if value is not None],
        passed=challenge.passed,
        stake=at_stake(engine, challenge) if engine.find(challenge.challenger) is not None else 0,
    )


def _decision(
    engine: Engine, viewer: SeatNumber | None, kind: str, options: list[Option], can_take_back: bool
) -> DecisionView:
    """Build the decision that is waiting, which is of this ``kind`` to ``viewer``."""
    state, deciding = engine.state, engine.deciding()
    seat = viewer if viewer is not None and viewer in deciding else deciding[0]
    mine = seat == viewer
    source = engine.asked_by() if mine else None
    asking = state.agenda[-1] if mine else None
    owing = asking.owing() if asking is not None else None
    return DecisionView(
        seat=seat,
        kind=kind,
        prompt=sentences.prompt(engine, viewer),
        card=engine.card(source.card).id if source is not None else None,
        piece=source.piece or None if source is not None else None,
        chain=sentences.chain(engine) if mine else [],
        options=[_offered(engine, seat, option) for option in options] if mine else [],
        can_take_back=can_take_back and mine,
        owed=_by_resource(owing.amounts) if owing is not None else {},
        proposal=[f"pay {stack}" for stack in asking.proposal(engine)] if asking is not None else [],
        unable=_unable(engine, seat) if mine else [],
        others=[other for other in deciding if other != seat],
    )


def _unable(engine: Engine, seat: SeatNumber) -> list[UseView]:
    """Return the units of the player who is asked to defend, or to challenge a Cylon threat, that cannot."""
    question = engine.state.question
    if question == "defend":
        return [_use(engine, seat, use) for use in refusals.unable_to_defend(engine)]
    if question == "cylon":
        return [_use(engine, seat, use) for use in refusals.unable_to_challenge(engine, seat)]
    return []


def _by_resource(amounts: Sequence[int]) -> dict[str, int]:
    """Return the amounts of what is owed that are not 0, by resource."""
    return {resource: amount for resource, amount in zip(OWED, amounts, strict=False) if amount}


def _kind(engine: Engine, viewer: SeatNumber | None) -> str:
    """Return the kind of the decision that is waiting, as ``viewer`` may know it."""
    if not engine.state.agenda or viewer in engine.deciding():
        return engine.state.question
    return sentences.question_for_others(engine)


def _offered(engine: Engine, seat: SeatNumber, option: Option) -> OptionView:
    """Build an option of the decision that is waiting."""
    shown = option_view(engine, option)
    if option.verb not in ("play", "use", "choose"):
        return shown
    mark = benefits.mark(engine, seat, option)
    return msgspec.structs.replace(shown, **{mark: True}) if mark else shown


def option_view(engine: Engine, option: Option) -> OptionView:
    """Build what the deciding player sees of an option."""
    return OptionView(  # fields by place, in the order of the class
        option.key(engine.catalog),
        option.verb,
        sentences.option_text(engine, option),
        engine.catalog.ids[option.card] if option.card != NO_CARD else None,
        option.piece or None,
        option.target or None,
        option.player if option.player != NOBODY else None,
        option.word or None,
        option.number if option.number >= 0 else None,
    )


def _result(result: Result | None) -> ResultView | None:
    return ResultView(result.winners, result.losers, result.reason) if result is not None else None


def _ids(engine: Engine, cards: list[CardNumber]) -> list[str]:
    return [*map(engine.catalog.ids_of_cards.__getitem__, cards)] if cards else []


def uses(engine: Engine, seat: SeatNumber, options: list[Option]) -> list[UseView]:
    """Build what the player at ``seat`` may know of why they cannot do what they might; of it only they are told."""
    return [_use(engine, seat, use) for use in refusals.uses(engine, seat, options)]


def _use(engine: Engine, seat: SeatNumber, use: Use) -> UseView:
    option = use.option
    return UseView(
        verb=option.verb,
        card=engine.catalog.ids[option.card] if option.card != NO_CARD else None,
        piece=option.piece or None,
        number=option.number if option.number >= 0 else None,
        reason=use.reason,
        text=sentences.reason(engine, seat, use) if use.reason is not None else "",
        missing=_by_resource(use.missing),
        unmet=[str(asked) for asked in use.unmet],
    )
