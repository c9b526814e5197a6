"""Playing an ability, as an action or in a challenge (Play an Ability)."""

from __future__ import annotations

from ccg.rules.core.engine import Engine
from ccg.rules.core.legality import Reason
from ccg.rules.core.options import NO_CARD, Option
from ccg.rules.core.state import Area, CardNumber, Context, Piece, Role, SeatNumber, definition_of
from ccg.rules.rulebook.instructions import SacrificeBeneath
from ccg.rules.rulebook.resolving import Act, fresh_context, why_not_announce


def ability_options(engine: Engine, seat: SeatNumber) -> list[Option]:
    """List the abilities that ``seat`` can play: those on their cards, and the boosts of their unit stacks."""
    options: list[Option] = []
    player = engine.player(seat)
    scripts = engine.scripts
    for lying in (player.alert, player.reserve, player.resource):
        for piece in lying:
            if scripts[piece.cards[0] >> 3].actions:
                options += _of_card(engine, seat, piece, piece.top, NO_CARD)
            for link in piece.links:
                options += _of_card(engine, seat, piece, link.top, link.top >> 3)
            if len(piece.cards) > 1:
                options += [Option("boost", card, piece.id) for card in sorted({c >> 3 for c in piece.cards[1:]})]
    return list(dict.fromkeys(options)) if len(options) > 1 else options  # equal linked missions offer the same


def _of_card(engine: Engine, seat: SeatNumber, piece: Piece, card: CardNumber, named: int) -> list[Option]:
    """List the abilities of ``card``, which is ``piece`` (then it is not ``named``) or linked to it."""
    actions = engine.scripts[card >> 3].actions
    if not actions:
        return []
    return [
        Option("use", named, piece.id, number=number + 1)
        for number in range(len(actions))
        if why_not_use(engine, seat, piece, card, number) is None
    ]


def why_not_use(engine: Engine, seat: SeatNumber, piece: Piece, card: CardNumber, number: int) -> Reason | None:
    """Return what keeps ``seat`` from ability ``number`` of ``card``, which is or is linked to ``piece`` (ABIL-2)."""
    action = engine.scripts[card >> 3].actions[number]
    if not engine.says(piece, card):
        return _why_silent(piece, card)
    if action.once and engine.is_used(piece.id, card, use_number(number)):
        return "used"
    context = fresh_context(engine, Context(seat, card, piece.id))
    if action.condition is not None and not action.condition(engine, context):
        return "season"
    return why_not_announce(engine, context, action.cost, action.effect)


def use_number(place: int) -> int:
    """Return under which number it is remembered that an ability was used; triggers have those from 0 on."""
    return -1 - place


def _why_silent(piece: Piece, card: CardNumber) -> Reason:
    """Return why the abilities of ``card`` are inactive where it lies."""
    if piece.top == card and piece.role == Role.ASSET:
        return "asset"
    if piece.top == card and piece.role == Role.MISSION and piece.area != Area.RESOURCE:
        return "unresolved"
    return "exhausted"


def use(engine: Engine, seat: SeatNumber, option: Option) -> None:
    """Begin to play the chosen ability or power boost."""
    piece = engine.piece(option.piece)
    if option.verb == "boost":
        card = next(card for card in piece.cards[1:] if definition_of(card) == option.card)
        engine.push(SacrificeBeneath(piece.id, card))
        return
    card = (
        piece.cards[0]
        if option.card < 0
        else next(link.top for link in piece.links if definition_of(link.top) == option.card)
    )
    number = option.number - 1
    action = engine.scripts[definition_of(card)].actions[number]
    context = fresh_context(engine, Context(seat, card, piece.id))
    engine.push(
        Act(
            context=context,
            effect=action.effect,
            cost=action.cost,
            number=use_number(number),
            once=action.once,
            voluntary=True,
        )
    )
