"""Playing an ability, as an action or in a challenge (Play an Ability)."""

from __future__ import annotations

from ccg.rules.agenda import Engine
from ccg.rules.instructions import SacrificeBeneath
from ccg.rules.options import NO_CARD, Option
from ccg.rules.performing import Act, fresh_scope, why_not_announce
from ccg.rules.reasons import Reason
from ccg.rules.state import Area, Card, Piece, Role, Scope, Seat


def ability_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the abilities that ``seat`` can play: those on their cards, and the boosts of their unit stacks."""
    options = []
    player = engine.player(seat)
    for lying in (player.alert, player.reserve, player.resource):
        for piece in lying:
            options += _of_card(engine, seat, piece, piece.top, NO_CARD)
            for link in piece.links:
                options += _of_card(engine, seat, piece, link.top, link.top >> 3)
            if len(piece.cards) > 1:
                options += [Option("boost", card, piece.id) for card in sorted({c >> 3 for c in piece.cards[1:]})]
    return list(dict.fromkeys(options))  # equal missions linked to one unit offer the same


def _of_card(engine: Engine, seat: Seat, piece: Piece, card: Card, named: int) -> list[Option]:
    """List the abilities of ``card``, which is ``piece`` (then it is not ``named``) or linked to it."""
    actions = engine.scripts[card >> 3].actions
    if not actions:
        return []
    return [
        Option("use", named, piece.id, number=number + 1)
        for number in range(len(actions))
        if why_not_use(engine, seat, piece, card, number) is None
    ]


def why_not_use(engine: Engine, seat: Seat, piece: Piece, card: Card, number: int) -> Reason | None:
    """Give what keeps ``seat`` from ability ``number`` of ``card``, which is or is linked to ``piece`` (ABIL-2)."""
    action = engine.scripts[card >> 3].actions[number]
    if not any(source is piece and text == card for source, text, _ in engine.speaking(piece)):
        return _why_silent(piece, card)
    if action.once and (piece.id, card, -1 - number) in engine.state.used:
        return "used"
    scope = fresh_scope(engine, Scope(seat, card, piece.id))
    if action.season is not None and not action.season(engine, scope):
        return "season"
    return why_not_announce(engine, scope, action.cost, action.effect)


def _why_silent(piece: Piece, card: Card) -> Reason:
    """Give why the text of ``card`` does not work where it lies."""
    if piece.top == card and piece.role == Role.ASSET:
        return "asset"
    if piece.top == card and piece.role == Role.MISSION and piece.area != Area.RESOURCE:
        return "unresolved"
    return "exhausted"


def use(engine: Engine, seat: Seat, option: Option) -> None:
    """Begin to play the chosen ability or power boost."""
    piece = engine.piece(option.piece)
    if option.verb == "boost":
        card = next(card for card in piece.cards[1:] if card >> 3 == option.card)
        engine.push(SacrificeBeneath(piece.id, card))
        return
    card = piece.cards[0] if option.card < 0 else next(link.top for link in piece.links if link.top >> 3 == option.card)
    number = option.number - 1
    action = engine.scripts[card >> 3].actions[number]
    scope = fresh_scope(engine, Scope(seat, card, piece.id))
    engine.push(
        Act(scope=scope, effect=action.effect, cost=action.cost, number=-1 - number, once=action.once, voluntary=True)
    )
