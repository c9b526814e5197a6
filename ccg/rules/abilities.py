"""Playing an ability, as an action or in a challenge (Play an Ability)."""

from __future__ import annotations

from ccg.rules.agenda import Engine
from ccg.rules.instructions import SacrificeBeneath
from ccg.rules.options import NO_CARD, Option
from ccg.rules.performing import Act, announceable, fresh_scope
from ccg.rules.state import Card, Piece, Scope, Seat


def ability_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the abilities that ``seat`` can play: those on their cards, and the boosts of their unit stacks."""
    options = []
    player = engine.player(seat)
    for lying in (player.alert, player.reserve, player.resource):
        for piece in lying:
            for place, card in enumerate([piece.cards[0], *(link.top for link in piece.links)]):
                actions = engine.scripts[card >> 3].actions
                options += [
                    Option("use", card >> 3 if place else NO_CARD, piece.id, number=number + 1)
                    for number in range(len(actions))
                    if can_use(engine, seat, piece, card, number)
                ]
            if len(piece.cards) > 1:
                options += [Option("boost", card, piece.id) for card in sorted({c >> 3 for c in piece.cards[1:]})]
    return list(dict.fromkeys(options))  # equal missions linked to one unit offer the same


def can_use(engine: Engine, seat: Seat, piece: Piece, card: Card, number: int) -> bool:
    """Whether ``seat`` can play ability ``number`` of ``card``, which is or is linked to ``piece`` (ABIL-2)."""
    action = engine.scripts[card >> 3].actions[number]
    if not any(source is piece and text == card for source, text, _ in engine.speaking(piece)):
        return False
    if action.once and (piece.id, card, -1 - number) in engine.state.used:
        return False
    scope = fresh_scope(engine, Scope(seat, card, piece.id))
    if action.season is not None and not action.season(engine, scope):
        return False
    return announceable(engine, scope, action.cost, action.effect)


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
