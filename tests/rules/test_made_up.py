"""What made-up cards once broke (tests/cards_data/fuzz.py found it), each as a small game of its own."""

from __future__ import annotations

from typing import Any

import msgspec

from ccg.rules import Catalog, Game
from ccg.rules.cards import CardDef
from ccg.rules.language.schema import Ability
from tests.rules.tables import position


def made(title: str, kind: str, ability: dict[str, Any], **facts: Any) -> CardDef:
    """Make up a card that costs nothing and does ``ability``."""
    return CardDef(
        id=f"XXX-{title}", type=kind, title=title, threat=0, mystic=1,
        abilities=(msgspec.convert(ability, Ability),), **facts,
    )  # fmt: skip


def game(catalog: Catalog, *cards: CardDef, **sides: dict[str, Any]) -> Game:
    """Give a game in which Ana acts first, with what each player has."""
    ana, ben = sides.get("ana", {}), sides.get("ben", {})
    return position(Catalog([*catalog, *cards]), ana, ben, phase="execution", first="Ana")


def test_a_replacement_may_take_away_what_would_be_defeated_next(catalog: Catalog) -> None:
    """Ana's martyr takes Ben's personnel out of play before Ben's is asked about it."""
    instead = {
        "instead of": "a personnel you control would be defeated",
        "do": [{"sacrifice": "all personnel an opponent controls"}],
    }
    martyr = made("Martyr", "mission", instead, keywords=("persistent",))
    doom = made("Doom", "event", {"do": [{"defeat": "all personnel"}]})
    side = {"persistent": ["Martyr"], "alert": ["Apollo, Ace Pilot"]}
    table = game(catalog, martyr, doom, ana={**side, "hand": ["Doom"]}, ben=side)
    table.choose("play XXX-Doom")
    ana, ben = table.engine.state.players
    assert (len(ana.alert), len(ben.alert)) == (1, 0)
