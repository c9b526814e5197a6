"""Playing an ability, as an action or in a challenge (Play an Ability)."""

from __future__ import annotations

from ccg.rules.agenda import Engine
from ccg.rules.instructions import SacrificeBeneath
from ccg.rules.options import Option
from ccg.rules.state import Seat


def ability_options(engine: Engine, seat: Seat) -> list[Option]:
    """List the abilities that ``seat`` can play: the power boosts of their unit stacks (ruling 15)."""
    player = engine.player(seat)
    return [
        Option("boost", definition, piece.id)
        for lying in (player.alert, player.reserve)
        for piece in lying
        if len(piece.cards) > 1
        for definition in sorted({card >> 3 for card in piece.cards[1:]})
    ]


def play_boost(engine: Engine, option: Option) -> None:
    """Sacrifice the chosen card beneath a unit for +1 power."""
    unit = engine.piece(option.piece)
    card = next(card for card in unit.cards[1:] if card >> 3 == option.card)
    engine.push(SacrificeBeneath(unit.id, card))
