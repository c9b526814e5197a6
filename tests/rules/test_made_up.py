"""What made-up cards once broke (tests/cards_data/fuzz.py found it), each as a small game of its own."""

from __future__ import annotations

from typing import Any

import msgspec

from ccg.rules import Catalog, Game
from ccg.rules.cards import CardDef
from ccg.rules.language.schema import Ability
from ccg.rules.state import Role
from tests.rules.tables import keys, position


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


def test_what_a_cost_named_is_known_after_a_decision(catalog: Catalog) -> None:
    """Paying sets something off that its player is asked about; read back there, the game goes on as before."""
    pays = {"cost": [{"draw": 1}, {"exhaust": "a ship you control"}], "do": [{"restore": "it"}]}
    crew = made("Crew", "personnel", pays, power=1)
    asks = {"when": "a player draws a card", "may": True, "do": [{"gain": 1}]}
    watcher = made("Watcher", "personnel", asks, power=1)
    table = game(catalog, crew, watcher, ana={"alert": ["Crew", "Watcher", "Colonial Viper 762"]})
    use = next(key for key in keys(table) if key.startswith("use"))
    for move in (use, "choose 4"):
        table.choose(move)
    assert table.decision is not None and table.decision.kind == "may"
    for one in (table, table.copy()):
        one.choose("yes")
        [viper] = [piece for piece in one.engine.state.players[0].alert if piece.role == Role.SHIP]
        assert not viper.exhausted
